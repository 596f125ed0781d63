package audit

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// posted is a report of ab whose requests had that many bytes each, below a command.
func posted(command, bytes string) string {
	return command + "\n" + strings.Replace(soundAB, "HTML transferred", "Total body sent:        "+bytes+"\nHTML transferred", 1)
}

func TestRequestsAreAsLongAsTheirCommands(t *testing.T) {
	const first = `ab -l -n 1000 -c 10 -p order.json -H "x-id: one" http://127.0.0.1:80/v1/a`
	for name, c := range map[string]struct {
		command, bytes string
		found          bool
	}{
		"as the path":         {`ab -c 10 -l -n 1000 -p order.json -H "x-id: one" http://127.0.0.1:80/v1/abc`, "302000", false},
		"the same":            {first, "300000", false},
		"more than the path":  {`ab -n1000 -c10 -p order.json -H "x-id: one" "http://127.0.0.1:80/v1/abc"`, "305000", true},
		"not as the path":     {`ab -n 1000 -c 10 -p order.json -H "x-id: one" http://127.0.0.1:80/v1/abc`, "300000", true},
		"another header":      {`ab -n 1000 -c 10 -p order.json -H "x-id: three" http://127.0.0.1:80/v1/a`, "305000", false},
		"another host":        {`ab -n 1000 -c 10 -p order.json -H "x-id: one" http://localhost/v1/a`, "305000", false},
		"requests of a kind":  {first, "300500", false},
		"no URL":              {`ab -n 1000 -c 10`, "305000", false},
		"fewer than asked of": {`ab -n 2000 -c 10 -p order.json -H "x-id: one" http://127.0.0.1:80/v1/a`, "305000", false},
	} {
		t.Run(name, func(t *testing.T) {
			d := Read("x", posted(first, "300000")+posted(c.command, c.bytes))
			require.Equal(t, 2, d.AB)
			require.Equal(t, c.found, len(d.Findings) > 0, "%s", Text([]*Document{d}))
			for _, f := range d.Findings {
				require.Equal(t, "command", f.Law)
			}
		})
	}
}
