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

// Versions are those of the modules in this program, by their paths, and the revision that it was built from, as
// vcs.revision and vcs.modified; empty when it was built without that information.
func Versions() map[string]string {
	all := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return all
	}
	for _, module := range info.Deps {
		all[module.Path] = module.Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" || setting.Key == "vcs.modified" {
			all[setting.Key] = setting.Value
		}
	}
	return all
}
