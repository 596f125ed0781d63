package anatomy

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"poolvsloop/internal/flow"
)

const whole = "queue;dur=00000.012, a;dur=00020.131, cache;dur=00000.400, b;dur=00030.007, fill;dur=00000.000, total;dur=00051.250"

var wholeTiming = flow.Timing{
	12 * time.Microsecond, 20_131 * time.Microsecond, 400 * time.Microsecond, 30_007 * time.Microsecond, 0, 51_250 * time.Microsecond,
}

func TestParse(t *testing.T) {
	replaced := func(old, with string) string { return strings.Replace(whole, old, with, 1) }
	for name, c := range map[string]struct {
		value string
		ok    bool
	}{
		"as the servers send it":    {whole, true},
		"no blanks":                 {strings.ReplaceAll(whole, " ", ""), true},
		"blanks everywhere":         {"\t" + strings.NewReplacer(",", " ,\t ", ";", " ; ", "=", " = ").Replace(whole) + " ", true},
		"no zeros in front":         {replaced("00020.131", "20.131"), true},
		"finer than a microsecond":  {replaced("00020.131", "20.1310000004"), true},
		"quoted":                    {replaced("00020.131", `"20.131"`), true},
		"capitals in the parameter": {replaced("a;dur", "a;DUR"), true},
		"another parameter":         {replaced("a;dur", `a;desc="an \" and , and ; \\";mark;dur`), true},
		"two durations":             {replaced("00020.131", "20.131;dur=7"), true},
		"another metric":            {"cdn-cache;desc=HIT, " + whole + ", edge;dur=1, mark", true},
		"another order":             {"total;dur=51.25, b;dur=30.007,a;dur=20.131,queue;dur=0.012,fill;dur=0,cache;dur=0.4", true},

		"nothing":                 {"", false},
		"a stage is missing":      {replaced(", fill;dur=00000.000", ""), false},
		"a stage twice":           {whole + ", a;dur=1", false},
		"no duration":             {replaced("a;dur=00020.131", "a"), false},
		"a duration of nothing":   {replaced("00020.131", ""), false},
		"a name alone":            {replaced("dur=00020.131", "dur"), false},
		"negative":                {replaced("00020.131", "-20.131"), false},
		"a word":                  {replaced("00020.131", "long"), false},
		"an exponent":             {replaced("00020.131", "2e1"), false},
		"a point alone":           {replaced("00020.131", "."), false},
		"nothing behind a point":  {replaced("00020.131", "20."), false},
		"nothing before a point":  {replaced("00020.131", ".131"), false},
		"two points":              {replaced("00020.131", "20.1.31"), false},
		"too long":                {replaced("00020.131", "1000000000.001"), false},
		"beyond reckoning":        {replaced("00020.131", strings.Repeat("9", 40)), false},
		"an open quote":           {replaced("00020.131", `"20.131`), false},
		"an open escape":          {replaced("00051.250", `"51.250\`), false},
		"a parameter of nothing":  {replaced("a;dur", "a;;dur"), false},
		"another name":            {replaced("a;dur", "A;dur"), false},
		"a comma at the end":      {whole + ",", false},
		"two commas":              {replaced(", ", ",, "), false},
		"a blank in place of one": {replaced(", ", " "), false},
	} {
		t.Run(name, func(t *testing.T) {
			timing, ok := Parse([]byte(c.value))
			require.Equal(t, c.ok, ok, c.value)
			if ok {
				require.Equal(t, wholeTiming, timing)
			}
		})
	}
}

// What a server writes is read back, to the microsecond.
func TestParseReadsWhatServersWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var timing flow.Timing
		for stage := range flow.Stages {
			timing[stage] = time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, stage.String()))
		}
		read, ok := Parse(timing.AppendServerTiming(nil))
		require.True(t, ok)
		for stage, d := range timing {
			require.Equal(t, d.Round(time.Microsecond), read[stage])
		}
	})
}

func TestParseAllocatesNothing(t *testing.T) {
	value := []byte(whole)
	require.Zero(t, testing.AllocsPerRun(100, func() { Parse(value) }))
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{whole, "", "a", "a;dur=1, a;dur=2", `x;desc="\"";dur=9.5, ` + whole, "total;dur=1e9"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		timing, ok := Parse(value)
		if !ok {
			return
		}
		for stage, d := range timing {
			if d < 0 || d > longest*time.Millisecond {
				t.Fatalf("stage %d lasts %s", stage, d)
			}
		}
		if _, again := Parse(append(append([]byte("edge;dur=1, "), value...), ", mark"...)); !again {
			t.Fatalf("not read with other metrics around: %q", value)
		}
		if _, twice := Parse(append(append(append([]byte{}, value...), ','), value...)); twice {
			t.Fatalf("every stage twice, and read: %q", value)
		}
	})
}
