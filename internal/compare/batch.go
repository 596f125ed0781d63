package compare

import (
	"math/rand/v2"
	"strconv"

	"poolvsloop/internal/wire"
)

// Batch makes the orders of one round. Everything in it is a function of (Seed, Round, i), so both servers get the same
// orders in a round: the same ids, hence the same delays downstream, and the same keys, hence the same hits and misses.
// Ids differ between rounds. Its methods may be called from any goroutine.
type Batch struct {
	Seed uint64
	// Round is 0 for what is sent outside the measurement, and counts from 1 inside.
	Round int
	// Keys is the number of catalog entries that are cached before the round starts.
	Keys int
	// HitRatio is the share of orders, 0 to 1, that ask for one of them. Every other order asks for an entry that no
	// other order of the round asks for.
	HitRatio float64
	// BodySize is the length of every body in bytes, at least [MinBodySize].
	BodySize int
}

// customers is how many customer ids there are.
const customers = 1_000_000

// note is what pads a body, again and again.
const note = "Please ring twice and leave it with the neighbour. "

// skuDigits is the width of a number in a stock keeping unit; it bounds Keys plus the orders of a round.
const skuDigits = 9

// MaxOrders bounds Keys plus the orders of one round.
const MaxOrders = 999_999_999

// Hit says whether order i finds its catalog entry in the cache.
func (b Batch) Hit(i int) bool {
	draw, _ := b.draw(i)
	return draw < b.HitRatio
}

// Misses counts the misses among the first n orders.
func (b Batch) Misses(n int) int {
	misses := 0
	for i := range n {
		if !b.Hit(i) {
			misses++
		}
	}
	return misses
}

// AppendID appends the X-Request-Id of order i, of one width in all rounds.
func (b Batch) AppendID(dst []byte, i int) []byte {
	dst = append(dst, "round-"...)
	dst = wire.AppendPadded(dst, int64(b.Round), 4)
	dst = append(dst, '-')
	return wire.AppendPadded(dst, int64(i), 9)
}

// AppendSKU appends the stock keeping unit that order i asks for.
func (b Batch) AppendSKU(dst []byte, i int) []byte {
	if draw, pick := b.draw(i); draw < b.HitRatio {
		return AppendKey(dst, int(pick%uint64(b.Keys)))
	}
	return AppendKey(dst, b.Keys+i)
}

// AppendKey appends the stock keeping unit of catalog entry n; those below Keys are cached before a round.
func AppendKey(dst []byte, n int) []byte {
	return wire.AppendPadded(append(dst, "sku-"...), int64(n), skuDigits)
}

// AppendBody appends the JSON body of order i, BodySize bytes long.
func (b Batch) AppendBody(dst []byte, i int) []byte {
	start := len(dst)
	dst = b.appendOrder(append(dst, '{'), i)
	dst = append(dst, `,"note":"`...)
	for missing := start + b.BodySize - len(`"}`) - len(dst); missing > 0; missing -= len(note) {
		dst = append(dst, note[:min(missing, len(note))]...)
	}
	return append(dst, `"}`...)
}

// appendOrder appends the fields of order i that its answer repeats.
func (b Batch) appendOrder(dst []byte, i int) []byte {
	_, pick := b.draw(i)
	dst = append(dst, `"customer_id":"c-`...)
	dst = wire.AppendPadded(dst, int64(pick>>32)%customers, 6)
	dst = append(dst, `","sku":"`...)
	dst = b.AppendSKU(dst, i)
	dst = append(dst, `","quantity":`...)
	return strconv.AppendUint(dst, 1+pick>>16%9, 10)
}

// appendAsked appends how the answer 200 to order i goes on behind the word "cache": whether it was a hit, then the order.
func (b Batch) appendAsked(dst []byte, i int, hit bool) []byte {
	cache := "miss"
	if hit {
		cache = "hit "
	}
	return b.appendOrder(append(append(dst, cache...), `",`...), i)
}

// MinBodySize is the length in bytes of a body with an empty note.
var MinBodySize = len(Batch{Keys: 1}.AppendBody(nil, 0))

// draw returns order i's two random numbers: one in [0,1) that decides about the hit, and 64 bits for the rest.
func (b Batch) draw(i int) (hit float64, pick uint64) {
	var source rand.PCG
	source.Seed(b.Seed, uint64(b.Round)<<32|uint64(uint32(i)))
	hit = float64(source.Uint64()>>11) / (1 << 53)
	return hit, source.Uint64()
}
