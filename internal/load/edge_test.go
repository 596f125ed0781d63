package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Events come once when something arrives, so an answer that fills the read buffer several times over, exactly, or whose
// end comes together with its last byte, must be read to its end without another event.
func TestAnswersAtTheBufferSize(t *testing.T) {
	for _, size := range []int{inBuffer - 1, inBuffer, inBuffer + 1, 3 * inBuffer, 40 * inBuffer} {
		for name, untilClose := range map[string]bool{"length": false, "until close": true} {
			t.Run(fmt.Sprintf("%s %d", name, size), func(t *testing.T) {
				head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", size)
				if untilClose {
					head = "HTTP/1.1 200 OK\r\n\r\n"
				}
				body := strings.Repeat("x", size-len(head)) // the whole answer has that size …
				if !untilClose {
					body = strings.Repeat("x", size) // … or the body
				}
				s := serve(t, func(c *net.TCPConn, _ *http.Request, _ int) bool {
					_, err := io.WriteString(c, head+body)
					return err == nil && !untilClose
				})
				r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 12, Clients: 3, KeepAlive: true})
				require.Equal(t, 12, r.Answered, r.Failures)
				require.EqualValues(t, 12*len(body), r.Body)
			})
		}
	}
}
