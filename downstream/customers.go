package main

import "github.com/gofiber/fiber/v2"

// customers is what downstream A is asked: who the customer is.
var customers = Route{Name: "customers", Method: fiber.MethodGet, Path: "/customers/:customer_id", Answer: answerCustomer}

type customer struct {
	ID         string `json:"customer_id"`
	Tier       string `json:"tier"`
	DiscountBP int    `json:"discount_bp"`
}

// tiers are dealt to customers by the hash of their id, alike in every downstream and with every seed.
var tiers = [...]struct {
	name       string
	discountBP int
}{{"gold", 250}, {"silver", 150}, {"bronze", 100}}

func answerCustomer(c *fiber.Ctx, _ Draw) (any, error) {
	id, err := pathParam(c, "customer_id")
	if err != nil {
		return nil, err
	}
	tier := tiers[hash(id)%uint64(len(tiers))]
	return customer{ID: id, Tier: tier.name, DiscountBP: tier.discountBP}, nil
}
