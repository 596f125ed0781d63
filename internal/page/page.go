// Package page makes report.html of a run: one file that needs no network and no script, to be read on a phone, on a wide
// screen, in light and in dark. Its words are those of internal/report, its pictures those of internal/pictures; it is a
// function of the files of a results folder alone.
package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"poolvsloop/internal/pictures"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// Name is that of the page in a results folder.
const Name = "report.html"

var (
	//go:embed page.html
	layout string
	//go:embed page.css
	style string
)

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"title": report.ServerTitle,
	"runs":  runs,
	"words": strings.Fields,
}).Parse(layout))

// content is what the page shows.
type content struct {
	Run *results.Run
	report.Answer
	report.Parts
	Style template.CSS
	// First is the picture beside the answer, Pictures are the others.
	First    []figure
	Pictures []figure
	Left     []pictures.Left
	Failed   []report.Check
	Argv     string
	Modules  []report.Named
	Marks    map[string]string
}

// figure is a picture and its words.
type figure struct {
	pictures.Picture
	SVG template.HTML
}

// Files are the page and the pictures of a run, to be written to its folder. open returns the content of another file of
// that folder.
func Files(run *results.Run, open func(name string) ([]byte, error)) ([]results.File, error) {
	data, err := pictures.Read(run, open)
	if err != nil {
		return nil, err
	}
	all, left, err := pictures.All(data)
	if err != nil {
		return nil, err
	}
	body, err := render(run, all, left)
	if err != nil {
		return nil, err
	}
	files := []results.File{{Name: Name, Body: body}}
	for _, p := range all {
		files = append(files, results.File{Name: p.Name + ".svg", Body: []byte(p.File())})
	}
	return files, nil
}

// render fills in the page.
func render(run *results.Run, all []pictures.Picture, left []pictures.Left) ([]byte, error) {
	c := content{
		Run: run, Answer: report.AnswerOf(run), Parts: report.PartsOf(run), Left: left, Argv: strings.Join(run.Argv, " "),
		Modules: modules(run), Marks: map[string]string{run.Targets[0].Name: "first", run.Targets[1].Name: "second"},
		Style: template.CSS(":root{" + pictures.Variables(false) + "}\n@media (prefers-color-scheme:dark){:root{" +
			pictures.Variables(true) + "}}\n" + pictures.Style() + style), // own text, no one else's
	}
	for _, p := range all {
		c.Pictures = append(c.Pictures, figure{p, template.HTML(p.Inline())}) // what comes from files is escaped there
	}
	if len(all) > 0 && all[0].Name == pictures.Ratios {
		c.First, c.Pictures = c.Pictures[:1], c.Pictures[1:]
	}
	for _, check := range c.Checks {
		if check.Status != results.Passed {
			c.Failed = append(c.Failed, check)
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, c); err != nil {
		return nil, fmt.Errorf("write %s: %w", Name, err)
	}
	return b.Bytes(), nil
}

// run is a piece of text, as code or not.
type run struct {
	Text string
	Code bool
}

// flag is a flag of the command line with its value, in a sentence.
var flag = regexp.MustCompile(`(^|\s)--?[a-z][a-z-]*([= ][0-9]+)?`)

// runs parts text at its backticks, and at its flags: those are code.
func runs(text string) []run {
	var all []run
	add := func(text string, code bool) {
		if text != "" {
			all = append(all, run{text, code})
		}
	}
	for i, piece := range strings.Split(text, "`") {
		if i%2 == 1 {
			add(piece, true)
			continue
		}
		last := 0
		for _, at := range flag.FindAllStringSubmatchIndex(piece, -1) {
			add(piece[last:at[3]], false)
			add(piece[at[3]:at[1]], true)
			last = at[1]
		}
		add(piece[last:], false)
	}
	return all
}
