package flow

import "strconv"

// AnswerSize is the length in bytes of the body of every answered order, hit or miss. The longest answer that the
// bounds of its parts allow takes 559; the rest is padding.
const AnswerSize = 576

// appendAnswer appends the answer to an order, padded to AnswerSize.
func (o *order) appendAnswer(dst []byte, server string) []byte {
	start := len(dst)
	cache := "miss"
	if o.hit {
		cache = "hit "
	}
	dst = append(append(append(dst, `{"server":"`...), server...), `","cache":"`...)
	dst = append(append(append(dst, cache...), '"', ','), `"customer_id":"`...)
	dst = append(append(dst, o.customerID...), '"', ',')
	dst = o.appendTerms(dst)
	dst = append(append(dst, `,"quote_id":"`...), o.quote.id...)
	dst = appendInt(append(dst, `","unit_price":`...), o.quote.unitPrice)
	dst = appendInt(append(dst, `,"total":`...), o.quote.total)
	dst = o.entry.appendJSON(append(dst, `,"catalog":`...), o.sku)
	const padding, end = `,"padding":"`, `"}`
	dst = append(dst, padding...)
	dst = appendFill(dst, '.', AnswerSize-(len(dst)-start)-len(end))
	return append(dst, end...)
}

// appendQuoteRequest appends the body of the call to downstream B: the entry on a hit, the wish for it on a miss.
func (o *order) appendQuoteRequest(dst []byte) []byte {
	dst = append(append(append(dst, `{"customer_id":"`...), o.customerID...), '"', ',')
	dst = o.appendTerms(dst)
	if o.hit {
		dst = append(dst, `,"catalog_wanted":false,"catalog":`...)
		dst = o.entry.appendJSON(dst, o.sku)
	} else {
		dst = append(dst, `,"catalog_wanted":true`...)
	}
	return append(dst, '}')
}

// appendTerms appends the fields of an order that answer and quote request share.
func (o *order) appendTerms(dst []byte) []byte {
	dst = append(append(dst, `"sku":"`...), o.sku...)
	dst = appendInt(append(dst, `","quantity":`...), o.quantity)
	dst = append(append(dst, `,"tier":"`...), o.customer.tier...)
	return appendInt(append(dst, `","discount_bp":`...), o.customer.discount)
}

// appendJSON appends the entry as it is cached, sent to downstream B and answered.
func (e *entry) appendJSON(dst, sku []byte) []byte {
	dst = append(append(dst, `{"sku":"`...), sku...)
	dst = append(append(dst, `","name":"`...), e.name...)
	dst = appendInt(append(dst, `","list_price":`...), e.listPrice)
	return append(dst, '}')
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
