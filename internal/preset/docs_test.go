package preset

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// docsTable is the table of docs/presets.md.
func docsTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for i, name := range Names() {
		p, err := Find(name)
		require.NoError(t, err)
		shown := "`" + name + "`"
		if i < len(Lessons) {
			shown = fmt.Sprintf("%d. %s", i+1, shown)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", shown, p.Title, strings.ReplaceAll(p.Law, "|", `\|`))
	}
	return b.String()
}

// TestDocsListEveryPreset: the documentation shows what the files say.
func TestDocsListEveryPreset(t *testing.T) {
	text, err := os.ReadFile("../../docs/presets.md")
	require.NoError(t, err)
	want := docsTable(t)
	require.True(t, strings.Contains(string(text), "| --- | --- | --- |\n"+want+"\n"), "docs/presets.md wants this table:\n%s", want)
}

// TestDocsListEveryKey: the documentation has every function and every key.
func TestDocsListEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/presets.md")
	require.NoError(t, err)
	for _, name := range Functions() {
		require.Contains(t, string(text), "`"+name+"(", name)
	}
}
