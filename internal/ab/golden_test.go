package ab

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/deadport"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write what differs from the golden samples into testdata/golden")

// inexact samples have counts that depend on time or on who wins a race: their digits are not compared.
var inexact = []string{"12-reset", "15-timeout-partial", "16-timed-t", "17-timed-t-keepalive", "41-sigint",
	"61-upload-early-close-loop"}

// racing samples have a server that ends kept connections unannounced: whether the next request is already on its way,
// and what the kernel makes of it, changes from run to run, and with it the lines about failures.
var racing = []string{"53-keepalive-server-closes", "62-write-errors"}

// interrupted samples are those of SIGINT.
var interrupted = []string{"41-sigint", "43-sigint-none-done"}

// TestGolden replays the command lines of the samples. What we print must be what ab printed, times aside, but for the
// lines in the sample's file "differs"; and every sample that has one must be named in docs/ab.md.
func TestGolden(t *testing.T) {
	folders, err := filepath.Glob("testdata/golden/*")
	require.NoError(t, err)
	require.Greater(t, len(folders), 50)
	manual, err := os.ReadFile("../../docs/ab.md")
	require.NoError(t, err)
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			name := filepath.Base(folder)
			got, first := replay(t, name, golden(t, name, "cmd"))
			want := outcome{golden(t, name, "stdout"), golden(t, name, "stderr"), strings.TrimSpace(golden(t, name, "exitcode"))}
			rule := exact
			switch {
			case slices.Contains(racing, name):
				rule = withoutFailures
			case slices.Contains(inexact, name):
				rule = withoutNumbers
			}
			difference := diff(want.lines(rule), got.lines(rule))
			if *update {
				writeDifference(t, filepath.Join(folder, "differs"), difference)
			}
			require.Equal(t, golden(t, name, "differs"), difference)
			if difference != "" {
				require.Contains(t, string(manual), name, "docs/ab.md does not explain the difference")
			}
			if request := golden(t, name, "request.first"); request != "" {
				require.Equal(t, request, first)
			}
		})
	}
}

// golden reads a file of a sample, empty when it has none.
func golden(t *testing.T, name, file string) string {
	text, err := os.ReadFile(filepath.Join("testdata/golden", name, file))
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	return string(text)
}

func writeDifference(t *testing.T, file, text string) {
	if text == "" {
		_ = os.Remove(file)
		return
	}
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// outcome is what a program left behind.
type outcome struct{ stdout, stderr, code string }

// replay runs a sample's command line against a server of its own.
func replay(t *testing.T, name, line string) (got outcome, firstRequest string) {
	s := newServer(t)
	there, back := s.ports(t)
	words := place(t, strings.Fields(strings.ReplaceAll(there.Replace(line), "'", ""))[1:])
	ctx := t.Context()
	if slices.Contains(interrupted, name) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 500*time.Millisecond)
		defer cancel()
	}
	got = run(ctx, "ab", words)
	got.stdout = back.Replace(got.stdout)
	return got, back.Replace(s.firstRequest())
}

// ports replaces the ports of the samples by those of the server, and back.
func (s *server) ports(t *testing.T) (there, back *strings.Replacer) {
	pairs := []string{"18080", strconv.Itoa(s.plain), "18082", strconv.Itoa(s.impatient), "18443", strconv.Itoa(s.secure),
		"18090", strconv.Itoa(s.nginx), "18099", strconv.Itoa(int(deadport.Addr(t).Port()))}
	there = strings.NewReplacer(pairs...)
	slices.Reverse(pairs)
	return there, strings.NewReplacer(pairs...)
}

// run runs our ab, called by that name.
func run(ctx context.Context, name string, words []string) outcome {
	var stdout, stderr bytes.Buffer
	code := Run(ctx, name, words, &stdout, &stderr)
	return outcome{stdout.String(), stderr.String(), strconv.Itoa(code)}
}

// runReal runs the real ab.
func runReal(t *testing.T, ab string, words []string) outcome {
	cmd := exec.CommandContext(t.Context(), ab, words...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &stdout, &stderr, append(os.Environ(), "LC_ALL=C")
	_ = cmd.Run()
	return outcome{stdout.String(), stderr.String(), strconv.Itoa(cmd.ProcessState.ExitCode())}
}

// place puts the files that a command line names into a folder of the test.
func place(t *testing.T, words []string) []string {
	dir := t.TempDir()
	for i, word := range words {
		file := filepath.Join(dir, word)
		switch word {
		case "post.txt":
			require.NoError(t, os.WriteFile(file, []byte("name=value&x=1"), 0o600))
		case "big.bin":
			require.NoError(t, os.WriteFile(file, make([]byte, 8<<20), 0o600))
		case "e.csv", "g.tsv":
		default:
			continue
		}
		words[i] = file
	}
	return words
}

var (
	rowOfTimes  = regexp.MustCompile(`^(Connect|Processing|Waiting|Total):( +[\d.]+){3,5}$`)
	shareServed = regexp.MustCompile(`^( +\d+%) +\d+`)
	rate        = regexp.MustCompile(`^((?:Time taken for tests|Requests per second|Time per request|Transfer rate|):? +)[\d.]+ `)
	htmlTime    = regexp.MustCompile(`>( *\d+|\d+\.\d\d+( seconds| kb/s \w+)?)</td>`)
	htmlNumbers = regexp.MustCompile(`<th \w+=?\w*>(Connect|Processing|Total):|Time taken|per second|kb/s`)
	remark      = regexp.MustCompile(`^(WARNING: The median|ERROR: The median|        These results are|       deviation apart)`)
	tlsCause    = regexp.MustCompile(`^([0-9A-F]{12,}:error:|TLS handshake: )`)
	revision    = regexp.MustCompile(`\$Revision: \d+ \$`) // in builds from Subversion
	digits      = regexp.MustCompile(`\d+`)
)

// rule says what of two outputs is compared beyond the figures of time, which never are.
type rule int

const (
	exact rule = iota
	withoutNumbers
	// withoutFailures also leaves out the lines that there may or may not be about failed requests.
	withoutFailures
)

var aboutFailures = regexp.MustCompile(`^(   \(Connect: |Write errors: )`)

// lines are the lines of both streams and the exit code, without what depends on time: figures of time and ab's remarks
// on their spread.
func (o outcome) lines(r rule) (all []string) {
	if r == withoutFailures {
		o.stdout = strings.ReplaceAll(o.stdout, "Send request failed!\n", "")
	}
	for _, stream := range []struct{ name, text string }{{"out", o.stdout}, {"err", o.stderr}} {
		for line := range strings.Lines(stream.text) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case remark.MatchString(line):
				continue
			case tlsCause.MatchString(line):
				line = "(what the TLS library says)"
			case htmlNumbers.MatchString(line):
				line = htmlTime.ReplaceAllString(line, ">#</td>")
			}
			line = revision.ReplaceAllString(line, "$$Revision$$")
			line = rowOfTimes.ReplaceAllString(line, "$1: #")
			line = shareServed.ReplaceAllString(line, "$1 #")
			line = rate.ReplaceAllString(line, "$1# ")
			if r != exact && strings.HasPrefix(line, "Completed ") || r == withoutFailures && aboutFailures.MatchString(line) {
				continue
			}
			if r != exact {
				line = digits.ReplaceAllString(line, "#")
			}
			all = append(all, stream.name+" "+line)
		}
	}
	return append(all, "exit "+o.code)
}

// diff lists what was taken from a and what was added to come to b, in order.
func diff(a, b []string) string {
	common := make([][]int, len(a)+1) // length of the longest common part of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out.WriteString("- " + a[i] + "\n")
			i++
		default:
			out.WriteString("+ " + b[j] + "\n")
			j++
		}
	}
	return out.String()
}

// TestBesideAB runs the real ab and ours against the same server: both must print the same, times aside.
func TestBesideAB(t *testing.T) {
	ab, err := exec.LookPath("ab")
	if err != nil {
		t.Skip("ab is not installed")
	}
	for name, line := range map[string]string{
		"plain":              "-n 50 -c 5 http://127.0.0.1:18080/plain",
		"progress":           "-n 1234 -c 4 http://127.0.0.1:18080/plain",
		"keep-alive":         "-k -n 50 -c 5 http://127.0.0.1:18080/plain",
		"keep-alive, mute":   "-k -n 2 http://127.0.0.1:18080/mute/50",
		"POST":               "-n 20 -c 2 -p post.txt -T application/json http://127.0.0.1:18080/echo",
		"POST keep-alive":    "-k -n 20 -c 2 -p post.txt http://127.0.0.1:18080/echo",
		"PUT":                "-n 5 -u post.txt http://127.0.0.1:18080/echo",
		"custom method":      "-n 5 -p post.txt -m PATCH http://127.0.0.1:18080/echo",
		"variable length":    "-l -n 20 http://127.0.0.1:18080/varlen",
		"lengths":            "-n 20 http://127.0.0.1:18080/varlen",
		"HEAD":               "-i -n 20 -c 2 http://127.0.0.1:18080/plain",
		"HEAD keep-alive":    "-i -k -n 20 -c 2 http://127.0.0.1:18080/plain",
		"non-2xx":            "-k -n 10 http://127.0.0.1:18080/everyN/3/503",
		"cut answers":        "-n 9 http://127.0.0.1:18080/short/4",
		"empty answers":      "-n 9 http://127.0.0.1:18080/eof/4",
		"nginx":              "-k -n 10 -c 2 http://127.0.0.1:18090/",
		"HTML":               "-w -x border=1 -y align=left -z nowrap -n 10 http://127.0.0.1:18080/plain",
		"HTML failures":      "-w -n 10 http://127.0.0.1:18080/varlen",
		"no confidence":      "-S -d -q -n 200 http://127.0.0.1:18080/plain",
		"TLS":                "-n 5 -k https://127.0.0.1:18443/plain",
		"TLS 1.2":            "-n 5 -f TLS1.2 https://127.0.0.1:18443/plain",
		"TLS cipher":         "-n 2 -f TLS1.2 -Z ECDHE-RSA-AES256-GCM-SHA384 https://127.0.0.1:18443/plain",
		"TLS name":           "-n 2 -H Host:example.test https://127.0.0.1:18443/plain",
		"TLS without name":   "-n 2 -I -H Host:example.test https://127.0.0.1:18443/plain",
		"refused":            "-n 5 http://127.0.0.1:18099/",
		"credentials":        "-n 1 -v 2 -A user:secret -P proxy:secret http://127.0.0.1:18080/plain",
		"own headers":        "-n 1 -v 2 -H Host:x -H Accept:text/html -H user-agent:me -C a=b http://127.0.0.1:18080/plain",
		"verbose keep-alive": "-n 2 -k -v 3 http://127.0.0.1:18080/plain",
		"window and address": "-n 3 -b 65536 -B 127.0.0.1 http://127.0.0.1:18080/plain",
		"bad address":        "-n 3 -B 192.0.2.1 http://127.0.0.1:18080/plain",
		"proxy":              "-n 3 -X 127.0.0.1:18080 http://example.test/plain",
		"no file":            "-p nothing http://127.0.0.1:18080/plain",
		"gnuplot unwritable": "-n 2 -g /nonexistent/g http://127.0.0.1:18080/plain",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, wantFirst := besides(t, line, func(words []string) outcome { return runReal(t, ab, words) })
			got, gotFirst := besides(t, line, func(words []string) outcome { return run(t.Context(), ab, words) })
			require.Empty(t, diff(want.lines(exact), got.lines(exact)))
			require.Equal(t, wantFirst, gotFirst)
		})
	}
}

// besides runs one of the two against a server of its own.
func besides(t *testing.T, line string, program func(words []string) outcome) (outcome, string) {
	s := newServer(t)
	there, back := s.ports(t)
	o := program(place(t, strings.Fields(there.Replace(line))))
	o.stdout, o.stderr = back.Replace(o.stdout), back.Replace(o.stderr)
	return o, back.Replace(s.firstRequest())
}
