package main

import (
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fastjson"
)

// quotes is what downstream B is asked: what the customer has to pay.
var quotes = Route{Name: "quotes", Method: fiber.MethodPost, Path: "/quotes", Answer: answerQuote}

type quote struct {
	// ID is 16 hexadecimal digits, from the seed, the name and the request id.
	ID        string   `json:"quote_id"`
	UnitPrice int64    `json:"unit_price"`
	Total     int64    `json:"total"`
	Catalog   *catalog `json:"catalog,omitempty"`
}

// catalog is what B knows of a stock keeping unit, and what the cache keeps of it.
type catalog struct {
	SKU       string `json:"sku"`
	Name      string `json:"name"`
	ListPrice int64  `json:"list_price"`
}

// quoteRequest is what an answer depends on. The tier and a catalog entry that comes along have no say in it, so the
// price is the same whether the entry was in the cache or not.
type quoteRequest struct {
	sku           string
	quantity      int64
	discountBP    int64
	catalogWanted bool
}

// Bounds of a quote: they keep a total far inside 64 bits.
const (
	maxQuantity    = 1_000_000
	wholeDiscount  = 10_000 // basis points
	leastUnitPrice = 10_000 // cents
	unitPrices     = 90_000
)

var parsers fastjson.ParserPool

func answerQuote(c *fiber.Ctx, d Draw) (any, error) {
	request, err := parseQuoteRequest(c.Body())
	if err != nil {
		return nil, err
	}
	price := unitPrice(request.sku)
	answer := quote{ID: fmt.Sprintf("%016x", d.Quote), UnitPrice: price, Total: total(price, request)}
	if request.catalogWanted {
		answer.Catalog = &catalog{SKU: request.sku, Name: "Item " + request.sku, ListPrice: price}
	}
	return answer, nil
}

// unitPrice is in cents and always has five digits.
func unitPrice(sku string) int64 { return leastUnitPrice + int64(hash(sku)%unitPrices) }

// total is in cents, rounded half up.
func total(price int64, r quoteRequest) int64 {
	return (price*r.quantity*(wholeDiscount-r.discountBP) + wholeDiscount/2) / wholeDiscount
}

func parseQuoteRequest(body []byte) (quoteRequest, error) {
	parser := parsers.Get()
	defer parsers.Put(parser)
	root, err := parser.ParseBytes(body)
	if err != nil {
		return quoteRequest{}, fmt.Errorf("body: %w", err)
	}
	if root.Type() != fastjson.TypeObject {
		return quoteRequest{}, errors.New("body: want a JSON object")
	}
	r := quoteRequest{
		sku:           string(root.GetStringBytes("sku")),
		quantity:      root.GetInt64("quantity"),
		discountBP:    root.GetInt64("discount_bp"),
		catalogWanted: root.GetBool("catalog_wanted"),
	}
	return r, errors.Join(
		unless(r.sku != "", "sku: want a text that is not empty"),
		unless(len(root.GetStringBytes("customer_id")) > 0, "customer_id: want a text that is not empty"),
		unless(r.quantity >= 1 && r.quantity <= maxQuantity, "quantity: want a whole number, 1 to 1000000"),
		unless(r.discountBP >= 0 && r.discountBP <= wholeDiscount, "discount_bp: want a whole number, 0 to 10000"),
	)
}

func unless(holds bool, text string) error {
	if holds {
		return nil
	}
	return errors.New(text)
}
