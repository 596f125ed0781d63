package program

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
)

// flagProblem puts an error of the command line's flags into plain words, with the flag that may have been meant.
func flagProblem(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return fmt.Errorf("unknown flag -%s: see %s --help", unknown.GetSpecifiedName(), cmd.CommandPath())
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		typed := "--" + unknown.GetSpecifiedName()
		return fmt.Errorf("unknown flag %s%s", typed, hint(cmd, typed, names))
	case errors.As(err, &empty):
		return fmt.Errorf("--%s needs a value", empty.GetFlag().Name)
	}
	return config.ValueProblem(err)
}

// checkArguments is what cmd's own check says of its arguments, in plain words.
func checkArguments(own cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := own(cmd, args)
		switch {
		case err == nil:
			return nil
		case !strings.HasPrefix(err.Error(), "unknown command"):
			return fmt.Errorf("wrong number of arguments, %d: want %s", len(args), cmd.UseLine())
		case !cmd.HasAvailableSubCommands():
			return fmt.Errorf("unexpected argument %q: see %s --help", args[0], cmd.CommandPath())
		}
		var names []string
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return fmt.Errorf("unknown command %q%s", args[0], hint(cmd, args[0], names))
	}
}

// hint names what may have been meant, or where to look it up.
func hint(cmd *cobra.Command, typed string, names []string) string {
	if meant := Similar(typed, names); len(meant) > 0 {
		return ": did you mean " + strings.Join(meant, " or ") + "?"
	}
	return ": see " + cmd.CommandPath() + " --help"
}

// mostEdits bounds the letters in which a name may differ from what was typed, mostHints the names that are shown.
const (
	mostEdits = 2
	mostHints = 3
)

// Similar returns those of the names that look most like what was typed. cobra has the measure, for commands.
func Similar(typed string, names []string) (meant []string) {
	all := &cobra.Command{}
	for _, name := range names {
		all.AddCommand(&cobra.Command{Use: name, Run: func(*cobra.Command, []string) {}})
	}
	for edits := 1; edits <= mostEdits && len(meant) == 0; edits++ {
		all.SuggestionsMinimumDistance = edits
		meant = all.SuggestionsFor(typed)
	}
	return meant[:min(len(meant), mostHints)]
}

// warnOfVariables tells of environment variables that no program of the lab reads: most often, a letter is wrong.
func warnOfVariables(cmd *cobra.Command) {
	for _, variable := range config.Mistaken(os.Environ(), cmd.Flags()) {
		text := "no program of the lab reads it"
		if meant := Similar(variable, config.Variables()); len(meant) > 0 {
			text = "did you mean " + strings.Join(meant, " or ") + "?"
		}
		// There is nowhere else to say it.
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "%s: warning: unknown environment variable %s: %s\n",
			cmd.Root().Name(), variable, text)
	}
}
