package ab

import (
	"fmt"
	"io"
	"syscall"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
)

const (
	// expired is APR's code of a timeout; as an exit code it is 119.
	expired = 70007
	// patience is how many requests may fail before one that could not connect at all ends the run.
	patience = 10
)

// failures sorts failed requests into ab's classes, each into one, and finds out when to give up.
type failures struct {
	*Options
	stdout, stderr io.Writer

	classes abreport.Failed
	unsent  int // of them, those whose sending failed
	// unreachable counts the connections that could not even be tried: no address, port or route. ab does not call
	// them completed.
	unreachable int
	fatal       *Exit
	late        int // failures behind the fatal one
}

// add takes in one failure and says whether the run is over.
func (f *failures) add(x load.Failure) (stop bool) {
	switch {
	case f.fatal != nil:
		f.late++
		return true
	case x.Errno == 0 && x.Outcome == load.TimedOut:
		f.classes.Exceptions++
		return f.broken("apr_pollset_poll", expired, "The timeout specified has expired")
	case x.Reused && x.Errno != syscall.EPIPE: // the server closed a kept connection, as it may
		f.classes.Length++
		return false
	case x.Errno == 0 && x.Unconnected:
		f.classes.Connect++
		say(f.stderr, "SSL handshake failed (1).\n%s\n", x.Cause)
		return false
	case x.Errno == 0: // the answer was not whole
		f.classes.Length++
		return false
	}
	return f.addErrno(x.Errno, f.target.TLS && x.Unconnected)
}

// addErrno takes in a failure that is an error of the kernel; handshake says that it came before a TLS handshake was done.
func (f *failures) addErrno(errno syscall.Errno, handshake bool) (stop bool) {
	switch errno {
	case syscall.EPIPE:
		f.unsent++
		f.classes.Exceptions++
		say(f.stdout, "Send request failed!\n")
		return false
	case syscall.ECONNREFUSED, syscall.EHOSTUNREACH:
		f.classes.Connect++
		return f.broken("apr_socket_recv", int(errno), reason(errno))
	case syscall.ECONNRESET, syscall.ETIMEDOUT:
		if handshake {
			f.classes.Connect++
		} else {
			f.classes.Receive++
		}
		return f.broken("apr_socket_recv", int(errno), reason(errno))
	case syscall.EMFILE, syscall.ENFILE:
		return f.stop("socket", int(errno), reason(errno))
	}
	return f.addUnreachable(errno)
}

// addUnreachable takes in a connection that could not be tried.
func (f *failures) addUnreachable(errno syscall.Errno) bool {
	tooMany := f.classes.Sum() > patience
	f.classes.Connect++
	f.unreachable++
	if tooMany {
		f.stop("apr_socket_connect()", int(errno), reason(errno))
		f.fatal.Stderr = fmt.Sprintf("\nTest aborted after %d failures\n\n%s", patience, f.fatal.Stderr)
	}
	return tooMany
}

// broken ends the run unless -r was given. With TLS only a timeout ends it.
func (f *failures) broken(call string, code int, text string) bool {
	if f.target.TLS && code != expired {
		say(f.stderr, "SSL read failed (5) - closing connection\n")
		return false
	}
	if !f.GoOn {
		return f.stop(call, code, text)
	}
	if f.Verbosity >= 1 {
		say(f.stderr, "%s: %s (%d)\n", call, text, code)
	}
	return false
}

// stop ends the run with an error in APR's form.
func (f *failures) stop(call string, code int, text string) bool {
	f.fatal = aprError(call, code, text)
	return true
}

// exit is the end of a run that was given up.
func (f *failures) exit(x *load.Result) *Exit {
	if done := x.Answered + x.Failed() - 1 - f.late - f.unreachable; done > 0 {
		f.fatal.Stdout = fmt.Sprintf("Total of %d requests completed\n", done)
	}
	return f.fatal
}

// count is the line of classes. different is the number of whole answers of another length than the first.
func (f *failures) count(different int) abreport.Failed {
	c := f.classes
	c.Length += different
	return c
}
