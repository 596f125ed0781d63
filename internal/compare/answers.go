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
	own   []byte // how an answer 200 begins
	batch Batch  // of the round: what was asked for
	// failingCache says that a hit may be answered as a miss: the cache fails on purpose.
	failingCache bool
	// digest is the sum of the digests of all answers 200 without the name of their server: equal for equal answers in
	// any order.
	digest atomic.Uint64
}

func newAnswers(s Server, b Batch) *answers {
	return &answers{batch: b, own: []byte(`{"server":"` + word[s.kind()] + `","cache":"`)}
}

// digestSeed makes digests comparable within a process.
var digestSeed = maphash.MakeSeed()

// check is a [load.Config.Check]: a 200 must be that server's, and the answer to what request i asked for, not to what
// another one did.
func (a *answers) check(i, status int, body []byte) error {
	if status != http.StatusOK {
		return nil
	}
	rest, ok := bytes.CutPrefix(body, a.own)
	if !ok {
		return fmt.Errorf("answer begins %.40q, want %q", body, a.own)
	}
	var room [128]byte
	asked := a.batch.appendAsked(room[:0], i, a.batch.Hit(i))
	if !bytes.HasPrefix(rest, asked) && (!a.failingCache || !bytes.HasPrefix(rest, a.batch.appendAsked(asked[:0], i, false))) {
		return fmt.Errorf("request %d was answered %.120q, want %q", i, rest, asked)
	}
	a.digest.Add(maphash.Bytes(digestSeed, rest))
	return nil
}
