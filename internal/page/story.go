package page

import (
	"fmt"
	"slices"

	"poolvsloop/internal/pictures"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// Story is a named experiment that was run: its question, what theory expects, what came of it, and what is learnt.
type Story struct {
	ID, Name, Subject, Question string
	// Verdict says in words what came out; Unsound why its figures decide nothing, none when they do.
	Verdict                   string
	Unsound                   []string
	Expected                  []Expectation
	Law, Theory, Lesson, Next string
	Steps                     []StoryStep
}

// Expectation is what theory said, and what was found. Off is how far the figure is from theory, "" where that has no meaning.
type Expectation struct {
	Says, Found, Wanted, Off string
	Passed                   bool
}

// StoryStep is a step. Run is what it measured, nil when it was no comparison; then it has neither pictures nor Folder,
// that of its own page as seen from this one.
type StoryStep struct {
	Name, Command, Folder string
	Run                   *results.Run
	Open                  func(name string) ([]byte, error)
}

// storyContent is what the page of a story shows.
type storyContent struct {
	frame
	Story
	Parts []storyPart
}

// storyPart is a step with its answer and its pictures.
type storyPart struct {
	StoryStep
	Answer   *report.Answer
	Pictures []figure
}

// told are the pictures of a step that its story shows; all others are on the step's own page.
var told = []string{pictures.Ratios, "stages", "percentiles", "concurrency"}

// StoryFiles are the page of a story, to be written to its folder.
func StoryFiles(s Story) ([]results.File, error) {
	c := storyContent{Story: s}
	servers := []string{"threadpool", "eventloop"}
	for i, step := range s.Steps {
		part, err := partOf(step, i+1)
		if err != nil {
			return nil, fmt.Errorf("draw step %s: %w", step.Name, err)
		}
		c.Parts = append(c.Parts, part)
	}
	c.frame = newFrame(s.ID, nil, servers, nil, nil)
	for i := range c.Parts {
		if part := &c.Parts[i]; len(part.Pictures) > 0 && len(c.First) == 0 {
			c.First, part.Pictures = part.Pictures[:1], part.Pictures[1:]
		}
	}
	c.Nav = []report.Named{{Name: "expected", Text: "Expected"}, {Name: "lesson", Text: "Lesson"}, {Name: "steps", Text: "Steps"}}
	body, err := fill("story.html", c)
	if err != nil {
		return nil, err
	}
	return []results.File{{Name: Name, Body: body}}, nil
}

// partOf draws a step. Names of pictures begin with its number: they are ids on the page.
func partOf(step StoryStep, number int) (storyPart, error) {
	part := storyPart{StoryStep: step}
	if step.Run == nil {
		return part, nil
	}
	data, err := pictures.Read(step.Run, step.Open)
	if err != nil {
		return part, err
	}
	all, _, err := pictures.All(data)
	for _, p := range all {
		if slices.Contains(told, p.Name) {
			p.Name = fmt.Sprintf("step-%d-%s", number, p.Name)
			part.Pictures = append(part.Pictures, drawnFigure(p))
		}
	}
	answer := report.AnswerOf(step.Run)
	part.Answer = &answer
	return part, err
}
