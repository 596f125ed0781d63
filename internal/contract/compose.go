package contract

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
)

// knob is a line of compose.yaml that gives a flag the value of a knob: LAB_WORKERS: ${WORKERS:-200}.
var knob = regexp.MustCompile(`(LAB_[A-Z_]+): \$\{([A-Z_]+):-(.*)\}`)

// Compose requires that the knobs of compose.yaml, in the folder root, have the defaults of the program's flags, but for
// those named, and that .env.example says the same.
func Compose(t *testing.T, root string, fs *pflag.FlagSet, but ...string) {
	t.Helper()
	compose, example := readFile(t, root+"/compose.yaml"), "\n"+readFile(t, root+"/.env.example")
	flags := map[string]*pflag.Flag{}
	fs.VisitAll(func(f *pflag.Flag) { flags[config.Variable(f.Name)] = f })
	for _, name := range but {
		delete(flags, config.Variable(name))
	}
	checked := 0
	for _, line := range knob.FindAllStringSubmatch(compose, -1) {
		f := flags[line[1]]
		if f == nil {
			continue
		}
		checked++
		before := f.Value.String()
		require.NoError(t, f.Value.Set(line[3]), line[0])
		require.Equal(t, before, f.Value.String(), "%s: not the default of --%s", line[0], f.Name)
		require.Contains(t, example, "\n"+line[2]+"="+line[3]+"\n", ".env.example")
	}
	require.Positive(t, checked)
	for _, address := range []string{"addr", "admin"} {
		if f := fs.Lookup(address); f != nil {
			_, port, _ := strings.Cut(f.DefValue, ":")
			require.Contains(t, compose, config.Variable(address)+": 0.0.0.0:"+port+"\n", "the port of --%s", address)
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
