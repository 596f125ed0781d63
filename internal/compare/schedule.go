package compare

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
}

// Schedule returns the slots of that many rounds in ABBA order: A B, B A, A B, … A drift of the machine that is steady
// over a pair of rounds then weighs on both servers alike.
func Schedule(rounds int) []Slot {
	slots := make([]Slot, 0, len(Servers)*max(rounds, 0))
	for round := 1; round <= rounds; round++ {
		first, second := Servers[0], Servers[1]
		if round%2 == 0 {
			first, second = second, first
		}
		for _, server := range [...]Server{first, second} {
			slots = append(slots, Slot{Order: len(slots) + 1, Round: round, Server: server})
		}
	}
	return slots
}
