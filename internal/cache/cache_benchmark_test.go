package cache

import (
	"fmt"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// BenchmarkTick is what one tick of the clock costs with 10,000 entries.
func BenchmarkTick(b *testing.B) {
	m := miniredis.NewMiniRedis()
	for i := range 10_000 {
		key := fmt.Sprintf("catalog:sku-%05d", i)
		if err := m.Set(key, "v"); err != nil {
			b.Fatal(err)
		}
		m.SetTTL(key, 1000*time.Hour)
	}
	for b.Loop() {
		m.FastForward(time.Millisecond)
	}
}
