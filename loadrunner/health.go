package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
)

// healthCommand asks a program of the lab whether it is ready; containers use it, whose image has nothing else to ask
// with.
func healthCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "health URL",
		Short: "Exit with 0 when GET URL answers 200, with 1 when not",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkHealth(cmd.Context(), args[0])
		},
	}
}

// healthTimeout bounds the whole question.
const healthTimeout = 2 * time.Second

func checkHealth(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return program.Usage(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		return fmt.Errorf("GET %s: %s: %s", url, answer.Status, strings.TrimSpace(string(text)))
	}
	return nil
}
