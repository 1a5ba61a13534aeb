# The command, with the program that runs specifications in WebAssembly, both static, in an image without a shell:
#
#   docker build -t linsat .
#   docker run --rm -v "$PWD/histories:/histories:ro" linsat solve /histories
FROM golang:1.26@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=0.1.0-dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /linsat ./cmd/linsat
# A release requires itself there, and is built from what lies here.
RUN go -C wasm mod edit -replace=github.com/linsat/linsat=../
RUN CGO_ENABLED=0 go -C wasm build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /linsat-wasm ./cmd/linsat-wasm

FROM scratch
COPY --from=build /linsat /linsat-wasm /
COPY LICENSE /LICENSE
USER 65534:65534
ENTRYPOINT ["/linsat"]
