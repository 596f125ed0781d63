package ab

import (
	"fmt"
	"strings"
)

// maxHead is the length of the request header that ab's buffer holds.
const maxHead = 8191

// head is the header of every request, up to and with the empty line.
func (o *Options) head() string {
	var b strings.Builder
	uri := o.target.Path
	if o.Proxied {
		uri = o.target.URL
	}
	fmt.Fprintf(&b, "%s %s HTTP/1.0\r\n", o.Method, uri)
	if o.KeepAlive {
		b.WriteString("Connection: Keep-Alive\r\n")
	}
	if len(o.Cookies) > 0 {
		fmt.Fprintf(&b, "Cookie: %s\r\n", strings.Join(o.Cookies, "; "))
	}
	b.WriteString(o.authorization)
	if o.SendBody {
		fmt.Fprintf(&b, "Content-length: %d\r\nContent-type: %s\r\n", len(o.Body), o.ContentType)
	}
	for _, line := range o.Headers {
		b.WriteString(line + "\r\n")
	}
	for _, own := range []struct{ name, value string }{
		{"Host", o.target.HostField}, {"User-Agent", "ApacheBench/2.3"}, {"Accept", "*/*"},
	} {
		if _, given := o.header(own.name); !given {
			fmt.Fprintf(&b, "%s: %s\r\n", own.name, own.value)
		}
	}
	b.WriteString("\r\n")
	return b.String()
}

// header returns the value of the last -H of that name.
func (o *Options) header(name string) (value string, given bool) {
	prefix := len(name) + 1
	for _, line := range o.Headers {
		if len(line) >= prefix && strings.EqualFold(line[:prefix], name+":") {
			value, given = strings.TrimSpace(line[prefix:]), true
		}
	}
	return value, given
}
