package program

import (
	"fmt"
	"runtime/debug"
)

// Version is one line that says what the program of that name was built from: module version, revision when known, Go.
func Version(name string) string {
	info, ok := debug.ReadBuildInfo()
	return version(name, info, ok)
}

func version(name string, info *debug.BuildInfo, ok bool) string {
	if !ok {
		return name + ", built without module information"
	}
	revision := ""
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = ", revision " + s.Value
		}
	}
	return fmt.Sprintf("%s %s%s, %s", name, info.Main.Version, revision, info.GoVersion)
}
