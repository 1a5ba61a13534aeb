module github.com/linsat/linsat/bench

go 1.25.0

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/linsat/linsat v0.0.0
	github.com/stretchr/testify v1.12.1
	gonum.org/v1/plot v0.17.0
)

require (
	codeberg.org/go-fonts/liberation v0.5.0 // indirect
	codeberg.org/go-latex/latex v0.2.0 // indirect
	codeberg.org/go-pdf/fpdf v0.11.1 // indirect
	git.sr.ht/~sbinet/gg v0.7.0 // indirect
	github.com/ajstarks/svgo v0.0.0-20211024235047-1546f124cd8b // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/image v0.30.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)

require (
	github.com/go-air/gini v1.0.4 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/linsat/linsat/porcupine v0.0.0
	olympos.io/encoding/edn v0.0.0-20201019073823-d3554ca0b0a3 // indirect
)

replace github.com/linsat/linsat => ../

replace github.com/linsat/linsat/porcupine => ../porcupine
