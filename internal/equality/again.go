package equality

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const (
	// tries is how often a case is asked at most.
	tries = 3
	// breath is the pause before the second try; before the third it is twice as long.
	breath = 50 * time.Millisecond
)

// insist asks a side for a case, and again while the answer is one of a busy machine. before is done before each try. asked
// is the number of tries.
func insist(ctx context.Context, side Side, c Case, before func(context.Context) error) (talk conversation, asked int, err error) {
	for asked = 1; ; asked++ {
		if err := before(ctx); err != nil {
			return talk, asked, err
		}
		if talk, err = converse(ctx, side, c); err != nil {
			return talk, asked, fmt.Errorf("compare the servers, %s: %w", c.Name, err)
		}
		if asked == tries || !late(c, talk) {
			return talk, asked, nil
		}
		select {
		case <-ctx.Done():
			return talk, asked, context.Cause(ctx)
		case <-time.After(time.Duration(asked) * breath):
		}
	}
}

// late says whether a conversation may have come out so because something was not quick enough: a full queue closed the
// connection, or a request was turned away or given up, or the cache did not answer in time. A queue without places
// does that to a request that comes before the worker of the last one is back. What else is wrong is wrong.
func late(c Case, talk conversation) bool {
	if talk.closed {
		return true
	}
	for i, a := range talk.answers {
		switch r := c.Requests[i]; {
		case a.says(r.Status):
			if r.Contains == hit && strings.Contains(a.body, miss) {
				return true
			}
		case a.says(http.StatusServiceUnavailable), a.says(http.StatusGatewayTimeout), a.says(http.StatusRequestTimeout):
			return true
		}
	}
	return false
}
