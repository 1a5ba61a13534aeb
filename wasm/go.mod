module github.com/linsat/linsat/wasm

go 1.26.0

replace github.com/linsat/linsat => ../

require (
	github.com/linsat/linsat v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/tetratelabs/wazero v1.12.0
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.46.0 // indirect
	olympos.io/encoding/edn v0.0.0-20201019073823-d3554ca0b0a3 // indirect
)
