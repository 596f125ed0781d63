package wire

// Refusal is the error of a request that must be answered with Status and then be closed. Reason needs no escaping in
// JSON.
type Refusal struct {
	Status int
	Reason string
}

// Error implements error.
func (r *Refusal) Error() string { return r.Reason }

// BodyCutShort is the reason of the 400 for a request whose client closed its side within the body.
const BodyCutShort = "body cut short"

// Refusals of a head, in the order of its lines, then of a body. A ReplyDecoder returns the same ones: the status
// then says nothing, the reason does.
var (
	errBareLF       = &Refusal{400, "line does not end in CRLF"}
	errStart        = &Refusal{400, "message does not start with a token"}
	errHeaderSize   = &Refusal{431, "header too large"}
	errHeaderCount  = &Refusal{431, "too many header lines"}
	errRequestLine  = &Refusal{400, "malformed request line"}
	errTarget       = &Refusal{400, "bad request target"}
	errMethod       = &Refusal{501, "method not implemented"}
	errVersion      = &Refusal{505, "HTTP version not supported"}
	errField        = &Refusal{400, "malformed header line"}
	errHostMissing  = &Refusal{400, "Host header missing"}
	errHostRepeated = &Refusal{400, "more than one Host header"}
	errHost         = &Refusal{400, "bad Host header"}
	errLength       = &Refusal{400, "bad Content-Length"}
	errTwoFramings  = &Refusal{400, "Content-Length and Transfer-Encoding in one message"}
	errCodingOld    = &Refusal{400, "Transfer-Encoding in an HTTP/1.0 message"}
	errCoding       = &Refusal{501, "transfer coding not implemented"}
	errExpect       = &Refusal{417, "expectation not supported"}
	errDisagree     = &Refusal{400, "ambiguous header"}
	errBodySize     = &Refusal{413, "body too large"}
	errChunk        = &Refusal{400, "malformed chunk"}
	errChunkLine    = &Refusal{400, "chunk line too long"}
	errTrailer      = &Refusal{400, "malformed trailer"}
	errStatusLine   = &Refusal{502, "malformed status line"}
	errInterim      = &Refusal{502, "unexpected interim response"}
	errCut          = &Refusal{502, "connection closed within the reply"}
)
