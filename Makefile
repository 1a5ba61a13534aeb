# test        every package, with a sample of the random comparisons
# check       what must hold before a change lands
# bench-peers linsat beside Porcupine, and beside fastlin where FASTLIN names the program; LINSAT_CORPORA names the recorded
#             histories. PEERS takes more flags: make bench-peers PEERS='-runs 9 -large'
.PHONY: test check bench-peers

test:
	go test ./...

check:
	.ci/run

bench-peers:
	mkdir -p dist
	go build -o dist/linsat ./cmd/linsat
	cd bench/peers && go run . -linsat ../../dist/linsat $(if $(FASTLIN),-fastlin $(abspath $(FASTLIN))) $(PEERS)
