package wire

// chars is a set of bytes.
type chars [256]bool

func charsOf(s string) (set chars) {
	for _, c := range []byte(s) {
		set[c] = true
	}
	return set
}

func (set chars) and(s string) chars {
	for _, c := range []byte(s) {
		set[c] = true
	}
	return set
}

func (set chars) andRange(from, to byte) chars {
	for c := int(from); c <= int(to); c++ {
		set[c] = true
	}
	return set
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// Grammar: RFC 9110 §5.6.2 (token), §5.5 (field content), RFC 9112 §3.2 with RFC 3986 (target, host). Bytes above
// 0x7f are let through in values and targets: they can't be misread as framing.
var (
	tokenChars  = charsOf("!#$%&'*+-.^_`|~" + alphanumeric)
	valueChars  = charsOf("\t").andRange(0x20, 0x7e).andRange(0x80, 0xff)
	targetChars = chars{}.andRange('$', '~').and("!\"").andRange(0x80, 0xff)
	hostChars   = charsOf("-._~%!$&'()*+,;=" + alphanumeric)
	ipv6Chars   = charsOf(":.0123456789abcdefABCDEF")
	idChars     = charsOf("._-" + alphanumeric)
)

// all says whether every byte of b is in the set.
func (set *chars) all(b []byte) bool {
	for _, c := range b {
		if !set[c] {
			return false
		}
	}
	return true
}

// digits parses b as an unsigned decimal number and saturates at the largest int; ok is false unless b is one or more
// digits and nothing else.
func digits(b []byte) (n int, ok bool) {
	const maxInt = int(^uint(0) >> 1)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		d := int(c - '0')
		if n > (maxInt-d)/10 {
			n = maxInt
			continue
		}
		n = n*10 + d
	}
	return n, len(b) > 0
}

// equalFold compares ASCII without regard to case; lower must be in lower case.
func equalFold(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
