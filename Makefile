.DEFAULT_GOAL := help
PROGRAMS := ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner
FUZZTIME ?= 60s

.PHONY: help build run test lint fuzz bench predict aa conformance beside-ab readme ci

help: ## Show this list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-12s %s\n", $$1, $$2}'

build: ## Build the four programs into bin/.
	go build -o bin/ $(PROGRAMS)

run: ## Run the default comparison.
	go run ./loadrunner

test: ## Run all tests, as .ci/run does.
	go test -race -shuffle=on ./...

lint: ## Check format, vet and lint.
	.ci/lint

fuzz: ## Fuzz every target for FUZZTIME (60s) each.
	.ci/fuzz $(FUZZTIME)

conformance: ## Ask both servers what they do in the corners of HTTP/1.1.
	.ci/conformance

bench: ## Measure CPU per request and memory per idle connection, side by side (minutes).
	bench/servers.sh
	bench/idle.sh
	bench/load.sh

predict: ## Hold predictions against measurements (20 minutes, a quiet machine).
	bench/predict.sh

aa: ## Compare a server with itself, and with a slowed one, many times (12 minutes, a quiet machine).
	bench/aa.sh

beside-ab: ## Run ab and loadrunner ab side by side on both servers.
	bench/ab.sh

readme: ## Run every command of the README, the lab in containers included.
	.ci/readme

ci: ## All that CI does.
	.ci/run
