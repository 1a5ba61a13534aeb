# test        every package, with a sample of the random comparisons
# check       what must hold before a change lands
# bench-peers linsat beside Porcupine, and beside fastlin where FASTLIN names the program; LINSAT_CORPORA names the recorded
#             histories. PEERS takes more flags: make bench-peers PEERS='-runs 9 -large'
# bench-cliffs linsat on histories of shapes that took long once, with Porcupine, fastlin, FPTLin (fptlin) and PolyLin (polylin)
#             beside it where they are on the PATH; PEERS=-large adds reading and reasons of a million operations
# goz3        ./linsat with the Z3 library through go-z3, whose cgo directive names a libz3.a in its own folder
# z3-test     the tests of the Z3 library
.PHONY: test check bench-peers bench-cliffs goz3 z3-test

test:
	go test ./...

check:
	scripts/check

bench-peers:
	mkdir -p dist
	go build -o dist/linsat ./cmd/linsat
	cd bench/peers && go run . -linsat ../../dist/linsat $(if $(FASTLIN),-fastlin $(abspath $(FASTLIN))) $(PEERS)

bench-cliffs:
	mkdir -p dist
	go build -o dist/linsat ./cmd/linsat
	cd bench/peers && go run . -cliffs -linsat ../../dist/linsat $(if $(FASTLIN),-fastlin $(abspath $(FASTLIN))) $(PEERS)

goz3:
	CC="$(CURDIR)/scripts/cc-z3" CGO_ENABLED=1 go build -tags z3,goz3 -o linsat ./cmd/linsat

z3-test:
	CGO_ENABLED=1 go vet -tags z3 ./internal/solver/z3 ./cmd/linsat
	CGO_ENABLED=1 go test -tags z3 -timeout 15m ./internal/solver/z3
	CGO_ENABLED=1 go test -tags z3 -timeout 15m -run '^TestScripts$$/^solvers$$' ./cmd/linsat
	CC="$(CURDIR)/scripts/cc-z3" CGO_ENABLED=1 go vet -tags z3,goz3 ./internal/solver/z3
	CC="$(CURDIR)/scripts/cc-z3" CGO_ENABLED=1 go test -tags z3,goz3 -timeout 15m ./internal/solver/z3
