package compare

import (
	"math/rand/v2"

	"poolvsloop/internal/results"
)

// Server names one of the two servers, as folders, results and verdicts do.
type Server string

// The two servers.
const (
	ThreadPool Server = "threadpool"
	EventLoop  Server = "eventloop"
)

// Servers are both, in the order of every report.
var Servers = [...]Server{ThreadPool, EventLoop}

// Slot is one measurement: one server in one round.
type Slot struct {
	// Order is the slot's place among all slots, from 1.
	Order int
	// Round counts from 1; both servers get the same requests in a round.
	Round  int
	Server Server
	// Opens says that it is the first of its round.
	Opens bool
}

// Orders of the rounds.
const (
	ABBA   = "abba"
	Random = "random"
)

// Schedule returns the slots of that many rounds. [ABBA] is A B, B A, A B, …: a drift of the machine that is steady over a
// pair of rounds then weighs on both servers alike. [Random] draws for each two rounds, by seed, which server begins the
// first of them, and lets the other one begin the second.
func Schedule(rounds int, order string, seed uint64) []Slot {
	slots := make([]Slot, 0, len(Servers)*max(rounds, 0))
	random := rand.New(rand.NewPCG(seed, 0))
	begins := 0
	for round := 1; round <= rounds; round++ {
		switch {
		case round%2 == 0:
			begins = 1 - begins
		case order == Random:
			begins = random.IntN(2)
		default:
			begins = 0
		}
		for i, server := range [...]Server{Servers[begins], Servers[1-begins]} {
			slots = append(slots, Slot{Order: len(slots) + 1, Round: round, Server: server, Opens: i == 0})
		}
	}
	return slots
}

func schedule(c results.Config) []Slot { return Schedule(c.Rounds, c.Order, c.Seed) }
