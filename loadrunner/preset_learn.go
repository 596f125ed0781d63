package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
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
		asked, err := newQuestions(cmd.InOrStdin(), cmd.OutOrStdout())
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

// learn goes through the lessons from one on. A preset that does not come out as expected is a part of the lesson: it
// ends nothing, but the exit code tells.
func (f *presetFlags) learn(cmd *cobra.Command, all []*preset.Preset, from int, asked *questions) error {
	right := 0
	var bad []string
	for i := from; i <= len(all); i++ {
		p := all[i-1]
		if err := show(f.Out, fmt.Sprintf("Lesson %d of %d\n\n", i, len(all))); err != nil {
			return err
		}
		o := f.Options
		if p.NotYet == "" {
			guess, err := asked.guess(p)
			if err != nil {
				return err
			}
			o.Guessed = &guess
		}
		outcome, err := preset.Run(cmd.Context(), p, o)
		if err != nil {
			return err
		}
		if outcome.Guess != nil && outcome.Guess.Right {
			right++
		}
		if err := outcome.Err(); err != nil {
			bad = append(bad, err.Error())
		}
		if i < len(all) {
			if err := asked.pause(fmt.Sprintf("\nEnter goes on to lesson %d: %s. ", i+1, all[i].Title)); err != nil {
				return err
			}
		}
	}
	if err := show(f.Out, fmt.Sprintf("\n%d of %d guesses were right.\n", right, len(all)-from+1)); err != nil {
		return err
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, "; "))
	}
	return nil
}

// questions asks somebody who sits at a terminal.
type questions struct {
	in  *bufio.Reader
	out io.Writer
}

// newQuestions returns an error when nobody is there to answer.
func newQuestions(in io.Reader, out io.Writer) (*questions, error) {
	if file, ok := in.(*os.File); ok && !program.IsTerminal(file) {
		return nil, errors.New("the standard input is no terminal, so nobody can be asked for a guess: leave out --guess, or use a terminal")
	}
	return &questions{bufio.NewReader(in), out}, nil
}

// guess asks until an answer can be read.
func (q *questions) guess(p *preset.Preset) (float64, error) {
	if err := show(q.out, p.Asking()); err != nil {
		return 0, err
	}
	for {
		answer, err := q.line("Your guess: ")
		if err != nil {
			return 0, err
		}
		x, err := p.Guess.Read(answer)
		if err == nil {
			return x, show(q.out, "\n")
		}
		if err := show(q.out, err.Error()+"\n"); err != nil {
			return 0, err
		}
	}
}

// pause waits for Enter.
func (q *questions) pause(text string) error {
	_, err := q.line(text)
	return err
}

func (q *questions) line(prompt string) (string, error) {
	if err := show(q.out, prompt); err != nil {
		return "", err
	}
	text, err := q.in.ReadString('\n')
	if err != nil && text == "" {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	return text, nil
}
