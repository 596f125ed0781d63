package page

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// browser is a tab of a headless Chromium, and what it did.
type browser struct {
	ctx      context.Context
	mu       sync.Mutex
	messages []string
	requests []string
}

// openBrowser starts a browser until the test ends; on a machine without one the test is skipped, unless it is that of CI.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		require.Empty(t, os.Getenv("CI"), "CI looks at the page: .ci/run installs chromium")
		t.Skip("there is no Chromium on this machine to look at the page with")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.ExecPath(path))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{}
	require.NoError(t, chromedp.Do(ctx, command(network.Enable, network.EnableParams{})))
	require.NoError(t, chromedp.Listen(ctx, b.take))
	b.ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	return b
}

// command is an action that sends one command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// take keeps what the page writes to the console, and what it asks the network for.
func (b *browser) take(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		b.messages = append(b.messages, string(e.Type))
	case *runtime.EventExceptionThrown:
		b.messages = append(b.messages, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.messages = append(b.messages, e.Entry.Text)
	}
}

// show shows a page on a screen of that size.
func (b *browser) show(t *testing.T, url string, width, height int64, scheme string) {
	t.Helper()
	require.NoError(t, chromedp.Do(b.ctx,
		chromedp.EmulateViewport(width, height),
		command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		}),
		chromedp.Navigate(url)))
}

// ask evaluates an expression in a page.
func ask[T any](t *testing.T, b *browser, expression string) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	require.NoError(t, err, expression)
	return v
}

// saved writes a page to a file and returns its address.
func saved(t *testing.T, page string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name)
	require.NoError(t, os.WriteFile(path, []byte(page), 0o600))
	return "file://" + path
}

// TestThePageInABrowser looks at the page as readers do: on a phone and on a wide screen, in light and in dark.
func TestThePageInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser")
	}
	b := openBrowser(t)
	run, grid := readExample(t), pageOfSweep(t, gridOf(t))
	for _, c := range []struct {
		name, page string
		width      int64
		scheme     string
	}{
		{"a run", pageOf(t, run), 360, "light"}, {"a run", pageOf(t, run), 360, "dark"},
		{"a run", pageOf(t, run), 1280, "light"}, {"a run", pageOf(t, run), 1280, "dark"},
		{"an invalid run", pageOf(t, invalid(readExample(t))), 360, "light"},
		{"a sweep", grid, 360, "dark"}, {"a sweep", grid, 1280, "light"},
		{"a story", pageOfStory(t, storyOf(t)), 360, "light"}, {"a story", pageOfStory(t, storyOf(t)), 1280, "dark"},
	} {
		t.Run(fmt.Sprintf("%s, %d px, %s", c.name, c.width, c.scheme), func(t *testing.T) {
			b.show(t, saved(t, c.page), c.width, 800, c.scheme)
			requireShown(t, b, c.scheme)
			requireInside(t, b)
			requireTexts(t, b)
		})
	}
	b.show(t, saved(t, grid), 1280, 800, "light")
	requireTabOrder(t, b)
	b.show(t, saved(t, pageOf(t, run)), 1280, 800, "light")
	requireWords(t, b, run)
	requireTabOrder(t, b)
	require.Empty(t, b.messages, "nothing on the console")
	require.NotEmpty(t, b.requests, "the page itself was seen")
	for _, url := range b.requests {
		require.True(t, strings.HasPrefix(url, "file:///") && strings.HasSuffix(url, "/"+Name) || strings.HasPrefix(url, "data:"), url)
	}
}

// requireShown: there is something on the screen, on paper of the right colour.
func requireShown(t *testing.T, b *browser, scheme string) {
	t.Helper()
	shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	require.NoError(t, err)
	picture, err := png.Decode(bytes.NewReader(shot))
	require.NoError(t, err)
	paper := picture.At(2, 2)
	light, _, _, _ := paper.RGBA()
	require.Equal(t, scheme == "light", light > 0x8000, "the paper")
	inked := inkedShare(picture, paper)
	require.Greater(t, inked, 0.03, "the screen is blank")
	require.Less(t, inked, 0.6, "the screen is full")
}

// inkedShare is the share of pixels that have not the colour of the paper.
func inkedShare(picture image.Image, paper color.Color) float64 {
	n, size := 0, picture.Bounds()
	for y := size.Min.Y; y < size.Max.Y; y++ {
		for x := size.Min.X; x < size.Max.X; x++ {
			if picture.At(x, y) != paper {
				n++
			}
		}
	}
	return float64(n) / float64(size.Dx()*size.Dy())
}

// requireInside: nothing makes the page scroll sideways, and pictures are neither cut nor tiny.
func requireInside(t *testing.T, b *browser) {
	t.Helper()
	require.LessOrEqual(t, ask[int](t, b, `document.documentElement.scrollWidth`), ask[int](t, b, `innerWidth`), "it scrolls sideways")
	require.Equal(t, "", ask[string](t, b, `[...document.querySelectorAll("svg")].filter(s => {
		const r = s.getBoundingClientRect(); return r.width < 300 || r.height < 80 || r.left < 0 || r.right > innerWidth
	}).map(s => s.getAttribute("aria-labelledby")).join()`), "pictures that are cut, or tiny")
	require.Equal(t, "", ask[string](t, b, `[...document.querySelectorAll("svg text")].filter(e => {
		const r = e.getBoundingClientRect(), s = e.ownerSVGElement.getBoundingClientRect();
		return r.left < s.left - 6 || r.right > s.right + 6 || r.top < s.top - 6 || r.bottom > s.bottom + 6
	}).map(e => e.textContent).join()`), "words that leave their picture")
}

// requireWords: every figure of the comparison can be read.
func requireWords(t *testing.T, b *browser, run *results.Run) {
	t.Helper()
	text := ask[string](t, b, `document.body.innerText`)
	for _, r := range report.PartsOf(run).Rows {
		for _, figure := range []string{r.Label, r.ThreadPool, r.EventLoop, r.Ratio, r.Interval, r.Verdict} {
			require.Contains(t, text, figure)
		}
	}
}

// requireTexts: there are pictures, and every one has a text in its place.
func requireTexts(t *testing.T, b *browser) {
	t.Helper()
	require.GreaterOrEqual(t, ask[int](t, b, `document.querySelectorAll("svg").length`), 4)
	require.Equal(t, 0, ask[int](t, b, `document.querySelectorAll("img:not([alt])").length`))
	require.Equal(t, "", ask[string](t, b, `[...document.querySelectorAll("svg")].filter(s => s.getAttribute("role") != "img" ||
		s.getAttribute("aria-labelledby").split(" ").some(id => document.querySelectorAll("#" + id).length != 1 ||
			!document.getElementById(id).textContent.trim())).map(s => s.outerHTML.slice(0, 200)).join()`), "pictures without a text")
}

// requireTabOrder: the keyboard reaches every link in the order of the page, and they lead somewhere.
func requireTabOrder(t *testing.T, b *browser) {
	t.Helper()
	want := ask[[]string](t, b, `[...document.querySelectorAll("a")].map(a => a.getAttribute("href"))`)
	require.GreaterOrEqual(t, len(want), 4)
	var got []string
	for range want {
		require.NoError(t, chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Tab)))
		got = append(got, ask[string](t, b, `document.activeElement.getAttribute("href") || document.activeElement.tagName`))
	}
	require.Equal(t, want, got)
	require.True(t, ask[bool](t, b, `[...document.querySelectorAll("a")].filter(a => a.getAttribute("href")[0] == "#").every(a =>
		document.querySelector(a.getAttribute("href")))`))
}
