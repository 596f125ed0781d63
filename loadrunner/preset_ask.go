package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"poolvsloop/internal/preset"
	"poolvsloop/internal/program"
)

// questions asks somebody who sits at a terminal.
type questions struct {
	in  *bufio.Reader
	out io.Writer
}

// newQuestions returns an error when nobody is there to answer, which says what to do instead.
func newQuestions(in io.Reader, out io.Writer, instead string) (*questions, error) {
	if file, ok := in.(*os.File); ok && !program.IsTerminal(file) {
		return nil, fmt.Errorf("the standard input is no terminal, so nobody can be asked for a guess: use a terminal, or %s", instead)
	}
	return &questions{bufio.NewReader(in), out}, nil
}

// guess asks until an answer can be read. A nil q asks nobody, and returns nil.
func (q *questions) guess(ctx context.Context, p *preset.Preset) (*float64, error) {
	if q == nil {
		return nil, nil
	}
	if err := show(q.out, p.Asking()); err != nil {
		return nil, err
	}
	for {
		answer, err := q.line(ctx, "Your guess: ")
		if err != nil {
			return nil, err
		}
		x, err := p.Guess.Read(answer)
		if err == nil {
			return &x, show(q.out, "\n")
		}
		if err := show(q.out, err.Error()+"\n"); err != nil {
			return nil, err
		}
	}
}

// pause waits for Enter.
func (q *questions) pause(ctx context.Context, text string) error {
	_, err := q.line(ctx, text)
	return err
}

var (
	errInterrupted = errors.New("interrupted")
	errNoAnswer    = errors.New("the input ended without an answer")
)

// line reads one line. A context that is done ends the wait; the reader then goes on to wait beside it, until the process
// ends.
func (q *questions) line(ctx context.Context, prompt string) (string, error) {
	if err := show(q.out, prompt); err != nil {
		return "", err
	}
	type answer struct {
		text string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		text, err := q.in.ReadString('\n')
		read <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", errors.Join(show(q.out, "\n"), errInterrupted)
	case a := <-read:
		switch {
		case a.err == nil || errors.Is(a.err, io.EOF) && a.text != "":
			return a.text, nil
		case errors.Is(a.err, io.EOF):
			return "", errors.Join(show(q.out, "\n"), errNoAnswer)
		}
		return "", fmt.Errorf("read the answer: %w", a.err)
	}
}
