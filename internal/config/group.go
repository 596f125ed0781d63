package config

import (
	"slices"

	"github.com/spf13/pflag"
)

// groupKey is the annotation of a flag that names its group.
const groupKey = "group"

// Group puts the flags that bind declares on fs under one heading of the help, in the order in which they are declared.
// Flags of an inner Group keep theirs.
func Group(fs *pflag.FlagSet, heading string, bind func()) {
	fs.SortFlags = false
	var before []string
	fs.VisitAll(func(f *pflag.Flag) { before = append(before, f.Name) })
	bind()
	fs.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(before, f.Name) || f.Annotations[groupKey] != nil {
			return
		}
		// Fails only for a flag that is not there.
		_ = fs.SetAnnotation(f.Name, groupKey, []string{heading})
	})
}

// FlagHelp lists the flags of fs by groups, in lines of at most width columns. Those without a group come last.
func FlagHelp(fs *pflag.FlagSet, width int) string {
	const rest = "Flags"
	var headings []string
	groups := map[string]*pflag.FlagSet{rest: newGroup()}
	fs.VisitAll(func(f *pflag.Flag) {
		heading := rest
		if named := f.Annotations[groupKey]; named != nil {
			heading = named[0]
		}
		if groups[heading] == nil {
			groups[heading] = newGroup()
			headings = append(headings, heading)
		}
		groups[heading].AddFlag(f)
	})
	help := ""
	for _, heading := range append(headings, rest) {
		if groups[heading].HasFlags() {
			help += "\n" + heading + ":\n" + groups[heading].FlagUsagesWrapped(width)
		}
	}
	return help
}

func newGroup() *pflag.FlagSet {
	group := pflag.NewFlagSet("", pflag.ContinueOnError)
	group.SortFlags = false
	return group
}
