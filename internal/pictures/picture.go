package pictures

import (
	"fmt"
	"html"
	"strings"

	"gonum.org/v1/plot/vg"
)

// Picture is one picture of a run.
type Picture struct {
	// Name is that of its file, without .svg.
	Name string
	// Title says in a few words what it shows, Sees in a sentence what to see, with figures. Text is for who cannot see it:
	// axes, curves and their main figures.
	Title, Sees, Text string

	height   vg.Length
	elements string
}

// Left is a picture that could not be drawn, and why.
type Left struct{ Title, Why string }

// Inline is the picture for a page that has [Style] and [Variables].
func (p Picture) Inline() string {
	return fmt.Sprintf(`<svg class="picture" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" role="img" `+
		`aria-labelledby="%[3]s-title %[3]s-text">`+"\n"+`<title id="%[3]s-title">%[4]s</title>`+"\n"+`<desc id="%[3]s-text">%[5]s</desc>`+"\n",
		number(width), number(p.height), p.Name, html.EscapeString(p.Title), html.EscapeString(p.Text)) + p.elements + "</svg>\n"
}

// above is the room for the title of a picture that stands alone, margin that around it.
const (
	above  = 26
	margin = 8
)

// File is the picture alone: with its style, its title above and its own paper.
func (p Picture) File() string {
	w, h := number(width+2*margin), number(p.height+above+2*margin)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="picture" xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%d %d %[1]s %[2]s" role="img" `+
		`aria-labelledby="title text">`+"\n", w, h, -margin, -margin-above)
	fmt.Fprintf(&b, "<title id=\"title\">%s</title>\n<desc id=\"text\">%s</desc>\n<style>\n%s</style>\n", html.EscapeString(p.Title),
		html.EscapeString(p.Text), alone())
	fmt.Fprintf(&b, "<rect class=\"f-paper\" x=\"%d\" y=\"%d\" width=\"%s\" height=\"%s\"/>\n", -margin, -margin-above, w, h)
	fmt.Fprintf(&b, "<text class=\"f-text\" font-weight=\"600\" x=\"2\" y=\"-12\" style=\"font-size:13px\">%s</text>\n", html.EscapeString(p.Title))
	return b.String() + p.elements + "</svg>\n"
}
