package compare

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatchIsAFunctionOfSeedRoundAndIndex(t *testing.T) {
	base := Batch{Seed: 1, Round: 1, Keys: 1000, HitRatio: 0.5, BodySize: 200}
	other := map[string]Batch{"another seed": base, "another round": base}
	seed, round := other["another seed"], other["another round"]
	seed.Seed, round.Round = 2, 2

	require.Equal(t, base.AppendBody(nil, 7), base.AppendBody(nil, 7))
	for name, b := range map[string]Batch{"another seed": seed, "another round": round} {
		t.Run(name, func(t *testing.T) {
			same := 0
			for i := range 1000 {
				if string(b.AppendBody(nil, i)) == string(base.AppendBody(nil, i)) {
					same++
				}
			}
			require.Less(t, same, 10)
		})
	}
	require.NotEqual(t, string(base.AppendID(nil, 7)), string(round.AppendID(nil, 7)), "ids differ between rounds")
	require.Equal(t, "round-0002-000000007", string(round.AppendID(nil, 7)))
}

func TestBatchHitsAndMisses(t *testing.T) {
	for name, c := range map[string]struct {
		ratio float64
		keys  int
	}{
		"none hits": {0, 10}, "most hit": {0.9, 1000}, "half hits": {0.5, 3}, "all hit": {1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			const n = 4_000
			b := Batch{Seed: 42, Round: 3, Keys: c.keys, HitRatio: c.ratio, BodySize: 200}
			cached := map[string]bool{}
			for key := range c.keys {
				cached[string(AppendKey(nil, key))] = true
			}
			asked, misses := map[string]bool{}, 0
			for i := range n {
				sku := string(b.AppendSKU(nil, i))
				if b.Hit(i) != cached[sku] || asked[sku] {
					t.Fatalf("order %d asks for %s: hit %t, cached %t, missed before %t", i, sku, b.Hit(i), cached[sku], asked[sku])
				}
				if !b.Hit(i) {
					misses++
					asked[sku] = true
				}
			}
			require.Equal(t, misses, b.Misses(n))
			deviation := 5 * math.Sqrt(n*c.ratio*(1-c.ratio))
			require.InDelta(t, n*(1-c.ratio), misses, deviation)
		})
	}
}

func TestBatchBodyIsAnOrderOfTheWantedSize(t *testing.T) {
	for name, size := range map[string]int{"smallest": MinBodySize, "default": 256, "large": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			b := Batch{Seed: 1, Round: 1, Keys: 1000, HitRatio: 0.9, BodySize: size}
			for i := range 5 {
				body := b.AppendBody([]byte("before"), i)[len("before"):]
				require.Len(t, body, size)
				var order struct {
					CustomerID string `json:"customer_id"`
					SKU        string `json:"sku"`
					Quantity   int    `json:"quantity"`
					Note       string `json:"note"`
				}
				require.NoError(t, json.Unmarshal(body, &order))
				require.Regexp(t, `^c-\d{6}$`, order.CustomerID)
				require.Equal(t, string(b.AppendSKU(nil, i)), order.SKU)
				require.True(t, 1 <= order.Quantity && order.Quantity <= 9, "quantity %d", order.Quantity)
			}
		})
	}
}

func BenchmarkBatchAppendBody(b *testing.B) {
	batch := Batch{Seed: 1, Round: 1, Keys: 1000, HitRatio: 0.9, BodySize: 256}
	body := make([]byte, 0, 512)
	for i := range b.N {
		body = batch.AppendBody(body[:0], i)
	}
}
