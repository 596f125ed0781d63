package compare

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// digestOf has a server give those answers, each behind the name of the server.
func digestOf(t *testing.T, s Server, rests ...string) uint64 {
	t.Helper()
	a := newAnswers(s)
	for _, rest := range rests {
		require.NoError(t, a.check(http.StatusOK, []byte(string(a.own)+rest)))
	}
	return a.digest.Load()
}

func TestDigestOfAnswers(t *testing.T) {
	whole := digestOf(t, ThreadPool, `hit ","total":1}`, `miss","total":2}`)
	for name, c := range map[string]struct {
		equal bool
		rests []string
	}{
		"the same":           {true, []string{`hit ","total":1}`, `miss","total":2}`}},
		"in another order":   {true, []string{`miss","total":2}`, `hit ","total":1}`}},
		"a wrong end":        {false, []string{`hit ","total":1}`, `miss","total":3}`}},
		"one in two places":  {false, []string{`hit ","total":1}`, `hit ","total":1}`}},
		"one that is absent": {false, []string{`hit ","total":1}`}},
		"one too many":       {false, []string{`hit ","total":1}`, `miss","total":2}`, `miss","total":2}`}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.equal, whole == digestOf(t, EventLoop, c.rests...)) })
	}
}

func TestAnswersOfAnotherServer(t *testing.T) {
	a := newAnswers(EventLoop)
	require.ErrorContains(t, a.check(http.StatusOK, []byte(`{"server":"pool","cache":"hit "}`)), "pool")
	require.NoError(t, a.check(http.StatusServiceUnavailable, []byte(`{"error":"queue full"}`)))
	require.Zero(t, a.digest.Load())
}

func TestEqualWorkIsComparedWhereItCanBe(t *testing.T) {
	e := soundEvidence(2)
	require.Equal(t, "in 2 of 2 rounds all answers were compared, and are alike", checkEqualWork(e.Rounds).Detail)
	e.Rounds[0].Load.OK2xx--
	e.Rounds[0].Digest++
	require.Equal(t, "in 1 of 2 rounds all answers were compared, and are alike", checkEqualWork(e.Rounds).Detail)
	e.Rounds[3].Load.Sent++
	c := checkEqualWork(e.Rounds)
	require.True(t, c.OK)
	require.Contains(t, c.Detail, "not checked")
}
