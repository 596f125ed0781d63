package compare

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// asked is the batch that the tests' answers belong to.
var asked = Batch{Seed: 1, Round: 1, Keys: 10, HitRatio: 0.5, BodySize: 256}

// digestOf has a server give these answers, in that order: each is the number of its request, and what comes behind the
// part that repeats it.
func digestOf(t *testing.T, s Server, given ...answerTo) uint64 {
	t.Helper()
	a := newAnswers(s, asked)
	for _, g := range given {
		body := asked.appendAsked(append([]byte(nil), a.own...), g.i, asked.Hit(g.i))
		require.NoError(t, a.check(g.i, http.StatusOK, append(body, g.rest...)))
	}
	return a.digest.Load()
}

type answerTo struct {
	i    int
	rest string
}

func TestDigestOfAnswers(t *testing.T) {
	first, second := answerTo{0, `,"total":1}`}, answerTo{1, `,"total":2}`}
	whole := digestOf(t, ThreadPool, first, second)
	for name, c := range map[string]struct {
		equal bool
		given []answerTo
	}{
		"the same":           {true, []answerTo{first, second}},
		"in another order":   {true, []answerTo{second, first}},
		"a wrong end":        {false, []answerTo{first, {1, `,"total":3}`}}},
		"one in two places":  {false, []answerTo{first, first}},
		"one that is absent": {false, []answerTo{first}},
		"one too many":       {false, []answerTo{first, second, second}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.equal, whole == digestOf(t, EventLoop, c.given...)) })
	}
}

func TestAnswersOfAnotherServer(t *testing.T) {
	a := newAnswers(EventLoop, asked)
	require.ErrorContains(t, a.check(0, http.StatusOK, []byte(`{"server":"pool","cache":"hit "}`)), "pool")
	require.NoError(t, a.check(0, http.StatusServiceUnavailable, []byte(`{"error":"queue full"}`)))
	require.Zero(t, a.digest.Load())
}

// TestSwappedAnswers: two whole answers of the right server, each to the other's request, are both wrong, though the sum
// of their digests is right.
func TestSwappedAnswers(t *testing.T) {
	for i := range 50 {
		for k := range i {
			a := newAnswers(ThreadPool, asked)
			body := asked.appendAsked(append([]byte(nil), a.own...), k, asked.Hit(k))
			require.NoError(t, a.check(k, http.StatusOK, body))
			require.ErrorContains(t, a.check(i, http.StatusOK, body), "was answered")
		}
	}
}

func TestEqualWorkIsComparedWhereItCanBe(t *testing.T) {
	e := soundEvidence(2)
	require.Equal(t, "in 2 of 2 rounds all answers were compared, and are alike", checkEqualWork(Sides{ThreadPool, EventLoop}, e.Rounds).Detail)
	e.Rounds[0].Load.OK2xx--
	e.Rounds[0].Digest++
	require.Equal(t, "in 1 of 2 rounds all answers were compared, and are alike", checkEqualWork(Sides{ThreadPool, EventLoop}, e.Rounds).Detail)
	e.Rounds[3].Load.Sent++
	c := checkEqualWork(Sides{ThreadPool, EventLoop}, e.Rounds)
	require.True(t, c.OK)
	require.Contains(t, c.Detail, "not checked")
}

func TestAFailingCacheTurnsHitsIntoMisses(t *testing.T) {
	for i := range 50 {
		a := newAnswers(ThreadPool, asked)
		hit := asked.appendAsked(append([]byte(nil), a.own...), i, true)
		miss := asked.appendAsked(append([]byte(nil), a.own...), i, false)
		require.Equal(t, asked.Hit(i), a.check(i, http.StatusOK, hit) == nil)
		require.Equal(t, !asked.Hit(i), a.check(i, http.StatusOK, miss) == nil)
		a.failingCache = true
		require.NoError(t, a.check(i, http.StatusOK, miss))
		require.Equal(t, asked.Hit(i), a.check(i, http.StatusOK, hit) == nil, "a planned miss is never a hit")
	}
}
