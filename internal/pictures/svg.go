package pictures

import (
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/recorder"
)

// pen is the state of a canvas.
type pen struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
}

// encoder writes what was drawn on a canvas of that height as SVG: the origin of a canvas is at its lower left, y goes up.
type encoder struct {
	height vg.Length
	pen    pen
	stack  []pen
	out    strings.Builder
	// head and data are of a path that is not written yet: lines of one style that follow each other are one path.
	head string
	data strings.Builder
}

// encode returns the SVG elements of what was drawn. The error names what it has no words for.
func encode(actions []recorder.Action, height vg.Length) (string, error) {
	e := encoder{height: height}
	for _, a := range actions {
		if err := e.add(a); err != nil {
			return "", err
		}
	}
	e.flush()
	return e.out.String(), nil
}

func (e *encoder) add(action recorder.Action) error {
	switch a := action.(type) {
	case *recorder.SetColor:
		e.pen.color = a.Color
	case *recorder.SetLineWidth:
		e.pen.width = a.Width
	case *recorder.SetLineDash:
		e.pen.dashes = a.Dashes
	case *recorder.Push:
		e.stack = append(e.stack, e.pen)
	case *recorder.Pop:
		e.pen, e.stack = e.stack[len(e.stack)-1], e.stack[:len(e.stack)-1]
	case *recorder.Stroke:
		return e.stroke(a.Path)
	case *recorder.Fill:
		return e.fill(a.Path)
	case *recorder.FillString:
		return e.text(a)
	default:
		return fmt.Errorf("draw a picture: %s is not supported", action.Call())
	}
	return nil
}

// flush ends the path that is being written.
func (e *encoder) flush() {
	if e.head != "" {
		fmt.Fprintf(&e.out, "<path %s d=\"%s\"/>\n", e.head, e.data.String())
	}
	e.head = ""
	e.data.Reset()
}

func (e *encoder) stroke(path vg.Path) error {
	if e.pen.width <= 0 {
		return nil
	}
	name, opacity, err := e.color("stroke")
	if err != nil {
		return err
	}
	head := fmt.Sprintf(`class="line s-%s"%s stroke-width="%s"`, name, opacity, number(e.pen.width))
	if len(e.pen.dashes) > 0 {
		var dashes []string
		for _, d := range e.pen.dashes {
			dashes = append(dashes, number(d))
		}
		head += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	return e.path(head, path)
}

func (e *encoder) fill(path vg.Path) error {
	name, opacity, err := e.color("fill")
	if err != nil {
		return err
	}
	return e.path(fmt.Sprintf(`class="f-%s"%s`, name, opacity), path)
}

// path appends a path to the one being written when both look alike, and else begins another.
func (e *encoder) path(head string, path vg.Path) error {
	if head != e.head {
		e.flush()
		e.head = head
	}
	for i, c := range path {
		switch c.Type {
		case vg.MoveComp:
			if i+1 < len(path) && path[i+1].Type == vg.ArcComp {
				continue // a circle begins where it says itself
			}
			e.data.WriteString("M" + e.at(c.Pos))
		case vg.LineComp:
			e.data.WriteString("L" + e.at(c.Pos))
		case vg.CloseComp:
			e.data.WriteString("Z")
		case vg.ArcComp:
			if math.Abs(c.Angle) < 2*math.Pi {
				return fmt.Errorf("draw a picture: an arc of %v is not supported", c.Angle)
			}
			r, left := number(c.Radius), vg.Point{X: c.Pos.X - c.Radius, Y: c.Pos.Y}
			d := number(2 * c.Radius)
			fmt.Fprintf(&e.data, "M%sa%s %s 0 1 0 %s 0a%s %s 0 1 0 -%s 0", e.at(left), r, r, d, r, r, d)
		default:
			return fmt.Errorf("draw a picture: a path of %v is not supported", c.Type)
		}
	}
	return nil
}

func (e *encoder) text(a *recorder.FillString) error {
	e.flush()
	name, opacity, err := e.color("fill")
	if err != nil {
		return err
	}
	attributes := opacity
	if a.Font.Weight > font.WeightNormal {
		attributes += ` font-weight="600"`
	}
	if a.Font.Variant != "start" {
		attributes += fmt.Sprintf(` text-anchor="%s"`, a.Font.Variant)
	}
	fmt.Fprintf(&e.out, "<text class=\"f-%s\"%s x=\"%s\" y=\"%s\">%s</text>\n", name, attributes, number(a.Point.X),
		number(e.height-a.Point.Y), html.EscapeString(a.String))
	return nil
}

// color returns the name of the pen's ink, and the attribute of its opacity, "" for all of it.
func (e *encoder) color(kind string) (name, opacity string, err error) {
	switch c := e.pen.color.(type) {
	case ink:
		return looks[c].name, "", nil
	case faint:
		return looks[c.ink].name, fmt.Sprintf(` %s-opacity="%s"`, kind, strconv.FormatFloat(c.opacity, 'g', 2, 64)), nil
	}
	return "", "", fmt.Errorf("draw a picture: %v is no ink", e.pen.color)
}

func (e *encoder) at(p vg.Point) string { return number(p.X) + " " + number(e.height-p.Y) }

// number prints a length in tenths of a pixel.
func number(l vg.Length) string {
	v := math.Round(10*l.Points()) / 10
	return strconv.FormatFloat(v+0, 'f', -1, 64) // + 0: no "-0"
}
