package wire

import "time"

// ValueKind is the kind of a RESP2 value the cache may answer with.
type ValueKind uint8

// Kinds of a [Value].
const (
	Null ValueKind = iota
	Bulk
	Simple
	Integer
	CacheError
)

// Value is one reply of the cache. Data aliases the parsed bytes.
type Value struct {
	Kind ValueKind
	Data []byte
}

// ParseValue parses one RESP2 reply at the start of b. n is 0 while it is incomplete. A bulk longer than max bytes, or
// anything that is not RESP2, is an error: the connection is of no further use.
func ParseValue(b []byte, max int) (v Value, n int, err error) { panic("not written") }

// AppendGet appends GET key.
func AppendGet(dst []byte, key []byte) []byte { panic("not written") }

// AppendSet appends SET key value EX ttl; ttl is rounded up to whole seconds, at least one.
func AppendSet(dst []byte, key, value []byte, ttl time.Duration) []byte { panic("not written") }
