package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/preset"
	"poolvsloop/internal/program"
)

// presetCommand runs named experiments.
func presetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "preset",
		Short: "Named experiments: a question, what theory predicts, what is measured, and the lesson",
		Long: "Each preset is one small file: a question, the steps that answer it, what theory expects of them, and what is learnt.\n" +
			"docs/presets.md lists all of them and tells how to write one.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return program.Usage(errors.New("want one of list, show, run, learn: see loadrunner preset --help"))
		},
	}
	cmd.AddCommand(presetListCommand(), presetShowCommand(), presetRunCommand(), presetLearnCommand())
	return cmd
}

func presetListCommand() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List all presets, those of loadrunner preset learn first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := preset.List()
			if err != nil {
				return err
			}
			return show(cmd.OutOrStdout(), text)
		},
	}
}

func presetShowCommand() *cobra.Command {
	var quick bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a preset: question, steps, predictions, theory and lesson", Args: cobra.ExactArgs(1),
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "show the short form")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := preset.Find(args[0])
		if err != nil {
			return program.Usage(err)
		}
		text, err := p.Description(quick)
		if err != nil {
			return err
		}
		return show(cmd.OutOrStdout(), text)
	}
	return cmd
}

// presetFlags are those of the commands that run presets.
type presetFlags struct {
	preset.Options
	guess, quiet bool
}

func (f *presetFlags) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.Quick, "quick", false, "take the short form: some seconds a step, with the tolerance of the file")
	cmd.Flags().StringVar(&f.Results, "results", lab.ResultsDir(), "`directory` in which the folder of the preset is made")
	cmd.Flags().BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

// begin takes the streams of the command, and makes room for connections.
func (f *presetFlags) begin(cmd *cobra.Command) error {
	f.Out, f.Progress = cmd.OutOrStdout(), cmd.ErrOrStderr()
	if f.quiet {
		f.Progress = io.Discard
	}
	return program.RaiseDescriptors()
}

func presetRunCommand() *cobra.Command {
	var f presetFlags
	cmd := &cobra.Command{
		Use:   "run NAME...|all",
		Short: "Run presets and hold what they measured against theory",
		Long: "Runs the presets of those names, or all of them, or those in files of your own (ending with .yaml): prints the\n" +
			"question, the prediction, what was measured, what of it was expected, and the lesson. The exit code is 1 when an\n" +
			"expectation failed, or when the lab refused figures that it was not meant to refuse.",
		Args: cobra.MinimumNArgs(1),
	}
	f.bind(cmd)
	cmd.Flags().BoolVar(&f.guess, "guess", false, "ask for a guess before the run, and grade it: right is 20 % off at most")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		all, err := presetsOf(args)
		if err != nil {
			return program.Usage(err)
		}
		var asked *questions
		if f.guess {
			if asked, err = newQuestions(cmd.InOrStdin(), cmd.OutOrStdout(), "leave out --guess"); err != nil {
				return program.Usage(err)
			}
		}
		if err := f.begin(cmd); err != nil {
			return err
		}
		return f.run(cmd, all, asked)
	}
	return cmd
}

// presetsOf are the presets of those names; all stands for every one. Each has a folder of its name, so none may be there
// twice.
func presetsOf(names []string) ([]*preset.Preset, error) {
	if len(names) == 1 && names[0] == "all" {
		names = preset.Names()
	}
	there := map[string]bool{}
	all := make([]*preset.Preset, 0, len(names))
	for _, name := range names {
		p, err := preset.Find(name)
		if err != nil {
			return nil, err
		}
		if there[p.Name] {
			return nil, fmt.Errorf("preset %s is given twice", p.Name)
		}
		there[p.Name] = true
		all = append(all, p)
	}
	return all, nil
}

// run runs one preset, or several of them as a series.
func (f *presetFlags) run(cmd *cobra.Command, all []*preset.Preset, asked *questions) error {
	if len(all) == 1 {
		guessed, err := asked.guess(cmd.Context(), all[0])
		if err != nil {
			return err
		}
		o := f.Options
		o.Guessed = guessed
		outcome, err := preset.Run(cmd.Context(), all[0], o)
		if err != nil {
			return err
		}
		return outcome.Err()
	}
	series, err := preset.NewSeries(f.Options)
	if err != nil {
		return err
	}
	return errors.Join(f.series(cmd, series, all, asked), series.Close())
}

// series runs the presets until one is interrupted, or nobody guesses any more.
func (f *presetFlags) series(cmd *cobra.Command, series *preset.Series, all []*preset.Preset, asked *questions) error {
	for _, p := range all {
		guessed, err := asked.guess(cmd.Context(), p)
		if err != nil {
			return err
		}
		if err := series.Run(cmd.Context(), p, guessed); err != nil {
			return err
		}
	}
	return nil
}
