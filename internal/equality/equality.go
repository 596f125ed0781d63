// Package equality checks that servers under test answer the same requests alike, before they are measured: byte for byte,
// but for what must differ (the "server" field, the date, durations, a request id that the server made).
//
// Requests go over plain TCP connections, and answers are compared as they came: status line, header lines in their order,
// body, and whether the connection was kept. To be alike is not enough: each answer must also have the status its case
// wants, so that two broken servers do not pass.
package equality

import (
	"context"
	"fmt"
)

// Side is one of the servers.
type Side struct {
	// Name is used in differences.
	Name string
	// Addr is host:port.
	Addr string
	// Path is where the server takes orders: /v1/sync or /v1/async.
	Path string
}

// Result is what [Check] found.
type Result struct {
	// Compared names the cases that were sent to every side, Left those that could not be, each with the reason.
	Compared, Left []string
	// Again names the cases that had to be asked more than once, with the side and the number of tries: a full queue or a
	// busy machine was in the way. Only the last try is compared.
	Again []string
	// Differences is empty when all sides are alike.
	Differences []Difference
}

// Check sends every case to every side, one after the other, and compares each side with the first. flush must empty the
// cache of the lab's entries; nil says that nobody can, and leaves the case out that needs a miss. The caller resets
// ledgers and cache afterwards: the cases call the downstreams and fill the cache. An error is a side that could not be
// asked at all (refused, ctx ended, flush failed), which says nothing about likeness.
func Check(ctx context.Context, sides []Side, flush func(context.Context) error) (Result, error) {
	var result Result
	var asked []Case
	for _, c := range Cases() {
		if c.miss && flush == nil {
			result.Left = append(result.Left, c.Name+": the cache cannot be emptied")
			continue
		}
		asked = append(asked, c)
		result.Compared = append(result.Compared, c.Name)
	}
	seen := make([][]conversation, len(sides))
	for i, side := range sides {
		var err error
		if seen[i], err = ask(ctx, side, asked, flush, &result.Again); err != nil {
			return result, err
		}
	}
	for i, c := range asked {
		for j, side := range sides {
			result.Differences = append(result.Differences, unwanted(c, side, seen[j][i])...)
			if j > 0 {
				result.Differences = append(result.Differences, differences(c, sides[0], side, seen[0][i], seen[j][i])...)
			}
		}
	}
	return result, nil
}

// ask holds all cases against one side, and notes which it had to ask again. Without flush an order that is not looked at
// makes sure that later ones are hits.
func ask(ctx context.Context, side Side, cases []Case, flush func(context.Context) error, again *[]string) ([]conversation, error) {
	nothing := func(context.Context) error { return nil }
	if flush == nil {
		if _, _, err := insist(ctx, side, orderMiss(), nothing); err != nil {
			return nil, err
		}
	}
	seen := make([]conversation, len(cases))
	for i, c := range cases {
		before := nothing
		if c.miss {
			before = func(ctx context.Context) error { return empty(ctx, flush) }
		}
		var asked int
		var err error
		if seen[i], asked, err = insist(ctx, side, c, before); err != nil {
			return nil, err
		}
		if asked > 1 {
			*again = append(*again, fmt.Sprintf("%s, %s: %d tries", c.Name, side.Name, asked))
		}
	}
	return seen, nil
}

func empty(ctx context.Context, flush func(context.Context) error) error {
	if err := flush(ctx); err != nil {
		return fmt.Errorf("empty the cache to compare the servers: %w", err)
	}
	return nil
}
