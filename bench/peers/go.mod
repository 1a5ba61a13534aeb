module github.com/linsat/linsat/bench/peers

go 1.25.0

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/linsat/linsat v0.0.0
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/linsat/linsat/porcupine v0.0.0
	olympos.io/encoding/edn v0.0.0-20201019073823-d3554ca0b0a3 // indirect
)

replace github.com/linsat/linsat => ../../

replace github.com/linsat/linsat/porcupine => ../../porcupine
