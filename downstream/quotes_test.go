package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTotalIsRoundedHalfUp(t *testing.T) {
	for _, tc := range []struct {
		price, quantity, discountBP, want int64
	}{
		{10_000, 1, 0, 10_000},
		{10_000, 3, 250, 29_250},
		{10_001, 1, 250, 9_751},   // 9750.975
		{10_002, 1, 2_500, 7_502}, // 7501.5
		{10_003, 1, 5_000, 5_002}, // 5001.5
		{99_999, 1, 10_000, 0},
		{99_999, maxQuantity, 0, 99_999_000_000},
	} {
		t.Run(fmt.Sprintf("%d x %d less %d", tc.price, tc.quantity, tc.discountBP), func(t *testing.T) {
			assert.Equal(t, tc.want, total(tc.price, quoteRequest{quantity: tc.quantity, discountBP: tc.discountBP}))
		})
	}
}

func TestUnitPricesHaveFiveDigits(t *testing.T) {
	prices := map[int64]bool{}
	for i := range 10_000 {
		price := unitPrice(fmt.Sprintf("sku-%05d", i))
		require.GreaterOrEqual(t, price, int64(10_000))
		require.LessOrEqual(t, price, int64(99_999))
		prices[price] = true
	}
	assert.Greater(t, len(prices), 9_000, "skus have prices of their own")
}

func TestParseQuoteRequest(t *testing.T) {
	r, err := parseQuoteRequest([]byte(`{"customer_id":"c","sku":"s","quantity":3,"tier":"gold","discount_bp":250,` +
		`"catalog_wanted":true,"catalog":{"sku":"s","name":"n","list_price":1}}`))
	require.NoError(t, err)
	assert.Equal(t, quoteRequest{sku: "s", quantity: 3, discountBP: 250, catalogWanted: true}, r)

	for body, want := range map[string]string{
		``:                                   "body: ",
		`{`:                                  "body: ",
		`[]`:                                 "body: want a JSON object",
		`null`:                               "body: want a JSON object",
		`{} {}`:                              "body: ",
		`{"customer_id":"c","quantity":1}`:   "sku: want",
		`{"customer_id":"c","sku":1}`:        "sku: want",
		`{"sku":"s","quantity":1}`:           "customer_id: want",
		`{"sku":"s","customer_id":""}`:       "customer_id: want",
		`{"sku":"s","customer_id":"c"}`:      "quantity: want",
		`{"quantity":"3"}`:                   "quantity: want",
		`{"quantity":1.5}`:                   "quantity: want",
		`{"quantity":0}`:                     "quantity: want",
		`{"quantity":1000001}`:               "quantity: want",
		`{"quantity":1,"discount_bp":-1}`:    "discount_bp: want",
		`{"quantity":1,"discount_bp":10001}`: "discount_bp: want",
	} {
		t.Run(body, func(t *testing.T) {
			_, err := parseQuoteRequest([]byte(body))
			require.ErrorContains(t, err, want)
		})
	}
}

func FuzzParseQuoteRequest(f *testing.F) {
	f.Add([]byte(`{"customer_id":"c","sku":"s","quantity":3,"discount_bp":250,"catalog_wanted":true}`))
	f.Add([]byte(`{"sku":"\u0000\ud800","quantity":1e3}`))
	f.Add([]byte(`[[[[{"sku":{}}]]]]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := parseQuoteRequest(body)
		if err != nil {
			return
		}
		price := unitPrice(r.sku)
		if sum := total(price, r); r.sku == "" || sum < 0 || sum > price*r.quantity {
			t.Fatalf("%q: %+v costs %d at %d", body, r, sum, price)
		}
	})
}
