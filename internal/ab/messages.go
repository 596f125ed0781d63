package ab

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"
)

// say prints to the console. What that does not take is lost: there is nowhere else to complain.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

// exitUsage is the exit code of usage errors: EINVAL.
const exitUsage = int(syscall.EINVAL)

//go:embed usage.txt
var options string

// Exit is an early end of the program: what it prints and its exit code.
type Exit struct {
	Code           int
	Stdout, Stderr string
}

// Error implements error.
func (e *Exit) Error() string { return strings.TrimSpace(e.Stderr) }

// usage is an error of the command line, or with an empty complaint the answer to -h.
func usage(name, complaint string) *Exit {
	text := "Usage: " + name + " [options] [http[s]://]hostname[:port]/path\n" + options
	if complaint != "" {
		text = name + ": " + complaint + "\n" + text
	}
	return &Exit{Code: exitUsage, Stderr: text}
}

// misuse is the error of a word that is no option.
func (c *command) misuse(m *misuse, operands []string) *Exit {
	complaint := ""
	if len(operands) != 1 {
		complaint = "wrong number of arguments"
	}
	e := usage(c.name, complaint)
	e.Stderr = fmt.Sprintf("%s: %s -- %c\n", filepath.Base(c.name), m.what, m.letter) + e.Stderr
	return e
}

// refuse is an error of a single option; ab ends it with an empty line.
func refuse(text string) *Exit { return &Exit{Code: 1, Stderr: text + "\n\n"} }

// aprError is an error that APR reports: which call failed, why, and the code of that, which is the exit code too.
func aprError(call string, code int, text string) *Exit {
	return &Exit{Code: code, Stderr: fmt.Sprintf("%s: %s (%d)\n", call, text, code)}
}

// unreadable says what was wrong with the file of -p or -u.
func unreadable(file string, err error) string {
	if errors.Is(err, syscall.EISDIR) {
		return "ab: Could not read POST data file: " + reason(err) + "\n"
	}
	return fmt.Sprintf("ab: Could not open POST data file (%s): %s\n", file, reason(err))
}

// reason is the system's word for an error, as strerror(3) has it.
func reason(err error) string {
	text := err.Error()
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		text = errno.Error()
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// banner is what every run begins with.
func banner(html bool) string {
	if html {
		return "<p>\n This is ApacheBench, Version 2.3 <i>&lt;$Revision$&gt;</i><br>\n" +
			" Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/<br>\n" +
			" Licensed to The Apache Software Foundation, http://www.apache.org/<br>\n</p>\n<p>\n"
	}
	return "This is ApacheBench, Version 2.3 <$Revision$>\n" +
		"Copyright 1996 Adam Twiss, Zeus Technology Ltd, http://www.zeustech.net/\n" +
		"Licensed to The Apache Software Foundation, http://www.apache.org/\n\n"
}
