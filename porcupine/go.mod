module github.com/linsat/linsat/porcupine

go 1.25.0

require (
	github.com/linsat/linsat v0.0.0
	github.com/stretchr/testify v1.12.1
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	olympos.io/encoding/edn v0.0.0-20201019073823-d3554ca0b0a3 // indirect
)

replace github.com/linsat/linsat => ../
