// Package queueing predicts what a server does under a load from how both are configured: the operational laws, bounds,
// exact solutions of closed and open queueing networks, and a small simulation for what has no formula.
//
// It is pure: no clock, no file, no socket; the simulation's chance comes from a seed. Everything may be called from
// any goroutine. Times are in seconds, rates per second, unless a type says otherwise.
//
// Sources: Denning and Buzen, The Operational Analysis of Queueing Network Models, 1978 (laws, bounds); Buzen, 1973
// (convolution); Chandy, Herzog and Woo, 1975 (flow-equivalent server); Reiser and Lavenberg, 1980 (MVA); Allen and
// Cunneen (G/G/c); Lazowska et al., Quantitative System Performance, 1984.
package queueing
