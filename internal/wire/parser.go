package wire

import (
	"bufio"
	"bytes"
	"sync"

	"github.com/valyala/fasthttp"
)

// parser runs fasthttp's header parsers over the bytes of one complete, checked head. A parse is one synchronous step,
// so parsers are shared between connections: an idle connection holds none.
type parser struct {
	bytes    bytes.Reader
	reader   *bufio.Reader
	request  fasthttp.RequestHeader
	response fasthttp.ResponseHeader
}

var parsers = sync.Pool{New: func() any { return &parser{reader: bufio.NewReaderSize(nil, 1<<10)} }}

// feed makes the parser's reader hold all of head, which fasthttp needs to parse it in one pass.
func (p *parser) feed(head []byte) {
	p.bytes.Reset(head)
	if p.reader.Size() < len(head) {
		p.reader = bufio.NewReaderSize(nil, len(head))
	}
	p.reader.Reset(&p.bytes)
}

// parseRequest parses a request's head into the parser's request.
func (p *parser) parseRequest(head []byte) error {
	p.feed(head)
	if p.request.Read(p.reader) != nil || p.reader.Buffered() > 0 {
		return errDisagree
	}
	return nil
}

// parseResponse parses a response's head into the parser's response.
func (p *parser) parseResponse(head []byte) error {
	p.feed(head)
	if p.response.Read(p.reader) != nil || p.reader.Buffered() > 0 {
		return errDisagree
	}
	return nil
}

// release gives the parser back.
func (p *parser) release() {
	p.bytes.Reset(nil)
	parsers.Put(p)
}
