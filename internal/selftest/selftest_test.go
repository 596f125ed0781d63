package selftest

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The checks that measure no time must pass wherever the tests run; the others are run by loadrunner selftest.
func TestChecksOfCounts(t *testing.T) {
	var counted []check
	for _, c := range checks {
		if !c.timed && c.name != "ceiling" {
			counted = append(counted, c)
		}
	}
	var out strings.Builder
	ok, err := runAll(t.Context(), &out, counted)
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Contains(t, out.String(), "6 passed, 0 failed\n")
}

// A check that the truth contradicts fails: each is run on a server that does something else.
func TestChecksCanFail(t *testing.T) {
	for name, c := range map[string]struct {
		err error
		is  string
	}{
		"nothing wrong": {expect("", ""), ""},
		"two faults":    {expect(unless(false, "%d is wrong", 1), unless(true, "fine"), unless(1 > 2, "order")), "1 is wrong; order"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.is == "" {
				require.NoError(t, c.err)
				return
			}
			require.EqualError(t, c.err, c.is)
		})
	}
	_, err := mustFail(t.Context(), constant(20*time.Millisecond), 0) // slow enough that the generator is not the limit
	require.ErrorContains(t, err, "counts as a success")
}

func TestRunAll(t *testing.T) {
	tries := 0
	flaky := func(good int) func(context.Context) (string, error) {
		return func(context.Context) (string, error) {
			if tries++; tries < good {
				return "", errors.New("too slow")
			}
			return "fine", nil
		}
	}
	for _, c := range []struct {
		name  string
		check check
		ok    bool
		says  string
	}{
		{"at once", check{"x", true, flaky(1)}, true, "ok    x: fine\n1 passed, 0 failed\n"},
		{"at the third attempt", check{"x", true, flaky(3)}, true,
			"ok    x: fine (attempt 1: too slow) (attempt 2: too slow)\n1 passed, 0 failed\n"},
		{"never", check{"x", true, flaky(9)}, false,
			"FAIL  x: too slow (attempt 1: too slow) (attempt 2: too slow)\n0 passed, 1 failed\n"},
		{"counts are not tried again", check{"x", false, flaky(2)}, false, "FAIL  x: too slow\n0 passed, 1 failed\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries = 0
			var out strings.Builder
			ok, err := runAll(t.Context(), &out, []check{c.check})
			require.NoError(t, err)
			require.Equal(t, c.ok, ok)
			said := regexp.MustCompile(` — the machine is too busy.*`).ReplaceAllString(out.String(), "")
			require.Equal(t, c.says, said)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, &strings.Builder{})
	require.ErrorIs(t, err, context.Canceled)
}
