package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// SecondsVar declares a flag of a time that takes a duration (1.5s), or a bare number of seconds as ab's -t does. short
// is its one-letter form, empty for none; value is its default.
func SecondsVar(fs *pflag.FlagSet, d *time.Duration, name, short string, value time.Duration, usage string) {
	*d = value
	fs.VarP((*seconds)(d), name, short, usage)
}

// seconds is the value of such a flag.
type seconds time.Duration

// mostSeconds is the longest time that a flag takes as a bare number: about 30 years.
const mostSeconds = 1e9

// Set implements [pflag.Value].
func (s *seconds) Set(text string) error {
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		if !(math.Abs(number) <= mostSeconds) {
			return fmt.Errorf("want a number of seconds, %g at most", mostSeconds)
		}
		*s = seconds(number * float64(time.Second))
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("want a number of seconds, or a time with its unit, such as 500ms")
	}
	*s = seconds(d)
	return nil
}

// String implements [pflag.Value].
func (s *seconds) String() string { return time.Duration(*s).String() }

// Type implements [pflag.Value].
func (s *seconds) Type() string { return "time" }
