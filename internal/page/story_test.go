package page

import (
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// storyOf is an experiment of two steps: one that compared, with the example's run, and one that did not.
func storyOf(t *testing.T) Story {
	t.Helper()
	return Story{
		ID: "now-preset", Name: "pool-starved", Subject: "100 clients, 20 workers", Question: "Which one wins, & by how much?", Verdict: "failed, 1 of 2 as expected",
		Expected: []Expectation{
			{Says: "the pool serves N/S", Found: "99.1", Wanted: "99.9 ± 10 %", Off: "-0.8 %", Passed: true}, {Says: "the loop is slow", Found: "no", Wanted: "yes"},
		},
		Law: "X <= N/S", Theory: "A worker that waits is taken.", Lesson: "It wastes time.", Next: "loadrunner compare --workers 100",
		Steps: []StoryStep{
			{Name: "starved", Command: "loadrunner compare -c 100", Folder: "now-starved", Run: readExample(t), Open: openExample},
			{Name: "alone", Command: "loadrunner run URL"},
		},
	}
}

func pageOfStory(t *testing.T, s Story) string {
	t.Helper()
	files, err := StoryFiles(s)
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Equal(t, Name, files[0].Name)
	return string(files[0].Body)
}

func TestThePageOfAStoryHasItAll(t *testing.T) {
	s := storyOf(t)
	text := pageOfStory(t, s)
	last := 0
	for _, part := range []string{
		s.Question, s.Subject, s.Verdict, "passed: ", s.Expected[0].Says, "99.9 ± 10 %", "99.1", "-0.8 %", "FAILED", s.Expected[1].Says, s.Lesson, s.Law,
		s.Theory, "workers", `<figure id="step-1-ratios">`, "starved", `href="now-starved/report.html"`, `<figure id="step-1-stages">`, "alone",
	} {
		at := strings.Index(text[last:], html.EscapeString(part))
		if strings.HasPrefix(part, "<") || strings.HasPrefix(part, "href") {
			at = strings.Index(text[last:], part)
		}
		require.GreaterOrEqual(t, at, 0, "%s, in its place", part)
		last += at
	}
	require.NotContains(t, text, "INVALID")
	require.Less(t, len(text), 100_000)
	s.Unsound = []string{"no_other_load: busy"}
	text = pageOfStory(t, s)
	require.Less(t, strings.Index(text, "INVALID"), strings.Index(text, "<h1>"), "it stands above everything else")
}

func TestWhatComesFromAStoryIsEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	s := storyOf(t)
	s.ID, s.Name, s.Subject, s.Question, s.Verdict, s.Law, s.Theory, s.Lesson, s.Next = evil, evil, evil, evil, evil, evil, evil, evil, evil
	s.Expected[0] = Expectation{evil, evil, evil, evil, true}
	s.Steps[0].Name, s.Steps[0].Command, s.Steps[0].Folder = evil, evil, evil
	require.NotContains(t, pageOfStory(t, s), "<script")
}
