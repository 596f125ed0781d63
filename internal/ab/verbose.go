package ab

import (
	"bytes"
	"io"
)

// headLog prints the headers of the answers as they come, for -v 2 and above.
type headLog struct {
	w         io.Writer
	verbosity int
	partial   map[int][]byte // what a client has of a header whose end has not come
}

// read takes in bytes that a client read; first says that they begin an answer. All that has come is printed again with
// every piece, with what came of the body along with the header's end.
func (h *headLog) read(client int, first bool, b []byte) {
	head, unfinished := h.partial[client]
	if !first && !unfinished {
		return
	}
	if first {
		head = nil
	}
	head = append(head, b...)
	say(h.w, "LOG: header received:\n%s\n", head)
	if !bytes.Contains(head, []byte("\r\n\r\n")) && !bytes.Contains(head, []byte("\n\n")) {
		h.partial[client] = head
		return
	}
	delete(h.partial, client)
	h.judge(head)
}

// judge prints the status, by ab's rule: three characters, nine behind the first "HTTP".
func (h *headLog) judge(head []byte) {
	const skip = len("HTTP/1.1 ")
	status := "500"
	if i := bytes.Index(head, []byte("HTTP")); i >= 0 && len(head) >= i+skip+3 {
		status = string(head[i+skip : i+skip+3])
	}
	if status[0] != '2' {
		say(h.w, "WARNING: Response code not 2xx (%s)\n", status)
	} else if h.verbosity >= 3 {
		say(h.w, "LOG: Response code = %s\n", status)
	}
}
