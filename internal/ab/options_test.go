package ab

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// files stands in for the file system.
func files(name string) ([]byte, error) {
	switch name {
	case "body":
		return []byte("name=value"), nil
	case "empty":
		return nil, nil
	case "folder":
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
}

const url = "http://host/path"

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		words string
		check func(t *testing.T, o *Options)
	}{
		"defaults": {"", func(t *testing.T, o *Options) {
			require.Equal(t, []any{1, 1, 30 * time.Second, time.Duration(0), "GET", "text/plain"},
				[]any{o.Requests, o.Concurrency, o.Timeout, o.TimeLimit, o.Method, o.ContentType})
		}},
		"cluster and glued arguments": {"-kn20 -c2 -lrqSdwI", func(t *testing.T, o *Options) {
			require.Equal(t, 20, o.Requests)
			require.Equal(t, 2, o.Concurrency)
			require.True(t, o.KeepAlive && o.VariableLength && o.GoOn && o.Quiet && o.NoConfidence && o.NoPercentiles &&
				o.HTML && o.NoSNI)
		}},
		"argument that looks like an option": {"-s -1 -H -n", func(t *testing.T, o *Options) {
			require.Zero(t, o.Timeout)
			require.Equal(t, []string{"-n"}, o.Headers)
			require.Equal(t, 1, o.Requests)
		}},
		"end of options":         {"-n 3 --", func(t *testing.T, o *Options) { require.Equal(t, 3, o.Requests) }},
		"numbers of C":           {"-n 1e3", func(t *testing.T, o *Options) { require.Equal(t, 1, o.Requests) }},
		"time limit implies n":   {"-n 100 -t 1", func(t *testing.T, o *Options) { require.Equal(t, 50000, o.Requests) }},
		"n after the time limit": {"-t 1 -n 100", func(t *testing.T, o *Options) { require.Equal(t, 100, o.Requests) }},
		"no time limit":          {"-t 0", func(t *testing.T, o *Options) { require.Zero(t, o.TimeLimit) }},
		"time limit below 0":     {"-t -1", func(t *testing.T, o *Options) { require.Negative(t, o.TimeLimit) }},
		"HEAD":                   {"-i", func(t *testing.T, o *Options) { require.Equal(t, "HEAD", o.Method) }},
		"POST":                   {"-p body -T a/b", func(t *testing.T, o *Options) { require.Equal(t, "POST", o.Method); require.True(t, o.SendBody) }},
		"empty PUT":              {"-u empty", func(t *testing.T, o *Options) { require.Equal(t, "PUT", o.Method); require.True(t, o.SendBody) }},
		"own method with a body": {"-p body -m PATCH", func(t *testing.T, o *Options) { require.Equal(t, "PATCH", o.Method); require.True(t, o.SendBody) }},
		"own method after HEAD":  {"-i -m DELETE", func(t *testing.T, o *Options) { require.Equal(t, "DELETE", o.Method) }},
		"table attributes are -w": {"-x border=1", func(t *testing.T, o *Options) {
			require.True(t, o.HTML)
			require.Equal(t, "border=1", o.Attributes.Table)
		}},
		"proxy": {"-X proxy:3128", func(t *testing.T, o *Options) {
			require.Equal(t, "proxy", o.Proxy)
			require.Equal(t, 3128, o.ProxyPort)
		}},
		"proxy without port":       {"-X proxy", func(t *testing.T, o *Options) { require.Zero(t, o.ProxyPort) }},
		"protocol by its prefix":   {"-f tls1.2andmore", func(t *testing.T, o *Options) { require.EqualValues(t, tls.VersionTLS12, o.MaxTLS) }},
		"protocol 1.0":             {"-f TLS1", func(t *testing.T, o *Options) { require.EqualValues(t, tls.VersionTLS10, o.MaxTLS) }},
		"protocol that is unknown": {"-f TLSv1.2", func(t *testing.T, o *Options) { require.Zero(t, o.MaxTLS) }},
		"credentials": {"-A a:b -P c:d", func(t *testing.T, o *Options) {
			require.Equal(t, "Authorization: Basic YTpi\r\nProxy-Authorization: Basic Yzpk\r\n", o.authorization)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := Parse("ab", append(strings.Fields(c.words), url), files)
			require.NoError(t, err)
			c.check(t, o)
		})
	}
}

func TestParseErrors(t *testing.T) {
	full := func(first string) string {
		return first + "Usage: ./ab [options] [http[s]://]hostname[:port]/path\n" + options
	}
	const wrong = "./ab: wrong number of arguments\n"
	for name, c := range map[string]struct {
		words, stderr string
		code          int
	}{
		"nothing":                {"", full(wrong), 22},
		"options behind the URL": {url + " -n 3", full(wrong), 22},
		"two URLs":               {url + " " + url, full(wrong), 22},
		"lone dash":              {"- " + url, full(wrong), 22},
		"unknown letter":         {"-J " + url, full("ab: illegal option -- J\n"), 22},
		"unknown letter first":   {"-J -n 2 " + url, full("ab: illegal option -- J\n" + wrong), 22},
		"long option":            {"--bogus " + url, full("ab: illegal option -- -\n" + wrong), 22},
		"argument missing":       {"-n", full("ab: option requires an argument -- n\n" + wrong), 22},
		"help":                   {"-h", full(""), 22},
		"requests":               {"-n 0 " + url, "Invalid number of requests\n\n", 1},
		"the first error wins":   {"-n x -J", "Invalid number of requests\n\n", 1},
		"mixed HEAD":             {"-p body -i " + url, "Cannot mix HEAD with other methods\n\n", 1},
		"mixed POST":             {"-m X -p body " + url, "Cannot mix POST with other methods\n\n", 1},
		"mixed PUT":              {"-u body -u body " + url, "Cannot mix PUT with other methods\n\n", 1},
		"no file":                {"-p none " + url, "ab: Could not open POST data file (none): No such file or directory\n", 1},
		"a folder":               {"-u folder " + url, "ab: Could not read POST data file: Is a directory\n", 1},
		"credentials":            {"-A " + strings.Repeat("x", 766) + " " + url, "Authentication credentials too long\n\n", 1},
		"proxy credentials":      {"-P " + strings.Repeat("x", 766) + " " + url, "Proxy credentials too long\n\n", 1},
		"URL":                    {"-n 3 http://host", full("./ab: invalid URL\n"), 22},
		"URL before concurrency": {"-c -1 http://host", full("./ab: invalid URL\n"), 22},
		"concurrency below 0":    {"-c -1 " + url, full("./ab: Invalid Concurrency [Range 0..200000]\n"), 22},
		"concurrency 0":          {"-c none " + url, full("./ab: Invalid Concurrency [Range 1..200000]\n"), 22},
		"concurrency too high":   {"-n 300000 -c 200001 " + url, full("./ab: Invalid Concurrency [Range 0..200000]\n"), 22},
		"concurrency above n": {"-n 5 -c 10 " + url,
			full("./ab: Cannot use concurrency level greater than total number of requests\n"), 22},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("./ab", strings.Fields(c.words), files)
			var exit *Exit
			require.ErrorAs(t, err, &exit)
			require.Equal(t, c.stderr, exit.Stderr)
			require.Equal(t, c.code, exit.Code)
			require.Empty(t, exit.Stdout)
		})
	}
}

func TestVersion(t *testing.T) {
	for words, want := range map[string]string{"-V": banner(false), "-w -V": banner(true), "-V -n 0": banner(false)} {
		_, err := Parse("ab", strings.Fields(words), files)
		require.Equal(t, &Exit{Stdout: want}, err)
	}
}

func TestAtoi(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "x": 0, "12": 12, "\n7": 7, "+3": 3, "-4x": -4, "2.9": 2, "1e3": 1, "--1": 0,
		"99999999999999999999": 1<<31 - 1, "-99999999999999999999": -1<<31 + 1,
	} {
		require.Equal(t, want, atoi(s), "%q", s)
	}
}

// Whatever the words, they are read to an end, and an error says something and has a code of ab's.
func FuzzParse(f *testing.F) {
	for _, words := range []string{"-n 5 -c 2 http://h/", "-kq\n-p body\nh/", "--x", "-\n", "-H\n", "-A\n:\nhttps://[::1]:8/"} {
		f.Add(words)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		o, err := Parse("ab", words, files)
		if err == nil {
			require.Positive(t, o.Requests)
			require.Positive(t, o.Concurrency)
			require.LessOrEqual(t, o.Concurrency, o.Requests)
			require.True(t, strings.HasSuffix(o.head(), "\r\n\r\n"))
			return
		}
		var exit *Exit
		require.True(t, errors.As(err, &exit))
		require.Contains(t, []int{0, 1, 22}, exit.Code)
		require.NotEmpty(t, exit.Stdout+exit.Stderr)
	})
}
