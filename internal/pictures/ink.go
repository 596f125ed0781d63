package pictures

import (
	"fmt"
	"image/color"
	"strings"
)

// ink is a colour by its role. What it looks like is up to the style sheet, so that a picture has a light and a dark look.
type ink int

const (
	paper ink = iota
	body
	soft // text and lines that stand back
	rule // axes
	grid
	first  // the thread pool
	second // the event loop
	even   // neither of them
	loud   // what is wrong
	inks
)

// looks are the colours of each ink on light and on dark paper. Blue and orange are told apart by colour-blind readers,
// too; each has a contrast of at least 4.5 to its paper.
var looks = [inks]struct {
	name        string
	light, dark color.RGBA
}{
	paper:  {"paper", rgb(0xffffff), rgb(0x16191d)},
	body:   {"text", rgb(0x1f2328), rgb(0xe8e6e1)},
	soft:   {"soft", rgb(0x5b636d), rgb(0xa3abb5)},
	rule:   {"rule", rgb(0xb4bac2), rgb(0x535b65)},
	grid:   {"grid", rgb(0xe9ebee), rgb(0x282d33)},
	first:  {"first", rgb(0x0a66b0), rgb(0x6cb6ff)},
	second: {"second", rgb(0xb54708), rgb(0xf5a25d)},
	even:   {"even", rgb(0x6b737c), rgb(0x98a0aa)},
	loud:   {"loud", rgb(0xa4161a), rgb(0xff8f8f)},
}

func rgb(v uint32) color.RGBA {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}
}

// RGBA implements [color.Color] with the light look.
func (i ink) RGBA() (r, g, b, a uint32) { return looks[i].light.RGBA() }

// faint is an ink of which the paper shows through.
type faint struct {
	ink
	opacity float64
}

// Variables are the custom properties of CSS that [Style] uses, for light paper or for dark.
func Variables(dark bool) string {
	var b strings.Builder
	for i := range inks {
		fmt.Fprintf(&b, "--%s:%s;", looks[i].name, hex(i, dark))
	}
	return b.String()
}

// hex is an ink's colour as CSS has it.
func hex(i ink, dark bool) string {
	c := looks[i].light
	if dark {
		c = looks[i].dark
	}
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// shapes is how text and lines look in any colour.
const shapes = ".picture text{font-family:'Liberation Sans',Arial,Helvetica,sans-serif;font-size:11px;stroke-width:3px;stroke-linejoin:round;" +
	"paint-order:stroke}\n.picture .line{fill:none;stroke-linejoin:round;stroke-linecap:round}\n"

// colours are the rules of every ink. Text has a halo of the paper's colour, so that it can be read across lines.
func colours(of func(ink) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".picture text{stroke:%s}\n", of(paper))
	for i := range inks {
		fmt.Fprintf(&b, ".picture .f-%[1]s{fill:%[2]s}.picture .s-%[1]s{stroke:%[2]s}\n", looks[i].name, of(i))
	}
	return b.String()
}

// Style is the style sheet of pictures on a page that sets [Variables].
func Style() string {
	return shapes + colours(func(i ink) string { return "var(--" + looks[i].name + ")" })
}

// alone is the style sheet of a picture that stands alone; programs that know no style for dark paper show the light one.
func alone() string {
	return shapes + colours(func(i ink) string { return hex(i, false) }) +
		"@media (prefers-color-scheme:dark){\n" + colours(func(i ink) string { return hex(i, true) }) + "}\n"
}
