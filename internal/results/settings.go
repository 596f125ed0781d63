package results

import (
	"fmt"
	"strconv"
	"strings"
)

// Settings are what a program says of itself (GET /config), flat: flags in snake_case, values as text. Those of an
// inner object have its name in front ("limits.backlog"), but for "config".
type Settings map[string]string

// ReadSettings flattens the answer of a program.
func ReadSettings(config map[string]any) Settings {
	s := Settings{}
	s.add("", config)
	return s
}

func (s Settings) add(prefix string, object map[string]any) {
	for name, value := range object {
		name = strings.ReplaceAll(name, "-", "_")
		switch inner, ok := value.(map[string]any); {
		case !ok:
			s[prefix+name] = text(value)
		case name == "config":
			s.add(prefix, inner)
		default:
			s.add(prefix+name+".", inner)
		}
	}
}

// text prints a JSON value; a whole number has no exponent.
func text(value any) string {
	if number, ok := value.(float64); ok {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

// Number returns a setting that is a whole number, and whether there is one.
func (s Settings) Number(name string) (int, bool) {
	n, err := strconv.Atoi(s[name])
	return n, err == nil
}

// Settings are what the server said of itself.
func (t Target) Settings() Settings { return ReadSettings(t.ServerConfig) }
