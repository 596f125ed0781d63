package compare

import (
	"math/rand/v2"
	"strings"

	"poolvsloop/internal/results"
)

// Server names one of the two sides, as results and verdicts do; the servers are named as their folders.
type Server string

// The two servers.
const (
	ThreadPool Server = "threadpool"
	EventLoop  Server = "eventloop"
)

// again is what the second process of a server that is compared with itself is called after.
const again = "2"

// kind is the server that a side is: its name, but for the second process of the same server.
func (s Server) kind() Server { return Server(strings.TrimSuffix(string(s), again)) }

// Sides are the two sides of a comparison, in the order of every report.
type Sides [2]Server

// sides are the two servers, or with --same twice the same one.
func sides(c results.Config) Sides {
	if c.Same == "" {
		return Sides{ThreadPool, EventLoop}
	}
	return Sides{Server(c.Same), Server(c.Same + again)}
}

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
func Schedule(sides Sides, rounds int, order string, seed uint64) []Slot {
	slots := make([]Slot, 0, len(sides)*max(rounds, 0))
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
		for i, server := range [...]Server{sides[begins], sides[1-begins]} {
			slots = append(slots, Slot{Order: len(slots) + 1, Round: round, Server: server, Opens: i == 0})
		}
	}
	return slots
}

func schedule(c results.Config) []Slot { return Schedule(sides(c), c.Rounds, c.Order, c.Seed) }
