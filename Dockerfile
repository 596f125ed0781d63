# One image holds every program of the lab; compose.yaml says which one a container runs.
ARG GO_IMAGE=golang:1.26
FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/ \
    ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner

FROM scratch
COPY --from=build /out/ /
USER 65532:65532
