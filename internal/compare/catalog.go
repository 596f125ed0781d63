package compare

import "poolvsloop/internal/lab"

// catalog returns the cache entries that a batch's hits find: as downstream B would have brought them, but for the
// price, on which no answer's length depends.
func catalog(b Batch) []lab.Entry {
	entries := make([]lab.Entry, b.Keys)
	for n := range entries {
		sku := string(AppendKey(nil, n))
		entries[n] = lab.Entry{
			Key:   "catalog:" + sku,
			Value: `{"sku":"` + sku + `","name":"Item ` + sku + `","list_price":10000}`,
		}
	}
	return entries
}
