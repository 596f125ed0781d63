package pictures

import (
	"image/color"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// textSize is the size of all text in pixels.
const textSize = vg.Length(11)

// The middle of a box of text is not that of its letters: these put the letters in the middle, of a label and of a tick.
const (
	center     = draw.YCenter + 0.1
	tickCenter = draw.YCenter - 0.1
)

// anchors are what SVG calls the sides of a text.
var anchors = map[text.XAlignment]font.Variant{draw.XLeft: "start", draw.XCenter: "middle", draw.XRight: "end"}

// anchored draws lines of text of which the browser, who knows the width of its letters, places the side that is aligned:
// a picture is right in other fonts than the one that it was laid out with. The anchor goes as the variant of the font.
type anchored struct{ text.Plain }

// Draw implements [text.Handler].
func (h anchored) Draw(c vg.Canvas, words string, s text.Style, at vg.Point) {
	if words == "" {
		return
	}
	face := h.Fonts.Lookup(s.Font, s.Font.Size)
	at.Y += s.Height(words)*vg.Length(s.YAlign) - face.Extents().Ascent + s.Font.Size
	face.Font.Variant = anchors[s.XAlign]
	c.SetColor(s.Color)
	c.FillString(face, at, words)
}

// style is that of text in one ink, placed with that side of it at a point.
func style(c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize}, XAlign: x, YAlign: y,
		Handler: anchored{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}},
	}
}

// strong is the same in bold.
func strong(s text.Style) text.Style {
	s.Font.Weight = xfont.WeightBold
	return s
}
