package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// adminTimeout bounds one call to an admin port: long enough for a server whose every worker and loop is busy.
const adminTimeout = 10 * time.Second

// maxAdminAnswer bounds what is read of an answer, in bytes.
const maxAdminAnswer = 16 << 20

// admin is a client of one program's admin port. All methods work on nil, where the port is not known.
type admin struct {
	program string
	base    string
	client  *http.Client
}

// newAdmin takes host:port or a URL; empty returns nil.
func newAdmin(program, address string) (*admin, error) {
	if address == "" {
		return nil, nil
	}
	base, err := baseURL(address)
	if err != nil {
		return nil, fmt.Errorf("admin port of %s: %w", program, err)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	return &admin{program, base, &http.Client{Transport: transport, Timeout: adminTimeout}}, nil
}

// baseURL turns host:port or http://host:port/ into http://host:port.
func baseURL(address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Host == "" || strings.Trim(u.Path, "/") != "" {
		return "", fmt.Errorf("%q: want host:port or http://host:port", address)
	}
	return "http://" + u.Host, nil
}

// String names the port in errors.
func (a *admin) String() string {
	if a == nil {
		return "admin port"
	}
	return fmt.Sprintf("admin port of %s (%s)", a.program, a.base)
}

// url is the base of the port, "" where that is not known.
func (a *admin) url() string {
	if a == nil {
		return ""
	}
	return a.base
}

func (a *admin) get(ctx context.Context, path string, into any) error {
	return a.do(ctx, http.MethodGet, path, "", into)
}

func (a *admin) post(ctx context.Context, path string) error {
	return a.do(ctx, http.MethodPost, path, "", nil)
}

func (a *admin) put(ctx context.Context, path, body string) error {
	return a.do(ctx, http.MethodPut, path, body, nil)
}

// do makes one call; the answer comes back in into unless that is nil.
func (a *admin) do(ctx context.Context, method, path, body string, into any) error {
	if a == nil {
		return fmt.Errorf("admin port: %w", ErrNotKnown)
	}
	answer, err := a.call(ctx, method, path, body)
	if err != nil {
		return fmt.Errorf("%s %s of %s: %w", method, path, a, err)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s %s of %s: answer is not the JSON expected: %w", method, path, a, err)
	}
	return nil
}

func (a *admin) call(ctx context.Context, method, path, body string) (answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, errors.Unwrap(err) // without method and URL, which do adds
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAdminAnswer))
	if err == nil && resp.StatusCode/100 != 2 {
		err = fmt.Errorf("answer %s: %s", resp.Status, strings.TrimSpace(string(answer)))
	}
	return answer, err
}

// close lets go of idle connections.
func (a *admin) close() {
	if a != nil {
		a.client.CloseIdleConnections()
	}
}
