package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"

	"poolvsloop/internal/flow"
)

// fiberOrder is the order handler of the fiber application: the customer from downstream A, the catalog entry from the
// cache, the quote from downstream B, and the cache filled on a miss.
type fiberOrder struct {
	client *fiberClient
	waits  waiting
}

type orderRequest struct {
	CustomerID string  `json:"customer_id"`
	SKU        string  `json:"sku"`
	Quantity   int     `json:"quantity"`
	Note       *string `json:"note"`
}

type customer struct {
	CustomerID string `json:"customer_id"`
	Tier       string `json:"tier"`
	DiscountBP *int   `json:"discount_bp"`
}

type catalogEntry struct {
	SKU       string `json:"sku"`
	Name      string `json:"name"`
	ListPrice *int   `json:"list_price"`
}

type quoteRequest struct {
	CustomerID    string        `json:"customer_id"`
	SKU           string        `json:"sku"`
	Quantity      int           `json:"quantity"`
	Tier          string        `json:"tier"`
	DiscountBP    int           `json:"discount_bp"`
	CatalogWanted bool          `json:"catalog_wanted"`
	Catalog       *catalogEntry `json:"catalog,omitempty"`
}

type quote struct {
	QuoteID   string        `json:"quote_id"`
	UnitPrice *int          `json:"unit_price"`
	Total     *int          `json:"total"`
	Catalog   *catalogEntry `json:"catalog"`
}

type orderAnswer struct {
	Server     string        `json:"server"`
	Cache      string        `json:"cache"`
	CustomerID string        `json:"customer_id"`
	SKU        string        `json:"sku"`
	Quantity   int           `json:"quantity"`
	Tier       string        `json:"tier"`
	DiscountBP int           `json:"discount_bp"`
	QuoteID    string        `json:"quote_id"`
	UnitPrice  int           `json:"unit_price"`
	Total      int           `json:"total"`
	Catalog    *catalogEntry `json:"catalog"`
	Padding    string        `json:"padding"`
}

// stepError is the failure of a call, answered as JSON.
type stepError struct {
	status int
	Text   string `json:"error"`
	Step   string `json:"step"`
}

// Error implements error.
func (e *stepError) Error() string { return e.Step + ": " + e.Text }

// serve answers POST /v1/sync.
func (o *fiberOrder) serve(c *fiber.Ctx) error {
	var order orderRequest
	if err := order.read(c.Body()); err != nil {
		return err
	}
	_ = flow.Burn(o.client.burn)
	id := c.GetRespHeader(fiber.HeaderXRequestID)
	known, err := o.client.customer(c, id, order.CustomerID)
	if err != nil {
		return err
	}
	entry, cached := o.client.entry(c, order.SKU)
	given, err := o.client.quote(c, id, &quoteRequest{
		order.CustomerID, order.SKU, order.Quantity, known.Tier, *known.DiscountBP, entry == nil, entry,
	})
	if err != nil {
		return err
	}
	answer := orderAnswer{
		serverName, "hit ", order.CustomerID, order.SKU, order.Quantity, known.Tier, *known.DiscountBP,
		given.QuoteID, *given.UnitPrice, *given.Total, entry, "",
	}
	if entry == nil {
		answer.Cache, answer.Catalog = "miss", given.Catalog
	}
	works := cached == nil
	if entry == nil && (works || errors.Is(cached, errEntry)) {
		works = o.client.fill(c, given.Catalog) == nil && works
	}
	if !works {
		o.client.meter.CacheFailed()
	}
	return sendPadded(c, &answer)
}

// sendPadded answers with flow.AnswerSize bytes.
func sendPadded(c *fiber.Ctx, answer *orderAnswer) error {
	text, err := encode(answer)
	if err != nil {
		return err
	}
	const end = `"}`
	text = text[:len(text)-len(end)]
	text = append(text, strings.Repeat(".", max(0, flow.AnswerSize-len(text)-len(end)))...)
	return c.Send(append(text, end...))
}

// encode is json.Marshal without its escaping for HTML, which the flow does not do.
func encode(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(text.Bytes(), []byte{'\n'}), err
}

var (
	isWord = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString

	badOrder    = badRequest(flow.BadOrder)
	badCustomer = badRequest(flow.BadCustomer)
	badSKU      = badRequest(flow.BadSKU)
	badQuantity = badRequest(flow.BadQuantity)
	badNote     = badRequest(flow.BadNote)
)

func badRequest(text string) error { return fiber.NewError(http.StatusBadRequest, text) }

// read decodes and checks the body of a request.
func (r *orderRequest) read(body []byte) error {
	if err := json.Unmarshal(body, r); err != nil {
		return fieldProblem(err)
	}
	switch {
	case bytes.Equal(bytes.TrimSpace(body), []byte("null")):
		return badOrder
	case !isWord(r.CustomerID):
		return badCustomer
	case !isWord(r.SKU):
		return badSKU
	case r.Quantity < 1 || r.Quantity > flow.MaxQuantity:
		return badQuantity
	}
	return nil
}

func fieldProblem(err error) error {
	var field *json.UnmarshalTypeError
	if !errors.As(err, &field) {
		return badOrder
	}
	switch field.Field {
	case "customer_id":
		return badCustomer
	case "sku":
		return badSKU
	case "quantity":
		return badQuantity
	case "note":
		return badNote
	}
	return badOrder
}

// numberWithin says whether a number is there, from 0 to limit.
func numberWithin(n *int, limit int) bool { return n != nil && *n >= 0 && *n <= limit }

func (e *catalogEntry) valid(sku string) bool {
	return e != nil && e.SKU == sku && len(e.Name) >= 1 && len(e.Name) <= flow.MaxName &&
		numberWithin(e.ListPrice, flow.MaxPrice)
}
