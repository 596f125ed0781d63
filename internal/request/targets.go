package request

import (
	"fmt"
	"strconv"
	"strings"
)

// Target is one line of a targets file.
type Target struct {
	// Weight is its share among all targets, 1 to MaxWeight.
	Weight int
	Method string
	// Path is the request target, query included; it may hold templates.
	Path string
	// BodyFile names the file with the body, empty for none.
	BodyFile string
}

// MaxWeight bounds the weight of a target.
const MaxWeight = 1000

// ParseTargets reads a targets file. Each line is
//
//	[weight] METHOD path [@body-file]
//
// with 1 as the weight that is left out. Empty lines and lines that begin with # are passed over. Templates in the path
// may contain blanks within their braces.
func ParseTargets(text string) ([]Target, error) {
	var all []Target
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		t, err := parseTarget(line)
		if err != nil {
			return nil, fmt.Errorf("targets, line %d: %w", i+1, err)
		}
		all = append(all, t)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("targets: no line names one")
	}
	return all, nil
}

func parseTarget(line string) (Target, error) {
	t := Target{Weight: 1}
	word, rest := cutWord(line)
	if weight, err := strconv.Atoi(word); err == nil {
		if weight < 1 || weight > MaxWeight {
			return Target{}, fmt.Errorf("weight %d is not in 1 to %d", weight, MaxWeight)
		}
		t.Weight = weight
		word, rest = cutWord(rest)
	}
	t.Method = word
	t.Path, rest = cutWord(rest)
	if err := t.check(); err != nil {
		return Target{}, err
	}
	if rest != "" && (rest[0] != '@' || len(rest) == 1) {
		return Target{}, fmt.Errorf("%q behind the path: want @ and the name of a file", rest)
	}
	t.BodyFile = strings.TrimPrefix(rest, "@")
	return t, nil
}

// check says what is wrong with method and path.
func (t Target) check() error {
	if !token(t.Method) {
		return fmt.Errorf("method %q is no token", t.Method)
	}
	return checkPath(t.Path)
}

// cutWord cuts at the first blank outside braces.
func cutWord(text string) (word, rest string) {
	depth := 0
	for i := range len(text) {
		switch {
		case strings.HasPrefix(text[i:], "{{"):
			depth++
		case strings.HasPrefix(text[i:], "}}"):
			depth--
		case depth <= 0 && (text[i] == ' ' || text[i] == '\t'):
			return text[:i], strings.TrimSpace(text[i:])
		}
	}
	return text, ""
}

// token says whether a text is a method's or a header's name (RFC 9110 §5.6.2).
func token(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return text != ""
}

// checkPath says what is wrong with a request target outside its templates.
func checkPath(path string) error {
	if !strings.HasPrefix(path, "/") && path != "*" {
		return fmt.Errorf("path %q does not begin with /", path)
	}
	if _, err := parseTemplate(path); err != nil {
		return err
	}
	for plain := path; plain != ""; {
		var text string
		text, plain, _ = strings.Cut(plain, "{{")
		for _, c := range []byte(text) {
			if c <= ' ' || c == 0x7f {
				return fmt.Errorf("path %q has a blank or a control byte", path)
			}
		}
		_, plain, _ = strings.Cut(plain, "}}")
	}
	return nil
}
