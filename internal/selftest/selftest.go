// Package selftest holds the load engine against servers whose behaviour is known, and so also the truth about them:
// checks E1 to E6, in which other generators go wrong, and the generator's own floor and ceiling on this machine.
package selftest

import (
	"context"
	"fmt"
	"io"
)

// check is one known answer. It returns what was seen, and an error when that is not the truth.
type check struct {
	name string
	// timed says that the check measures time: on a busy machine it may miss by chance, so it is repeated before it
	// fails.
	timed bool
	run   func(context.Context) (seen string, err error)
}

// attempts is how often a timed check is made before it fails.
const attempts = 3

var checks = []check{
	{"E1 starving pool", true, checkStarvation},
	{"E2 stall in an open loop", true, checkStall},
	{"E3 two speeds", true, checkBimodal},
	{"E4 silent close", false, checkSilentClose},
	{"E5 remainders", false, checkRemainders},
	{"E6 exit code: all 500", false, checkFailing},
	{"E6 exit code: no answer", false, checkHang},
	{"E6 exit code: no server", false, checkNoServer},
	{"constant time", true, checkConstant},
	{"floor", false, floor},
	{"ceiling", false, ceiling},
}

// Run makes all checks, prints a line for each and the closing line "N passed, N failed", and says whether all passed.
// It takes half a minute, up to a minute when checks have to be repeated.
func Run(ctx context.Context, out io.Writer) (bool, error) { return runAll(ctx, out, checks) }

func runAll(ctx context.Context, out io.Writer, all []check) (bool, error) {
	passed, failed := 0, 0
	for _, c := range all {
		if err := ctx.Err(); err != nil {
			return false, fmt.Errorf("selftest: %w", err)
		}
		text, ok := c.outcome(ctx)
		if ok {
			passed++
		} else {
			failed++
		}
		if _, err := fmt.Fprintln(out, text); err != nil {
			return false, fmt.Errorf("selftest: print: %w", err)
		}
	}
	if _, err := fmt.Fprintf(out, "%d passed, %d failed\n", passed, failed); err != nil {
		return false, fmt.Errorf("selftest: print: %w", err)
	}
	return failed == 0, nil
}

// outcome makes a check, again if it may be, and describes it in a line.
func (c check) outcome(ctx context.Context) (line string, ok bool) {
	most := 1
	if c.timed {
		most = attempts
	}
	missed, before := "", spentNow()
	for i := 1; ; i++ {
		seen, err := c.run(ctx)
		switch {
		case err == nil:
			return fmt.Sprintf("ok    %s: %s%s", c.name, seen, missed), true
		case i == most || ctx.Err() != nil:
			if c.timed {
				missed += excuse(before, spentNow())
			}
			return fmt.Sprintf("FAIL  %s: %s%s", c.name, err, missed), false
		}
		missed += fmt.Sprintf(" (attempt %d: %s)", i, err)
	}
}
