package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/config"
	"poolvsloop/internal/procstat"
)

const child = "PROGRAM_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(child) == "1" {
		Main(command(func(c *cobra.Command) error {
			os.Stdout.WriteString("ready\n")
			<-c.Context().Done()
			return errors.New("interrupted")
		}))
	}
	goleak.VerifyTestMain(m)
}

// command is a program with one flag, one sub-command, and no arguments.
func command(run func(*cobra.Command) error) *cobra.Command {
	runE := func(c *cobra.Command, _ []string) error { return run(c) }
	root := &cobra.Command{Use: "lamp", Args: cobra.NoArgs, RunE: runE}
	root.PersistentFlags().Int("watts", 60, "power in `watts`")
	root.PersistentFlags().Float64("volts", 230, "tension in `volts`")
	sub := &cobra.Command{Use: "dim", Args: cobra.NoArgs, RunE: runE}
	sub.Flags().Duration("over", time.Second, "`time` it takes")
	root.AddCommand(sub, &cobra.Command{Use: "aim ANGLE", Args: cobra.ExactArgs(1), RunE: runE})
	return root
}

func TestExitCodes(t *testing.T) {
	cases := map[string]struct {
		args   []string
		env    map[string]string
		result error
		code   int
		stderr string
	}{
		"good":               {nil, nil, nil, ExitDone, ""},
		"good sub-command":   {[]string{"dim", "--over=2s"}, nil, nil, ExitDone, ""},
		"help":               {[]string{"--help"}, nil, errors.New("not run"), ExitDone, ""},
		"failed":             {nil, nil, errors.New("bulb broke"), ExitFailed, "lamp: bulb broke\n"},
		"unknown flag":       {[]string{"--colour=red"}, nil, nil, ExitUsage, "lamp: unknown flag --colour: see lamp --help\n"},
		"unknown command":    {[]string{"explode"}, nil, nil, ExitUsage, "lamp: unknown command \"explode\": see lamp --help\n"},
		"surplus argument":   {[]string{"dim", "x"}, nil, nil, ExitUsage, "lamp: unexpected argument \"x\": see lamp dim --help\n"},
		"bad value":          {[]string{"--watts=many"}, nil, nil, ExitUsage, "lamp: --watts \"many\": want a whole number\n"},
		"bad variable":       {nil, map[string]string{"LAB_WATTS": "many"}, nil, ExitUsage, "lamp: environment variable LAB_WATTS: --watts \"many\": want a whole number\n"},
		"variable of a sub":  {[]string{"dim"}, map[string]string{"LAB_OVER": "x"}, nil, ExitUsage, "lamp: environment variable LAB_OVER: "},
		"misspelt flag":      {[]string{"--wats=3"}, nil, nil, ExitUsage, "lamp: unknown flag --wats: did you mean --watts?\n"},
		"flag of another":    {[]string{"dim", "--ovr=3s"}, nil, nil, ExitUsage, "lamp: unknown flag --ovr: did you mean --over?\n"},
		"unknown letter":     {[]string{"-z"}, nil, nil, ExitUsage, "lamp: unknown flag -z: see lamp --help\n"},
		"misspelt command":   {[]string{"dimm"}, nil, nil, ExitUsage, "lamp: unknown command \"dimm\": did you mean dim?\n"},
		"missing argument":   {[]string{"aim"}, nil, nil, ExitUsage, "lamp: wrong number of arguments, 0: want lamp aim ANGLE [flags]\n"},
		"no value":           {[]string{"--watts"}, nil, nil, ExitUsage, "lamp: --watts needs a value\n"},
		"number too large":   {[]string{"--watts=99999999999999999999"}, nil, nil, ExitUsage, "lamp: --watts \"99999999999999999999\": out of range\n"},
		"no number":          {[]string{"--volts=NaN"}, nil, nil, ExitUsage, "lamp: --volts NaN: want a number\n"},
		"endless number":     {[]string{"--volts=-Inf"}, nil, nil, ExitUsage, "lamp: --volts -Inf: want a number\n"},
		"variable no number": {nil, map[string]string{"LAB_VOLTS": "nan"}, nil, ExitUsage, "lamp: --volts NaN: want a number\n"},
		"no number of a sub": {[]string{"dim", "--volts=nan"}, nil, nil, ExitUsage, "lamp: --volts NaN: want a number\n"},
		"time without unit":  {[]string{"dim", "--over=20"}, nil, nil, ExitUsage, "lamp: --over \"20\": want a time with its unit, such as 20ms or 20s\n"},
		"misspelt variable": {nil, map[string]string{"LAB_WORKRES": "3"}, nil, ExitDone,
			"lamp: warning: unknown environment variable LAB_WORKRES: did you mean LAB_WORKER or LAB_WORKERS?\n"},
		"unknown variable": {nil, map[string]string{"LAB_COLOUR_OF_LIGHT": "red"}, nil, ExitDone,
			"lamp: warning: unknown environment variable LAB_COLOUR_OF_LIGHT: no program of the lab reads it\n"},
		"validation": {nil, nil, Usage(errors.Join(errors.New("--watts 0: too few"), errors.New("--over: late"))),
			ExitUsage, "lamp: --watts 0: too few; --over: late\n"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for key, value := range c.env {
				t.Setenv(key, value)
			}
			var stdout, stderr bytes.Buffer
			cmd := command(func(*cobra.Command) error { return c.result })
			require.Equal(t, c.code, Run(t.Context(), cmd, c.args, &stdout, &stderr), stderr.String())
			require.True(t, strings.HasPrefix(stderr.String(), c.stderr), stderr.String())
			if c.stderr != "" {
				require.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one line, no usage text: %s", stderr.String())
			}
		})
	}
	require.NoError(t, Usage(nil))
}

func TestCodeIsTheExitCodeAndAddsNothing(t *testing.T) {
	var out bytes.Buffer
	cmd := command(func(*cobra.Command) error { return fmt.Errorf("as asked: %w", Code(104)) })
	require.Equal(t, 104, Run(t.Context(), cmd, nil, &out, &out))
	require.Empty(t, out.String())
	require.NoError(t, Code(ExitDone))
}

func TestVariablesReachTheCommandAndItsHelp(t *testing.T) {
	t.Setenv("LAB_WATTS", "40")
	watts := 0
	cmd := command(func(c *cobra.Command) (err error) {
		watts, err = c.Flags().GetInt("watts")
		return err
	})
	var out bytes.Buffer
	require.Zero(t, Run(t.Context(), cmd, []string{"dim"}, &out, &out))
	require.Equal(t, 40, watts)
	require.Zero(t, Run(t.Context(), command(nil), []string{"dim", "--help"}, &out, &out))
	require.Contains(t, out.String(), "--watts")
	require.Contains(t, out.String(), "--over")
	require.Contains(t, out.String(), "environment variable, LAB_OVER for --over")
}

func TestCancelledContextReachesTheCommand(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	cmd := command(func(c *cobra.Command) error { return c.Context().Err() })
	require.Equal(t, ExitFailed, Run(ctx, cmd, nil, &out, &out))
	require.Contains(t, out.String(), "context canceled")
}

// Main owns the process, so it runs in one of its own: this test binary again.
func TestMainEndsOnSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = append(os.Environ(), child+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdout, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = stdout.Read(make([]byte, 6))
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(signal))
			var exit *exec.ExitError
			require.ErrorAs(t, cmd.Wait(), &exit)
			require.Equal(t, ExitFailed, exit.ExitCode())
			require.Contains(t, stderr.String(), "interrupted\n")
		})
	}
}

func lines(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(out.String()) {
		var one map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &one), line)
		all = append(all, one)
	}
	return all
}

func TestAnnounceIsReadable(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4321}
	for _, level := range []string{"info", "error"} {
		var out bytes.Buffer
		log, err := Logger(config.Process{LogLevel: level, LogFormat: "json"}, "lamp", &out)
		require.NoError(t, err)
		Announce(log, addr, nil)
		line := lines(t, &out)[0]
		require.Equal(t, "listening", line["message"])
		require.Equal(t, "127.0.0.1:4321", line["addr"])
		require.Equal(t, "", line["admin"])
		require.Equal(t, "info", line["level"])
		require.Equal(t, "lamp", line["program"])
		require.NotEmpty(t, line["time"])
	}
}

func TestLogger(t *testing.T) {
	cases := map[string]struct {
		format string
		json   bool
	}{"json": {"json", true}, "console": {"console", false}, "auto, no terminal": {"auto", true}}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			log, err := Logger(config.Process{LogLevel: "warn", LogFormat: c.format}, "lamp", &out)
			require.NoError(t, err)
			log.Info().Msg("quiet")
			require.Empty(t, out.String())
			log.Warn().Msg("bright")
			require.Contains(t, out.String(), "bright")
			require.Equal(t, c.json, json.Valid(out.Bytes()))
		})
	}
	_, err := Logger(config.Process{LogLevel: "loud"}, "lamp", &bytes.Buffer{})
	require.ErrorContains(t, err, "--log-level")
}

func TestLogLimits(t *testing.T) {
	asked := accept.Stats{BacklogAsked: 1024, Backlog: 1024, MaxConnsAsked: 100, MaxConns: 100}
	host := procstat.Host{Somaxconn: 4096, NofileSoft: 256, NofileHard: 512, GoMaxProcs: 2, CPUs: 4, CgroupQuota: 1.5}
	backlogCut, connsCut, unlimited := asked, asked, asked
	backlogCut.Backlog, connsCut.MaxConns, unlimited.MaxConnsAsked = 128, 50, 0
	cases := map[string]struct {
		stats accept.Stats
		level string
		says  string
	}{
		"as asked":    {asked, "info", "connection limits"},
		"backlog cut": {backlogCut, "warn", "net.core.somaxconn"},
		"conns cut":   {connsCut, "warn", "ulimit -n"},
		"no limit":    {unlimited, "info", "connection limits"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			LogLimits(zerolog.New(&out), NewLimits(c.stats, host))
			got := lines(t, &out)
			require.Len(t, got, 2)
			require.Equal(t, c.level, got[0]["level"])
			require.Contains(t, got[0]["message"], c.says)
			for key, want := range map[string]int{
				"backlog_asked": 1024, "somaxconn": 4096, "backlog": c.stats.Backlog,
				"max_conns_asked": c.stats.MaxConnsAsked, "max_conns": c.stats.MaxConns, "nofile": 256, "nofile_hard": 512,
			} {
				require.EqualValues(t, want, got[0][key], key)
			}
			require.EqualValues(t, 2, got[1]["gomaxprocs"])
			require.EqualValues(t, 4, got[1]["cpus"])
			require.EqualValues(t, 1.5, got[1]["cgroup_quota"])
		})
	}
}

func TestRaiseDescriptors(t *testing.T) {
	var before, after unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &before))
	lowered := before
	lowered.Cur = before.Max / 2
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &lowered))
	require.NoError(t, RaiseDescriptors())
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &after))
	require.Equal(t, before.Max, after.Cur)
}

func TestVersion(t *testing.T) {
	var out bytes.Buffer
	require.Zero(t, Run(t.Context(), command(nil), []string{"--version"}, &out, &out))
	require.Equal(t, Version("lamp")+"\n", out.String())
	for want, info := range map[string]*debug.BuildInfo{
		"lamp v1.2.3, go1.26": {GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}},
		"lamp v1.2.3, revision 0a1b, go1.26": {
			GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0a1b"}},
		},
	} {
		require.Equal(t, want, version("lamp", info, true))
	}
	require.Equal(t, "lamp, built without module information", version("lamp", nil, false))
}
