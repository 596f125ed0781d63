package request

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// template is a text with places that differ from request to request:
//
//	{{n}}              the number of the variant, from 0
//	{{rand LOW HIGH}}  a whole number from LOW to HIGH, both included
//	{{pick A B …}}     one of the words
//	{{hex N}}          N random hexadecimal digits, 1 to 64
//
// Text without "{{" is as it is.
type template []segment

// segment writes one piece of a template.
type segment func(b []byte, n int, random *rand.Rand) []byte

// parseTemplate reads a template.
func parseTemplate(text string) (template, error) {
	var t template
	for text != "" {
		plain, rest, found := strings.Cut(text, "{{")
		if plain != "" {
			t = append(t, func(b []byte, _ int, _ *rand.Rand) []byte { return append(b, plain...) })
		}
		if !found {
			break
		}
		inside, behind, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("template: {{ without }} behind it")
		}
		s, err := parsePlace(strings.Fields(inside))
		if err != nil {
			return nil, fmt.Errorf("template {{%s}}: %w", inside, err)
		}
		t, text = append(t, s), behind
	}
	return t, nil
}

// parsePlace reads what is between the braces.
func parsePlace(words []string) (segment, error) {
	name := ""
	if len(words) > 0 {
		name = words[0]
	}
	switch args := words[min(1, len(words)):]; {
	case name == "n" && len(args) == 0:
		return func(b []byte, n int, _ *rand.Rand) []byte { return strconv.AppendInt(b, int64(n), 10) }, nil
	case name == "rand" && len(args) == 2:
		return parseRand(args[0], args[1])
	case name == "pick" && len(args) > 0:
		return func(b []byte, _ int, r *rand.Rand) []byte { return append(b, args[r.IntN(len(args))]...) }, nil
	case name == "hex" && len(args) == 1:
		return parseHex(args[0])
	}
	return nil, fmt.Errorf("want n, rand LOW HIGH, pick A B …, or hex N")
}

func parseRand(lowText, highText string) (segment, error) {
	low, err := strconv.ParseInt(lowText, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("LOW %q is no whole number of 32 bits", lowText)
	}
	high, err := strconv.ParseInt(highText, 10, 32)
	if err != nil || high < low {
		return nil, fmt.Errorf("HIGH %q is no whole number of 32 bits from LOW on", highText)
	}
	return func(b []byte, _ int, r *rand.Rand) []byte {
		return strconv.AppendInt(b, low+r.Int64N(high-low+1), 10)
	}, nil
}

func parseHex(text string) (segment, error) {
	digits, err := strconv.Atoi(text)
	if err != nil || digits < 1 || digits > 64 {
		return nil, fmt.Errorf("number of digits %q is not in 1 to 64", text)
	}
	return func(b []byte, _ int, r *rand.Rand) []byte {
		for range digits {
			b = append(b, "0123456789abcdef"[r.IntN(16)])
		}
		return b
	}, nil
}

// varies says whether the template has a place that differs.
func varies(text string) bool { return strings.Contains(text, "{{") }

// append writes variant n.
func (t template) append(b []byte, n int, random *rand.Rand) []byte {
	for _, s := range t {
		b = s(b, n, random)
	}
	return b
}
