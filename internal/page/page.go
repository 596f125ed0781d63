// Package page makes report.html of a run: one file that needs no network and no script, to be read on a phone, on a wide
// screen, in light and in dark. Its words are those of internal/report, its pictures those of internal/pictures; it is a
// function of the files of a results folder alone.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"poolvsloop/internal/pictures"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// Name is that of the page in a results folder.
const Name = "report.html"

var (
	//go:embed *.html
	layouts embed.FS
	//go:embed page.css
	style string
)

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"title": report.ServerTitle,
	"runs":  runs,
	"words": strings.Fields,
}).ParseFS(layouts, "*.html"))

// frame is what every page has.
type frame struct {
	Title string
	Style template.CSS
	Argv  string
	// Nav are the parts of the page by their ids.
	Nav []report.Named
	// Marks are the classes of the servers by their names.
	Marks map[string]string
	// First is the picture beside the answer, Pictures are the others.
	First    []figure
	Pictures []figure
	Left     []pictures.Left
}

func newFrame(id string, argv, servers []string, all []pictures.Picture, left []pictures.Left) frame {
	f := frame{
		Title: id, Argv: strings.Join(argv, " "), Left: left, Marks: map[string]string{},
		Style: template.CSS(":root{" + pictures.Variables(false) + "}\n@media (prefers-color-scheme:dark){:root{" +
			pictures.Variables(true) + "}}\n" + pictures.Style() + style), // own text, no one else's
	}
	for i, name := range servers {
		f.Marks[name] = []string{"first", "second"}[i]
	}
	for _, p := range all {
		f.Pictures = append(f.Pictures, drawnFigure(p))
	}
	return f
}

// lead moves the first picture beside the answer.
func (f *frame) lead() { f.First, f.Pictures = f.Pictures[:1], f.Pictures[1:] }

// content is what the page of a run shows.
type content struct {
	frame
	Run *results.Run
	report.Answer
	report.Parts
	Failed  []report.Check
	Modules []report.Named
}

// figure is a picture and its words.
type figure struct {
	pictures.Picture
	SVG template.HTML
}

func drawnFigure(p pictures.Picture) figure {
	return figure{p, template.HTML(p.Inline())} // what comes from files is escaped there
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
	return together(body, all), nil
}

// together are the files of a page and its pictures.
func together(body []byte, all []pictures.Picture) []results.File {
	files := []results.File{{Name: Name, Body: body}}
	for _, p := range all {
		files = append(files, results.File{Name: p.Name + ".svg", Body: []byte(p.File())})
	}
	return files
}

// render fills in the page of a run.
func render(run *results.Run, all []pictures.Picture, left []pictures.Left) ([]byte, error) {
	servers := []string{run.Targets[0].Name, run.Targets[1].Name}
	c := content{
		frame: newFrame(run.ID, run.Argv, servers, all, left), Run: run, Answer: report.AnswerOf(run), Parts: report.PartsOf(run),
		Modules: modules(run),
	}
	c.Nav = []report.Named{{Name: "pictures", Text: "Pictures"}, {Name: "figures", Text: "Figures"}, {Name: "checks", Text: "Checks"}, {Name: "run", Text: "The run"}}
	if len(all) > 0 && all[0].Name == pictures.Ratios {
		c.lead()
	}
	for _, check := range c.Checks {
		if check.Status != results.Passed {
			c.Failed = append(c.Failed, check)
		}
	}
	return fill("page.html", c)
}

func fill(layout string, content any) ([]byte, error) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, layout, content); err != nil {
		return nil, fmt.Errorf("write %s: %w", Name, err)
	}
	return b.Bytes(), nil
}
