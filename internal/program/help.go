package program

import (
	"strings"

	"github.com/spf13/cobra"

	"poolvsloop/internal/config"
)

// helpWidth is the longest line of a help text, in columns.
const helpWidth = 110

// usage is the help below a command's description: how to call it, its sub-commands, and its flags by groups.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		b.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString("  " + cmd.CommandPath() + " [command]\n\nCommands:\n")
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			b.WriteString("  " + sub.Name() + strings.Repeat(" ", max(1, sub.NamePadding()-len(sub.Name())+1)) + sub.Short + "\n")
		}
	}
	b.WriteString(config.FlagHelp(cmd.LocalFlags(), helpWidth) + config.FlagHelp(cmd.InheritedFlags(), helpWidth) + config.VariableHelp(cmd.LocalFlags()))
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\n\"" + cmd.CommandPath() + " [command] --help\" says more of a command.\n")
	}
	cmd.Print(b.String())
	return nil
}
