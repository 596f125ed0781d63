// Package wire is the one HTTP/1.1 and RESP code that every server of the lab speaks: what is parsed, what is refused
// and which bytes are written is the same on a blocking worker and on an event loop.
//
// Nothing here touches a socket, a clock or a goroutine. A decoder is fed the bytes that came and says how many it
// took; an Append function writes to a slice. Values are not safe for concurrent use: one goroutine at a time.
package wire
