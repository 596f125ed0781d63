package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
)

func TestABHasItsOwnCommandLine(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	for name, c := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		"run":     {[]string{"ab", "-kn5", server.URL + "/"}, 0, "Complete requests:      5\n", ""},
		"version": {[]string{"ab", "-V"}, 0, "This is ApacheBench, Version 2.3", ""},
		"help":    {[]string{"ab", "-h"}, 22, "", "Usage: ab [options]"},
		"usage":   {[]string{"ab"}, 22, "", "ab: wrong number of arguments\n"},
		"option":  {[]string{"ab", "--help"}, 22, "", "ab: illegal option -- -\n"},
		"refused": {[]string{"ab", "-n", "2", "http://" + deadport.Addr(t).String() + "/"}, 111, "Benchmarking", "apr_socket_recv: Connection refused (111)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, c.args...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
}

// TestCalledAB calls the program by a link of ab's name, and interrupts it.
func TestCalledAB(t *testing.T) {
	link := filepath.Join(t.TempDir(), "ab")
	require.NoError(t, os.Symlink(filepath.Join(build(t), "loadrunner"), link))
	reached := make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached <- true
		<-r.Context().Done()
	}))
	defer server.Close()

	output, err := exec.CommandContext(t.Context(), link, "-J", "x", "y").CombinedOutput()
	require.ErrorContains(t, err, "exit status 22")
	require.Contains(t, string(output), "ab: illegal option -- J\n"+link+": wrong number of arguments\nUsage: "+link+" [options]")

	cmd := exec.CommandContext(t.Context(), link, server.URL+"/")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Start())
	<-reached
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.ErrorContains(t, cmd.Wait(), "exit status 1")
	require.Contains(t, stdout.String(), "(be patient)...\n\nServer Software:        \n")
	require.Contains(t, stdout.String(), "Complete requests:      0\n")
	require.Empty(t, stderr.String())
}
