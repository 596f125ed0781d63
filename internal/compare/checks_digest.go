package compare

import (
	"fmt"

	"poolvsloop/internal/results"
)

// checkEqualWork: in every round both servers gave the same answers to the same requests. Which answer went to which
// request it cannot say; and where one server answered fewer, nothing: such rounds are counted as not compared.
func checkEqualWork(sides Sides, all []Measurement) results.Check {
	first, second := of(sides[0], all), of(sides[1], all)
	rounds := min(len(first), len(second))
	compared := 0
	var unequal []string
	for i := range rounds {
		a, b := first[i], second[i]
		if !wholly2xx(a) || !wholly2xx(b) || a.Load.Sent != b.Load.Sent || a.CacheStopped || b.CacheStopped {
			continue
		}
		compared++
		if a.Digest != b.Digest {
			unequal = append(unequal, fmt.Sprintf("the servers' answers differ in round %d", a.Round))
		}
	}
	c := results.Check{Name: "equal_work", OK: len(unequal) == 0, Detail: shorten(unequal)}
	switch {
	case !c.OK:
	case compared == 0:
		c.Detail = "not checked: in no round both servers answered the same number of requests, all with 2xx"
	default:
		c.Detail = fmt.Sprintf("in %d of %d rounds all answers were compared, and are alike", compared, rounds)
	}
	return c
}

func wholly2xx(m Measurement) bool { return m.Load.OK2xx == m.Load.Sent }
