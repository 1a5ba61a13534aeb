# The command alone, static, in an image without a shell:
#
#   docker build -t linsat .
#   docker run --rm -v "$PWD/histories:/histories:ro" linsat solve /histories
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=0.1.0-dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /linsat ./cmd/linsat

FROM scratch
COPY --from=build /linsat /linsat
COPY LICENSE /LICENSE
USER 65534:65534
ENTRYPOINT ["/linsat"]
