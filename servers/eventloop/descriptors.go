package main

// descriptorPlan divides the process's descriptors: without one, accept or dial would meet a full table under load.
type descriptorPlan struct {
	// reserve is what the acceptor must leave; perDownstream is the most connections of one loop to one downstream.
	reserve, perDownstream int
}

const (
	// ownDescriptors are kept for the process: streams, listeners, the admin port and its clients, profiles, and
	// duplicates of clients' connections while loops take them.
	ownDescriptors = 48 + mostEnrolling
	// loopDescriptors are kept for each loop: epoll, eventfd, home, cache, and duplicates of its own connections while
	// it takes them.
	loopDescriptors = 8
	downstreams     = 2
	// outboundShare is the part of all others that the downstreams have for certain: one in outboundShare.
	outboundShare = 5
)

// planDescriptors divides limit descriptors. With asked connections of a loop to a downstream they are kept for exactly
// that. Otherwise (0) the downstreams have what the clients do not ask for, and at least their share.
func planDescriptors(limit, loops, maxConns, asked int) descriptorPlan {
	pairs := loops * downstreams // each loop has connections of its own to each downstream
	own := ownDescriptors + loops*loopDescriptors
	if asked > 0 {
		return descriptorPlan{reserve: own + pairs*asked, perDownstream: asked}
	}
	outbound := (limit - own) / outboundShare
	if spare := limit - own - maxConns; maxConns > 0 && spare > outbound {
		outbound = spare
	}
	perDownstream := max(1, outbound/pairs)
	return descriptorPlan{reserve: own + pairs*perDownstream, perDownstream: perDownstream}
}
