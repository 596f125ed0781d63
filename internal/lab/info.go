package lab

import (
	"fmt"
	"strconv"
	"strings"
)

// info is a parsed answer to INFO: field → value.
type info map[string]string

// parseInfo reads lines "field:value"; comments and anything else are passed over.
func parseInfo(text string) info {
	fields := info{}
	for line := range strings.Lines(text) {
		if field, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(field, "#") {
			fields[field] = value
		}
	}
	return fields
}

// kind returns what the server calls itself, and its version. A plain redis-server gives no name.
func (i info) kind() (name, version string) {
	if name = i["server_name"]; name == "" {
		return "redis", i["redis_version"]
	}
	if version = i[name+"_version"]; version == "" {
		version = i["redis_version"]
	}
	return name, version
}

// number returns an integer field; one that is not there is an error.
func (i info) number(field string) (int64, error) {
	value, ok := i[field]
	if !ok {
		return 0, fmt.Errorf("INFO has no %s", field)
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("INFO %s: %q is not a number", field, value)
	}
	return n, nil
}

// calls returns how often a command was run, from "cmdstat_get:calls=12,usec=…"; a command that was never run has no
// line.
func (i info) calls(command string) (int64, error) {
	value, ok := i["cmdstat_"+command]
	if !ok {
		return 0, nil
	}
	for part := range strings.SplitSeq(value, ",") {
		if count, ok := strings.CutPrefix(part, "calls="); ok {
			return strconv.ParseInt(count, 10, 64)
		}
	}
	return 0, fmt.Errorf("INFO cmdstat_%s: no calls in %q", command, value)
}
