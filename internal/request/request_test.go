package request

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

func TestParseTargets(t *testing.T) {
	got, err := ParseTargets("# weights\n\n 3 GET /items/{{rand 1 9}}?x=1\nPOST /orders @order.json\r\n\t2 DELETE\t/a @with blank.txt")
	require.NoError(t, err)
	require.Equal(t, []Target{
		{3, "GET", "/items/{{rand 1 9}}?x=1", ""}, {1, "POST", "/orders", "order.json"}, {2, "DELETE", "/a", "with blank.txt"},
	}, got)
	for text, says := range map[string]string{
		"":                         "no line",
		"# only this":              "no line",
		"0 GET /":                  "weight 0",
		"1001 GET /":               "weight 1001",
		"GET":                      `path ""`,
		"GET x":                    "begin with /",
		"GET http://x/":            "begin with /",
		"G(T /":                    "no token",
		"GET / body":               "want @",
		"GET / @":                  "want @",
		"GET /{{n":                 "without }}",
		"GET /{{m}}":               "want n, rand",
		"GET /{{rand 2 1}}":        "HIGH",
		"GET /{{rand x 1}}":        "LOW",
		"GET /{{hex 65}}":          "1 to 64",
		"GET /\n\nGET nothing":     "line 3",
		"GET /\x01":                "control byte",
		"GET /{{pick}}":            "want n, rand",
		"GET /{{}}":                "want n, rand",
		"GET /{{n 1}}/{{n}} extra": "want n, rand",
	} {
		_, err := ParseTargets(text)
		require.ErrorContains(t, err, says, text)
	}
}

// requests reads what a source makes, as a server would.
func requests(t *testing.T, s load.Source, count int) (all []*http.Request, bodies []string) {
	t.Helper()
	var b []byte
	for i := range count {
		b = s.Append(b, i)
	}
	in := bufio.NewReader(bytes.NewReader(b))
	for range count {
		r, err := http.ReadRequest(in)
		require.NoError(t, err)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		all, bodies = append(all, r), append(bodies, string(body))
	}
	_, err := in.ReadByte()
	require.ErrorIs(t, err, io.EOF, "bytes behind the last request")
	return all, bodies
}

func TestBuildOne(t *testing.T) {
	s, err := Build(Spec{Host: "h:1", Targets: []Target{{1, "POST", "/x?y", "b"}}, Bodies: map[string][]byte{"b": []byte("hello")},
		Headers: []string{"X-A: 1 2", "Content-Type:text/plain"}, Close: true})
	require.NoError(t, err)
	require.IsType(t, load.Fixed{}, s)
	all, bodies := requests(t, s, 2)
	require.Equal(t, "h:1", all[1].Host)
	require.Equal(t, "/x?y", all[1].RequestURI)
	require.Equal(t, "1 2", all[1].Header.Get("X-A"))
	require.True(t, all[1].Close)
	require.Equal(t, "hello", bodies[1])

	s, err = Build(Spec{Host: "h:1", Targets: []Target{{1, "GET", "/", ""}}, Headers: []string{"host: other"}})
	require.NoError(t, err)
	all, _ = requests(t, s, 1)
	require.Equal(t, "other", all[0].Host)
	require.NotContains(t, string(s.Append(nil, 0)), "Content-Length")
}

func TestBuildWeights(t *testing.T) {
	s, err := Build(Spec{Targets: []Target{{5, "GET", "/a", ""}, {1, "GET", "/b", ""}, {1, "GET", "/c", ""}}})
	require.NoError(t, err)
	all, _ := requests(t, s, 7)
	var paths []string
	for _, r := range all {
		paths = append(paths, r.URL.Path)
	}
	require.Equal(t, "/a /a /b /a /c /a /a", strings.Join(paths, " "))
}

func TestBuildVariants(t *testing.T) {
	spec := Spec{Host: "h", Targets: []Target{{2, "PUT", "/{{n}}/{{hex 8}}/{{pick x y z}}", "b"}, {1, "GET", "/fixed", ""}},
		Bodies: map[string][]byte{"b": []byte(`{"q": {{rand -5 5}}}`)}, Headers: []string{"X: {{rand 0 1000000}}"}, Variants: 100, Seed: 1}
	s, err := Build(spec)
	require.NoError(t, err)
	require.Len(t, s, 102, "whole rounds of the weights")
	all, bodies := requests(t, s, 102)
	require.Regexp(t, regexp.MustCompile(`^/0/[0-9a-f]{8}/[xyz]$`), all[0].URL.Path)
	require.Regexp(t, `^/101/`, all[101].URL.Path+all[100].URL.Path+"|"+all[101].RequestURI)
	require.Regexp(t, `^\{"q": -?[0-5]\}$`, bodies[0])
	require.NotEqual(t, all[0].Header.Get("X"), all[1].Header.Get("X"))
	again, err := Build(spec)
	require.NoError(t, err)
	require.Equal(t, s, again, "the same seed, the same requests")
	spec.Seed = 2
	other, err := Build(spec)
	require.NoError(t, err)
	require.NotEqual(t, s, other)
}

func TestBuildRefuses(t *testing.T) {
	good := Target{1, "GET", "/", ""}
	for name, c := range map[string]struct {
		spec Spec
		says string
	}{
		"no target":       {Spec{}, "no target"},
		"header":          {Spec{Targets: []Target{good}, Headers: []string{"X"}}, "want Name: value"},
		"header's name":   {Spec{Targets: []Target{good}, Headers: []string{"X Y: 1"}}, "want Name: value"},
		"smuggled line":   {Spec{Targets: []Target{good}, Headers: []string{"X: 1\r\nY: 2"}}, "want Name: value"},
		"length":          {Spec{Targets: []Target{good}, Headers: []string{"content-length: 1"}}, "made from the body"},
		"header template": {Spec{Targets: []Target{good}, Headers: []string{"X: {{y}}"}}, "want n, rand"},
		"too much": {Spec{Targets: []Target{{1, "POST", "/{{n}}", "b"}}, Bodies: map[string][]byte{"b": make([]byte, 3<<20)}, Variants: 100},
			"fewer variants"},
		"weights": {Spec{Targets: slices.Repeat([]Target{{MaxWeight, "GET", "/", ""}}, 3000)}, "smaller weights"},
		"endless": {Spec{Targets: []Target{{1, "POST", "/{{n}}", "b"}}, Bodies: map[string][]byte{"b": make([]byte, 3<<20)}, Variants: 1 << 60},
			"fewer variants"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Build(c.spec)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func FuzzTargets(f *testing.F) {
	for _, seed := range []string{"GET /", "3 POST /{{n}} @f", "GET /{{rand 1 2}}{{pick a b}}", "1 2 3", "{{", "GET /}}{{ @x", "GET /{{hex 3}} @{{n}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		targets, err := ParseTargets(text)
		if err != nil {
			return
		}
		if len(targets) > 20 {
			return
		}
		s, err := Build(Spec{Host: "h", Targets: targets, Variants: 3, Seed: 1})
		require.NoError(t, err)
		// What is accepted is one request each: nothing of a line breaks out of it.
		first := s.Append(nil, 0)
		require.Equal(t, 1, bytes.Count(first, []byte("\r\n\r\n")))
		line, _, _ := bytes.Cut(first, []byte("\r\n"))
		require.Len(t, bytes.Split(line, []byte(" ")), 3)
	})
}

func FuzzTemplate(f *testing.F) {
	for _, seed := range []string{"", "a{{n}}b", "{{rand -2147483648 2147483647}}", "{{hex 64}}", "{{pick {{ }}", "}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseTemplate(text)
		if err == nil && !varies(text) {
			require.Equal(t, text, string(p.append(nil, 0, rand.New(rand.NewPCG(0, 0)))))
		}
	})
}
