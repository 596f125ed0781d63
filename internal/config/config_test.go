package config

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

func bound(t *testing.T) (*Server, *pflag.FlagSet) {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s := &Server{Process: Process{Addr: "127.0.0.1:8081", Admin: "127.0.0.1:8181"}}
	s.Bind(fs)
	return s, fs
}

func TestDefaults(t *testing.T) {
	s, fs := bound(t)
	require.NoError(t, fs.Parse(nil))
	require.NoError(t, s.Validate())
	require.Equal(t, Server{
		Process: Process{
			Addr: "127.0.0.1:8081", Admin: "127.0.0.1:8181", LogLevel: "info", LogFormat: "auto",
		},
		DownstreamA: "http://127.0.0.1:9101", DownstreamB: "http://127.0.0.1:9102", Redis: "127.0.0.1:6379",
		DownstreamTimeout: 2 * time.Second, CacheTimeout: 500 * time.Millisecond, CacheTTL: 5 * time.Minute,
		MaxConns: 10000, ConnsFull: ConnsBacklog, Backlog: 1024,
		HeaderTimeout: 20 * time.Second, BodyTimeout: 20 * time.Second,
		WriteTimeout: 20 * time.Second, IdleTimeout: 20 * time.Second,
		MaxRequests: 0, MaxHeader: 8192, MaxBody: 2 << 20, Drain: 10 * time.Second, GoMaxProcs: 0,
	}, *s)
}

func TestPrecedence(t *testing.T) {
	cases := map[string]struct {
		env, args []string
		want      int
	}{
		"default":                  {nil, nil, 10000},
		"environment over default": {[]string{"LAB_MAX_CONNS", "7"}, nil, 7},
		"flag over environment":    {[]string{"LAB_MAX_CONNS", "7"}, []string{"--max-conns=8"}, 8},
		"flag equal to default":    {[]string{"LAB_MAX_CONNS", "7"}, []string{"--max-conns=10000"}, 10000},
		"empty variable is unset":  {[]string{"LAB_MAX_CONNS", ""}, nil, 10000},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.env != nil {
				t.Setenv(c.env[0], c.env[1])
			}
			s, fs := bound(t)
			require.NoError(t, fs.Parse(c.args))
			require.NoError(t, Env(fs))
			require.Equal(t, c.want, s.MaxConns)
		})
	}
}

func TestEnvNamesEveryBadVariable(t *testing.T) {
	t.Setenv("LAB_MAX_CONNS", "many")
	t.Setenv("LAB_DRAIN", "10")
	t.Setenv("LAB_HELP", "true")
	_, fs := bound(t)
	require.NoError(t, fs.Parse(nil))
	err := Env(fs)
	require.ErrorContains(t, err, "environment variable LAB_MAX_CONNS")
	require.ErrorContains(t, err, "environment variable LAB_DRAIN")
	require.NotContains(t, err.Error(), "LAB_HELP")
}

func TestValidateNamesEveryFlag(t *testing.T) {
	cases := map[string]string{
		"addr": "nowhere", "admin": "1.2.3.4:99999", "log-level": "loud", "log-format": "xml",
		"downstream-a": "https://a", "downstream-b": "http://b?x=1", "redis": "redis",
		"downstream-timeout": "0s", "cache-timeout": "-1s", "cache-ttl": "10ms",
		"max-conns": "-1", "conns-full": "panic", "backlog": "0", "burn": "-1", "retries": "-1",
		"header-timeout": "0", "body-timeout": "0", "write-timeout": "0", "idle-timeout": "0",
		"max-requests": "-1", "max-header": "10", "max-body": "0", "drain": "-1s", "gomaxprocs": "-1",
	}
	all, fs := bound(t)
	for flag, bad := range cases {
		require.NoError(t, fs.Set(flag, bad))
		t.Run(flag, func(t *testing.T) {
			s, one := bound(t)
			require.NoError(t, one.Set(flag, bad))
			require.ErrorContains(t, s.Validate(), "--"+flag+" ")
		})
	}
	fs.VisitAll(func(f *pflag.Flag) {
		require.Contains(t, cases, f.Name, "every flag has a bad value here")
		require.ErrorContains(t, all.Validate(), "--"+f.Name+" ")
	})
}

func TestValidateAccepts(t *testing.T) {
	cases := map[string][2]string{
		"no admin port":           {"admin", ""},
		"any free port":           {"addr", ":0"},
		"name that is not up yet": {"redis", "cache.invalid:6379"},
		"prefix":                  {"downstream-a", "http://127.0.0.1:1/a/b"},
		"no connection limit":     {"max-conns", "0"},
		"evict":                   {"conns-full", "evict-idle"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, fs := bound(t)
			require.NoError(t, fs.Set(c[0], c[1]))
			require.NoError(t, s.Validate())
		})
	}
}

func TestHelpNamesUnitAndDefault(t *testing.T) {
	_, fs := bound(t)
	help := FlagHelp(fs, 80)
	require.Contains(t, help, "--max-header bytes")
	require.Contains(t, help, "(default 8192)")
	fs.VisitAll(func(f *pflag.Flag) { require.Equal(t, 1, strings.Count(help, " --"+f.Name+" "), f.Name) })
	for line := range strings.Lines(help) {
		require.LessOrEqual(t, len(line), 81, line)
	}
}

func TestHelpListsFlagsByGroups(t *testing.T) {
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	Group(fs, "Water", func() {
		fs.Int("waves", 1, "high")
		fs.Int("depth", 2, "deep")
	})
	fs.Bool("loose", false, "in no group")
	Group(fs, "Land", func() {
		Group(fs, "Water", func() { fs.Int("tide", 3, "low") })
		fs.Int("hills", 4, "steep")
	})
	require.Equal(t, "\nWater:\n      --waves int   high (default 1)\n      --depth int   deep (default 2)\n"+
		"      --tide int    low (default 3)\n\nLand:\n      --hills int   steep (default 4)\n\nFlags:\n      --loose   in no group\n",
		FlagHelp(fs, 100))
}

func TestValues(t *testing.T) {
	_, fs := bound(t)
	require.NoError(t, fs.Parse([]string{"--drain=90s"}))
	values := Values(fs)
	require.Equal(t, "1m30s", values["drain"])
	require.Equal(t, "127.0.0.1:8081", values["addr"])
	require.NotContains(t, values, "help")
}

func TestMistaken(t *testing.T) {
	_, fs := bound(t)
	fs.Int("watts", 60, "")
	require.Equal(t, []string{"LAB_", "LAB_WORKRES", "LAB_max_conns"}, Mistaken([]string{
		"LAB_WORKRES=3", "LAB_WORKERS=3", "LAB_LATENCY_A=20ms", "LAB_WATTS=3", "LABEL=x", "MY_LAB_X=1", "LAB_max_conns=3", "LAB_=",
		"PATH=/bin",
	}, fs))
}

func TestValueProblem(t *testing.T) {
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	fs.IntP("number", "n", 0, "")
	fs.Uint64("count", 0, "")
	fs.Float64("share", 0, "")
	fs.Bool("dark", false, "")
	fs.Duration("wait", 0, "")
	var d time.Duration
	SecondsVar(fs, &d, "span", "", 0, "")
	for _, c := range [][3]string{
		{"number", "x", `--number "x": want a whole number`},
		{"number", "1.5", `--number "1.5": want a whole number`},
		{"number", "", `--number "": want a whole number`},
		{"number", "99999999999999999999", `--number "99999999999999999999": out of range`},
		{"count", "-1", `--count "-1": want a whole number, 0 or more`},
		{"share", "half", `--share "half": want a number`},
		{"dark", "maybe", `--dark "maybe": want true or false`},
		{"wait", "20", `--wait "20": want a time with its unit, such as 20ms or 20s`},
		{"wait", "soon", `--wait "soon": want a time with its unit, such as 20ms or 1.5s`},
		{"span", "soon", `--span "soon": want a number of seconds, or a time with its unit, such as 500ms`},
		{"span", "1e99", `--span "1e99": want a number of seconds, 1e+09 at most`},
	} {
		require.EqualError(t, ValueProblem(fs.Set(c[0], c[1])), c[2])
	}
	other := errors.New("other")
	require.Equal(t, other, ValueProblem(other))
	require.NoError(t, ValueProblem(nil))
}

func TestDuration(t *testing.T) {
	d, err := Duration("1.5s")
	require.NoError(t, err)
	require.Equal(t, 1500*time.Millisecond, d)
	_, err = Duration("20")
	require.EqualError(t, err, `"20": want a time with its unit, such as 20ms or 20s`)
}
