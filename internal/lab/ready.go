package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// poll asks until ready returns nil, the child (if any) ends, or ctx does; the error then says what it was that was not
// ready, and why.
func poll(ctx context.Context, what string, c *child, ready func(context.Context) error) error {
	var exited chan struct{}
	if c != nil {
		exited = c.exited
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-exited:
			return c.ended()
		case <-ctx.Done():
			if errors.Is(err, ctx.Err()) { // the question was cut short: no answer to tell
				return fmt.Errorf("wait for %s: %w", what, context.Cause(ctx))
			}
			return fmt.Errorf("wait for %s: %w (last: %w)", what, context.Cause(ctx), err)
		}
	}
}

// waitHealthy waits until GET base/healthz answers 200.
func waitHealthy(ctx context.Context, what, base string, c *child) error {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy, transport.DisableKeepAlives = nil, true
	client := &http.Client{Transport: transport, Timeout: 2 * time.Second}
	return poll(ctx, what+" at "+base, c, func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/healthz", nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return fmt.Errorf("answer %s: %s", resp.Status, text)
	})
}
