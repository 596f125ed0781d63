package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// askTimeout bounds one call of --ask.
const askTimeout = 10 * time.Second

// newAsking returns the client of --ask; it keeps as many connections as are used at once.
func newAsking() *http.Client {
	return &http.Client{Timeout: askTimeout, Transport: &http.Transport{MaxIdleConnsPerHost: concurrency}}
}

// ask makes the call without which the downstream cannot answer. It ends when hanging calls are let go.
func (s *Server) ask(url string) error {
	if url == "" {
		return nil
	}
	request, err := http.NewRequestWithContext(s.leave, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", url, err)
	}
	answer, err := s.asking.Do(request)
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, maxBody)); err != nil {
		return fmt.Errorf("ask %s: %w", url, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("ask %s: %s", url, answer.Status)
	}
	return nil
}
