package flow

import (
	"github.com/go-faster/jx"
)

// customer is what downstream A answers: {"customer_id","tier","discount_bp"}.
type customer struct {
	tier     []byte // 1 to 16 characters of [A-Za-z0-9_-]
	discount int    // basis points, 0 to 10000
}

// quote is what downstream B answers: {"quote_id","unit_price","total","catalog"}, the last when it was wanted.
type quote struct {
	id               []byte // 1 to 32 characters of [A-Za-z0-9_-]
	unitPrice, total int    // cents, 0 to MaxPrice
}

// entry is a catalog entry: {"sku","name","list_price"}.
type entry struct {
	name      []byte // 1 to 72 bytes of UTF-8 that JSON need not escape
	listPrice int    // cents, 0 to MaxPrice
}

// Bounds of what downstream answers and cached entries hold: lengths in bytes, prices in cents, discounts in basis
// points.
const (
	MaxTier     = 16
	MaxQuoteID  = 32
	MaxName     = 72
	MaxDiscount = 10_000
	MaxPrice    = 999_999_999_999_999
)

// Bounds of orders.
const (
	maxWord     = 64 // customer_id, sku
	MaxQuantity = 1_000_000
)

// Problems of an order, each with the field it is about.
const (
	BadOrder    = "body: want one JSON object with customer_id, sku and quantity"
	BadCustomer = "customer_id: want one string of 1 to 64 characters A-Z a-z 0-9 _ -"
	BadSKU      = "sku: want one string of 1 to 64 characters A-Z a-z 0-9 _ -"
	BadQuantity = "quantity: want one integer from 1 to 1000000"
	BadNote     = "note: want a string"
	badNested   = "body: want no nested values"
)

// readOrder reads the body of a request. It returns what is wrong with it, or "". Unknown fields are passed over,
// unless they nest: an order is flat, and what a client sends must not decide how deep a parser goes.
func (f *Flow) readOrder(body []byte) (problem string) {
	o := &f.order
	o.customerID, o.sku, o.quantity = o.customerID[:0], o.sku[:0], 0
	f.json.ResetBytes(body)
	ok := members(&f.json, func(d *jx.Decoder, key []byte) bool {
		problem = o.readField(d, key)
		return problem == ""
	})
	switch {
	case problem != "":
		return problem
	case !ok || !atEnd(&f.json):
		return BadOrder
	case len(o.customerID) == 0:
		return BadCustomer
	case len(o.sku) == 0:
		return BadSKU
	case o.quantity == 0:
		return BadQuantity
	}
	return ""
}

func (o *order) readField(d *jx.Decoder, key []byte) (problem string) {
	ok := false
	switch string(key) {
	case "customer_id":
		if o.customerID, ok = word(d, o.customerID, maxWord); !ok {
			return BadCustomer
		}
	case "sku":
		if o.sku, ok = word(d, o.sku, maxWord); !ok {
			return BadSKU
		}
	case "quantity":
		repeated := o.quantity > 0
		if o.quantity, ok = integer(d, MaxQuantity); !ok || repeated || o.quantity == 0 {
			return BadQuantity
		}
	case "note":
		if d.Next() != jx.String || d.Skip() != nil {
			return BadNote
		}
	default:
		return skipFlat(d)
	}
	return ""
}

func skipFlat(d *jx.Decoder) (problem string) {
	if t := d.Next(); t == jx.Object || t == jx.Array {
		return badNested
	}
	if d.Skip() != nil {
		return BadOrder
	}
	return ""
}

// readCustomer reads downstream A's answer, which must be about the customer that was asked for.
func (f *Flow) readCustomer(body []byte) bool {
	o := &f.order
	c := &o.customer
	c.tier, c.discount = c.tier[:0], -1
	asked := false
	f.json.ResetBytes(body)
	return members(&f.json, func(d *jx.Decoder, key []byte) (ok bool) {
		switch string(key) {
		case "customer_id":
			asked = isString(d, o.customerID)
			return asked
		case "tier":
			c.tier, ok = word(d, c.tier, MaxTier)
		case "discount_bp":
			ok = once(d, &c.discount, MaxDiscount)
		default:
			return d.Skip() == nil
		}
		return ok
	}) && atEnd(&f.json) && asked && len(c.tier) > 0 && c.discount >= 0
}

// readQuote reads downstream B's answer; on a miss it must hold the catalog entry.
func (f *Flow) readQuote(body []byte) bool {
	o := &f.order
	q := &o.quote
	q.id, q.unitPrice, q.total = q.id[:0], -1, -1
	entered := o.hit
	f.json.ResetBytes(body)
	return members(&f.json, func(d *jx.Decoder, key []byte) (ok bool) {
		switch {
		case string(key) == "quote_id":
			q.id, ok = word(d, q.id, MaxQuoteID)
		case string(key) == "unit_price":
			ok = once(d, &q.unitPrice, MaxPrice)
		case string(key) == "total":
			ok = once(d, &q.total, MaxPrice)
		case string(key) == "catalog" && !entered:
			entered = o.entry.read(d, o.sku)
			ok = entered
		default:
			return d.Skip() == nil
		}
		return ok
	}) && atEnd(&f.json) && entered && len(q.id) > 0 && q.unitPrice >= 0 && q.total >= 0
}

// readEntry reads a cached catalog entry.
func (f *Flow) readEntry(value []byte) bool {
	f.json.ResetBytes(value)
	return f.order.entry.read(&f.json, f.order.sku) && atEnd(&f.json)
}

// read reads an entry, which must be of that sku.
func (e *entry) read(d *jx.Decoder, sku []byte) bool {
	e.name, e.listPrice = e.name[:0], -1
	asked := false
	return members(d, func(d *jx.Decoder, key []byte) (ok bool) {
		switch string(key) {
		case "sku":
			asked = isString(d, sku)
			return asked
		case "name":
			e.name, ok = plain(d, e.name, MaxName)
		case "list_price":
			ok = once(d, &e.listPrice, MaxPrice)
		default:
			return d.Skip() == nil
		}
		return ok
	}) && asked && len(e.name) > 0 && e.listPrice >= 0
}
