package compare

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"net/http"
	"sync/atomic"
)

// answers looks at the answers of one server in one round.
type answers struct {
	own []byte // how an answer 200 begins
	// digest is the sum of the digests of all answers 200 without the name of their server: equal for equal answers in
	// any order.
	digest atomic.Uint64
}

func newAnswers(s Server) *answers {
	return &answers{own: []byte(`{"server":"` + word[s] + `","cache":"`)}
}

// digestSeed makes digests comparable within a process.
var digestSeed = maphash.MakeSeed()

// check is a [load.Config.Check]: a 200 must be that server's.
func (a *answers) check(status int, body []byte) error {
	if status != http.StatusOK {
		return nil
	}
	rest, ok := bytes.CutPrefix(body, a.own)
	if !ok {
		return fmt.Errorf("answer begins %.40q, want %q", body, a.own)
	}
	a.digest.Add(maphash.Bytes(digestSeed, rest))
	return nil
}
