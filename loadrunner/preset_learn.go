package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"poolvsloop/internal/preset"
	"poolvsloop/internal/program"
)

// presetLearnCommand goes through the lessons.
func presetLearnCommand() *cobra.Command {
	var f presetFlags
	from := 1
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Go through ten presets in teaching order: guess, measure, understand",
		Long: "Goes through ten presets, each of which builds on those before: asks for a guess, runs the preset, grades the guess,\n" +
			"and says what is learnt. Ctrl-C ends it; --from goes on where it was.",
		Args: cobra.NoArgs,
	}
	f.bind(cmd)
	cmd.Flags().IntVar(&from, "from", 1, "`number` of the lesson to begin with")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if from < 1 || from > len(preset.Lessons) {
			return program.Usage(fmt.Errorf("--from %d: want 1 to %d", from, len(preset.Lessons)))
		}
		all, err := presetsOf(preset.Lessons)
		if err != nil {
			return err
		}
		asked, err := newQuestions(cmd.InOrStdin(), cmd.OutOrStdout(), "loadrunner preset run")
		if err != nil {
			return program.Usage(err)
		}
		if err := f.begin(cmd); err != nil {
			return err
		}
		return f.learn(cmd, all, from, asked)
	}
	return cmd
}

// learn goes through the lessons from one on, and closes with how many guesses were right.
func (f *presetFlags) learn(cmd *cobra.Command, all []*preset.Preset, from int, asked *questions) error {
	var learnt score
	for i := from; i <= len(all); i++ {
		var err error
		if i > from {
			err = asked.pause(cmd.Context(), fmt.Sprintf("\nEnter goes on to lesson %d: %s. ", i, all[i-1].Title))
		}
		if err == nil {
			err = f.lesson(cmd, all, i, asked, &learnt)
		}
		if err != nil {
			return errors.Join(learnt.print(f.Out), fmt.Errorf("lesson %d: %w; loadrunner preset learn --from %d goes on there", i, err, i))
		}
	}
	if err := learnt.print(f.Out); err != nil {
		return err
	}
	if len(learnt.bad) > 0 {
		return errors.New(strings.Join(learnt.bad, "; "))
	}
	return nil
}

// score is what became of the guesses, and of presets that did not come out as expected: a part of the lesson, which ends
// nothing, but the exit code tells.
type score struct {
	right, graded int
	bad           []string
}

func (s *score) add(o *preset.Outcome) {
	if o.Guess.Known() {
		s.graded++
	}
	if o.Guess.Right {
		s.right++
	}
	if err := o.Err(); err != nil {
		s.bad = append(s.bad, err.Error())
	}
}

func (s *score) print(out io.Writer) error {
	if s.graded == 0 {
		return nil
	}
	return show(out, fmt.Sprintf("\n%d of %d guesses were right.\n", s.right, s.graded))
}

// lesson asks for a guess, runs the preset, and notes what came of both.
func (f *presetFlags) lesson(cmd *cobra.Command, all []*preset.Preset, i int, asked *questions, learnt *score) error {
	p := all[i-1]
	if err := show(f.Out, fmt.Sprintf("Lesson %d of %d\n\n", i, len(all))); err != nil {
		return err
	}
	guessed, err := asked.guess(cmd.Context(), p)
	if err != nil {
		return err
	}
	o := f.Options
	o.Guessed = guessed
	outcome, err := preset.Run(cmd.Context(), p, o)
	if err != nil {
		return err
	}
	learnt.add(outcome)
	return nil
}
