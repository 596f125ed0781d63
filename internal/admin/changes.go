package admin

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Changes reads the body of a PUT /config: one JSON object of settings by name, whose values are texts or numbers. They
// are returned as texts. example, such as {"workers": 20}, goes into the error.
func Changes(body []byte, example string) (map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil || raw == nil {
		return nil, fmt.Errorf("want a JSON object such as %s", example)
	}
	changes := map[string]string{}
	for name, value := range raw {
		text := string(value)
		switch {
		case strings.HasPrefix(text, `"`):
			if err := json.Unmarshal(value, &text); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		case !strings.ContainsAny(text[:1], "-0123456789"):
			return nil, fmt.Errorf("%s: want a text or a number, not %s", name, text)
		}
		changes[name] = text
	}
	return changes, nil
}
