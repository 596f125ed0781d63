package crowd

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Spec{
		"slow-send=500,rate=10B/s":             {Kind: load.SlowSend, Count: 500, Rate: 10, Part: Head},
		"slow-send=1":                          {Kind: load.SlowSend, Count: 1, Rate: 10, Part: Head},
		"slow-send=5,part=body,rate=0.5B/s":    {Kind: load.SlowSend, Count: 5, Rate: 0.5, Part: Body},
		"slow-read=200,rate=1KB/s":             {Kind: load.SlowRead, Count: 200, Rate: 1000},
		"slow-read=2,rate=1.5MB/s,path=/a?b=c": {Kind: load.SlowRead, Count: 2, Rate: 1.5e6, Path: "/a?b=c"},
		"half-open=100":                        {Kind: load.HalfOpen, Count: 100, Part: Nothing},
		"half-open=100,part=head,reopen":       {Kind: load.HalfOpen, Count: 100, Part: Head, Reopen: true},
		"idle=10000":                           {Kind: load.IdleKept, Count: 10000},
		"idle=10,at=1s,within=2s":              {Kind: load.IdleKept, Count: 10, Timed: true, At: time.Second, Within: 2 * time.Second},
		"storm=5000 , within=100ms , at=2s":    {Kind: load.Storm, Count: 5000, Timed: true, At: 2 * time.Second, Within: 100 * time.Millisecond},
		"storm=3":                              {Kind: load.Storm, Count: 3, Timed: true, Within: stormWithin},
		"storm=3,within=0s":                    {Kind: load.Storm, Count: 3, Timed: true},
	} {
		got, err := Parse(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		again, err := Parse(got.String())
		require.NoError(t, err, got.String())
		require.Equal(t, got, again, "a crowd is read as it is written")
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "want one of slow-send, slow-read, half-open, idle, storm",
		"slowloris=5":              `no crowd "slowloris"`,
		"storm":                    "want a whole number of 1 to 1000000",
		"storm=0":                  "want a whole number",
		"storm=1e3":                "want a whole number",
		"storm=2000000":            "1000000",
		"storm=5,":                 `option ""`,
		"storm=5,rate=1KB/s":       `option "rate": storm has none`,
		"idle=5,part=head":         `option "part": idle has none`,
		"slow-send=5,rate=10":      "such as 10B/s",
		"slow-send=5,rate=0B/s":    "want a rate above 0",
		"slow-send=5,rate=NaNB/s":  "want a rate above 0",
		"slow-send=5,rate=9e9MB/s": "want a rate above 0",
		"slow-send=5,part=nothing": "want head or body",
		"half-open=5,part=foot":    "want head or body",
		"storm=5,at=2":             "2ms or 2s",
		"storm=5,at=-2s":           "want 0s to",
		"storm=5,at=2s,at=3s":      "given twice",
		"idle=5,within=1s":         "within needs at",
		"idle=5,path=x":            "want a path",
		"idle=5,path=/x y":         "want a path",
		"idle=5,reopen=yes":        "want KIND=CLIENTS",
		"idle=5,at":                "want KIND=CLIENTS",
		"idle=5,color=red":         "no such option",
	} {
		_, err := Parse(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "\n")
	}
}

func TestParseAll(t *testing.T) {
	all, err := ParseAll([]string{"idle=5;storm=3", "half-open=1"})
	require.NoError(t, err)
	require.Len(t, all, 3)
	_, err = ParseAll([]string{"idle=x", "storm=y"})
	require.ErrorContains(t, err, `"x"`)
	require.ErrorContains(t, err, `"y"`)
	_, err = ParseAll([]string{"idle=600000", "storm=600000"})
	require.ErrorContains(t, err, "1200000 clients in all crowds")
	all, err = ParseAll(nil)
	require.NoError(t, err)
	require.Empty(t, all)
}

// TestRequests: what a crowd would send in the end is a request, and it stops where it should.
func TestRequests(t *testing.T) {
	target := Target{Host: "h:1", Path: "/small", Large: "/large"}
	for text, want := range map[string]struct {
		method, path string
		body, sent   int
		closes       bool
	}{
		"storm=1":               {"GET", "/small", 0, 0, true},
		"storm=1,path=/x?y=1":   {"GET", "/x?y=1", 0, 0, true},
		"idle=1":                {"GET", "/small", 0, 0, false},
		"slow-read=1":           {"GET", "/large", 0, 0, true},
		"slow-send=1":           {"GET", "/small", 0, 0, false},
		"slow-send=1,part=body": {"POST", "/small", bodySize, -1, false},
		"half-open=1":           {"GET", "/small", 0, 0, true},
		"half-open=1,part=head": {"GET", "/small", 0, 1, true},
		"half-open=1,part=body": {"POST", "/small", bodySize, -2, false},
	} {
		t.Run(text, func(t *testing.T) {
			s, err := Parse(text)
			require.NoError(t, err)
			c := s.Crowd(target)
			r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(c.Request)))
			require.NoError(t, err)
			require.Equal(t, want.method, r.Method)
			require.Equal(t, want.path, r.RequestURI)
			require.Equal(t, "h:1", r.Host)
			require.Equal(t, want.closes, r.Close)
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Len(t, body, want.body)
			head := bytes.Index(c.Request, []byte("\r\n\r\n")) + 4
			switch want.sent {
			case 1:
				require.Positive(t, c.Sent)
				require.Less(t, c.Sent, head)
			case -1:
				require.Equal(t, head, c.Sent, "the head goes at once")
			case -2:
				require.Greater(t, c.Sent, head)
				require.Less(t, c.Sent, len(c.Request))
			default:
				require.Zero(t, c.Sent)
			}
			if s.Kind == load.SlowSend && s.Part == Head {
				require.Len(t, c.Request, headSize)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"slow-send=500,rate=10B/s", "storm=5000,within=100ms,at=2s", "half-open=1,part=body,reopen", "idle=1,path=/a", "", "=,="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error of several lines: %s", err)
			}
			return
		}
		again, err := Parse(s.String())
		if err != nil || again != s {
			t.Fatalf("%+v is written %q and read %+v: %v", s, s, again, err)
		}
		c := s.Crowd(Target{Host: "h", Path: "/", Large: "/"})
		c.Count = 1
		if _, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(c.Request))); err != nil {
			t.Fatalf("%q sends no request: %v", s, err)
		}
	})
}
