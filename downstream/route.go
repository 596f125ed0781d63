package main

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/gofiber/fiber/v2"
)

// Route is one thing a downstream can be asked. A scenario is a file that declares its routes.
type Route struct {
	// Name is the route's name in the ledger.
	Name, Method, Path string
	// Answer computes the value that is answered as JSON: a pure function of the request and its draw. An error is
	// answered with 400 and its text.
	Answer func(c *fiber.Ctx, d Draw) (any, error)
}

// routes are all that every downstream serves, whatever its name.
var routes = []Route{customers, quotes}

// otherRoute is the ledger's name for requests that no route takes; they are answered 404.
const otherRoute = "other"

// problem is the body of every answer that is not a good one.
type problem struct {
	Error string `json:"error"`
}

func answerProblem(c *fiber.Ctx, status int, text string) error {
	return c.Status(status).JSON(problem{text})
}

// pathParam returns a decoded parameter of the path.
func pathParam(c *fiber.Ctx, name string) (string, error) {
	value, err := url.PathUnescape(c.Params(name))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return value, nil
}

func encode(value any) []byte {
	body, err := json.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("answers are plain structs, so encoding cannot fail: %v", err))
	}
	return body
}
