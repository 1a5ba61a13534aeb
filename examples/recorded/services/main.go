// Command services records what clients see of Redis, etcd, bbolt, a sync.Map and a buffered
// channel, while clients and servers are killed with SIGKILL, and writes the history as JSON Lines:
//
//	go run . -object redis > h.jsonl
//	linsat solve h.jsonl
//
// Clients of Redis and etcd are processes of their own, one each; the goroutines that use bbolt
// share one. Servers are the programs redis-server and etcd on the PATH, on free ports of loopback
// and with data in a temporary directory. The README of examples/recorded says what was recorded
// and what it showed.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/linsat/linsat/history"
)

func main() {
	var o options
	flag.StringVar(&o.Object, "object", "redis", "what is recorded: "+names())
	flag.IntVar(&o.Clients, "clients", 5, "clients at once")
	flag.IntVar(&o.Operations, "operations", 2000, "operations of all clients together")
	flag.IntVar(&o.Keys, "keys", 3, "keys of a map")
	flag.IntVar(&o.KillClients, "kill-clients", 40, "how often a client's process is killed")
	flag.IntVar(&o.KillServers, "kill-servers", 0, "how often a server is killed and started again")
	flag.Uint64Var(&o.Seed, "seed", 1, "of the operations, not of the schedule")
	client := flag.Bool("client", false, "be a client: requests on standard input, replies on standard output")
	address := flag.String("address", "", "of -client: where the object is")
	flag.Parse()
	if *client {
		exit(2, serve(o.Object, *address, os.Stdin, os.Stdout))
		return
	}
	h, err := record(o)
	exit(2, err)
	exit(1, history.WriteJSONL(os.Stdout, h))
}

// exit ends the program if there is an error.
func exit(code int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
		os.Exit(code)
	}
}
