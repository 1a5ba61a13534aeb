//go:build unix

package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	peer "github.com/anishathalye/porcupine"
	"github.com/linsat/linsat/porcupine"
)

// call is one operation of a history.
type call struct {
	client       int
	in           in
	out          out
	from, to     int64
	neverReturns bool
}

// work is one line of the table.
type work struct {
	name    string
	size    int
	object  object
	next    func(r *rand.Rand, n int) in // the next input, of the operation of that number
	reads   string                       // the verb whose result the violation changes
	unknown float64                      // share of operations of unknown outcome
	stale   bool                         // there is a violation, late
	clients int                          // how many are at work at once
	wrong   func(o out) out              // the violation, unless it is a result of before
}

// clients is how many are at work at once, unless a history says so.
const clients = 8

// works lists the histories.
func works(operations int) []work {
	var all []work
	add := func(name string, o object, reads string, next func(r *rand.Rand, n int) in) {
		for _, unknown := range []float64{0.01, 0.05} {
			for _, stale := range []bool{false, true} {
				end := "linearizable"
				if stale {
					end = "stale read"
				}
				all = append(all, work{fmt.Sprintf("%s, %.0f %% unknown, %s", name, 100*unknown, end), operations, o,
					next, reads, unknown, stale, clients, nil})
			}
		}
	}
	adds := func(r *rand.Rand, n int) in {
		if r.IntN(2) == 0 {
			return in{verb: "add", n: 1 + r.IntN(9)}
		}
		return in{verb: "get"}
	}
	add("counter", counter(), "get", adds)
	enqueues := func(r *rand.Rand, n int) in {
		if n%2 == 0 {
			return in{verb: "enq", n: 1 + n}
		}
		return in{verb: "deq"}
	}
	add("queue", queue(), "deq", enqueues)
	add("counter that says so", saidCounter(), "get", adds)
	add("queue that says so", saidQueue(), "deq", enqueues)
	log := func(r *rand.Rand, n int) in {
		if r.IntN(2) == 0 {
			return in{verb: "append", n: n}
		}
		return in{verb: "tail"}
	}
	add("log", appendLog(), "tail", log)
	add("counter, revisions told", counter().revised("add"), "get", adds)
	add("log, revisions told", appendLog().revised(""), "tail", log)
	appends := func(r *rand.Rand, n int) in {
		i := in{key: fmt.Sprint(r.IntN(10)), n: n, verb: "get"}
		switch r.IntN(8) {
		case 0:
			i.verb = "put"
		case 1, 2:
			i.verb = "append"
		}
		return i
	}
	add("kv with appends", kv(), "get", appends)
	add("kv with appends that says so", saidKV(), "get", appends)
	putGet := func(keys int) func(r *rand.Rand, n int) in {
		return func(r *rand.Rand, n int) in {
			return in{key: fmt.Sprint(r.IntN(keys)), n: n, verb: []string{"get", "put"}[r.IntN(2)]}
		}
	}
	add("kv of 10 keys", kv(), "get", putGet(10))
	add("register", kv(), "get", putGet(1))
	add("register that says so", saidKV(), "get", putGet(1))
	transfers := func(r *rand.Rand, n int) in {
		if r.IntN(3) == 0 {
			return in{verb: "read"}
		}
		from := r.IntN(accounts)
		return in{verb: "transfer", key: fmt.Sprint(from), to: (from + 1 + r.IntN(accounts-1)) % accounts,
			n: 1 + r.IntN(9)}
	}
	add("bank", bank(), "read", transfers)
	for _, unknown := range []float64{0.01, 0.05} {
		all = append(all, work{fmt.Sprintf("bank that says so, %.0f %% unknown, money appears", 100*unknown),
			operations, saidBank(), transfers, "read", unknown, true, clients, richer})
	}
	add("register that loses writes", lossy(), "read", func(r *rand.Rand, n int) in {
		if r.IntN(2) == 0 {
			return in{verb: "write", n: n, to: r.IntN(3)}
		}
		return in{verb: "read"}
	})
	moves := func(r *rand.Rand, n int) in {
		verb := "move"
		if r.IntN(3) == 0 {
			verb = "read"
		}
		from := r.IntN(manyAccounts)
		return in{verb: verb, key: string(rune(from)), to: (from + 1 + r.IntN(manyAccounts-1)) % manyAccounts,
			n: 1 + r.IntN(9)}
	}
	for _, at := range []int{16, 32, 64} {
		for _, unknown := range []float64{0, 0.01} {
			for _, stale := range []bool{false, true} {
				all = append(all, work{fmt.Sprintf("moves between %d accounts, %d clients, %.0f %% unknown, %s",
					manyAccounts, at, 100*unknown, map[bool]string{false: "linearizable", true: "stale read"}[stale]),
					operations, ledger(), moves, "read", unknown, stale, at, nil})
			}
		}
	}
	silent := ledger()
	silent.touches = nil
	for _, at := range []int{16, 32, 64} {
		for _, unknown := range []float64{0, 0.01} {
			all = append(all,
				work{fmt.Sprintf("moves of which nothing is said, %d clients, %.0f %% unknown, linearizable", at,
					100*unknown), operations, silent, moves, "read", unknown, false, at, nil})
		}
	}
	for _, stale := range []bool{false, true} {
		end := map[bool]string{false: "linearizable", true: "stale read"}[stale]
		all = append(all,
			work{"bank of 5 accounts, 2,500 operations, " + end, 2500, bank(), transfers, "read", 0.02,
				stale, clients, nil},
			work{"bank of 5 accounts, 126 operations, " + end, 126, bank(), transfers, "read", 0.05,
				stale, clients, nil},
			work{"S2 log, 20,000 operations, 2 % unknown, " + end, 20_000, appendLog(), log, "tail", 0.02,
				stale, clients, nil},
			work{"S2 log, 20,000 operations, 2 % unknown, revisions told, " + end, 20_000, appendLog().revised(""), log,
				"tail", 0.02, stale, clients, nil})
	}
	return all
}

// history draws it: every operation takes effect at a time of its own, around which it is called
// and returns. Half of those with an unknown outcome take effect. The violation is a read that
// returns, at 95 % of the history, what a read found some 60 operations before.
func (k work) history(seed uint64) []call {
	r := rand.New(rand.NewPCG(seed, uint64(k.size)))
	calls := make([]call, k.size)
	states := map[string]any{}
	names := make([]int, k.clients)
	last := k.clients
	for c := range names {
		names[c] = c
	}
	type found struct {
		at  int
		out out
	}
	old := map[string][]found{}
	done := !k.stale
	width := int64(50*k.clients - 5) // how long before and after its effect an operation may last
	for n := range calls {
		at, c := int64(100*n), n%k.clients
		i := k.next(r, n)
		slot := ""
		if k.object.keyed {
			slot = i.key
		}
		s, ok := states[slot]
		if !ok {
			s = k.object.init
		}
		got, next := k.object.effect(s, i)
		o := call{client: names[c], in: i, out: got, from: at - r.Int64N(width), to: at + r.Int64N(width)}
		if i.verb != k.reads && r.Float64() < k.unknown {
			o.neverReturns, o.out = true, out{unknown: true}
			names[c], last = last, last+1
			if r.IntN(2) == 0 {
				next = s
			}
		}
		states[slot] = next
		if i.verb == k.reads {
			old[slot] = append(old[slot], found{n, got})
			switch {
			case done || n < k.size*95/100:
			case k.wrong != nil:
				o.out, done = k.wrong(got), true
			default:
				for _, f := range old[slot] {
					if f.at > n-120 && f.at < n-60 && f.out != got {
						o.out, done = f.out, true
						break
					}
				}
			}
		}
		calls[n] = o
	}
	return calls
}

func peerOperations(calls []call) []peer.Operation {
	ops := make([]peer.Operation, len(calls))
	for k, c := range calls {
		if c.neverReturns {
			c.to = math.MaxInt64
		}
		ops[k] = peer.Operation{ClientId: c.client, Input: c.in, Output: c.out, Call: c.from, Return: c.to}
	}
	return ops
}

func ourOperations(calls []call) []porcupine.Operation {
	ops := make([]porcupine.Operation, len(calls))
	for k, c := range calls {
		ops[k] = porcupine.Operation{ClientId: c.client, Input: c.in, Output: c.out, Call: c.from, Return: c.to}
		if c.neverReturns {
			ops[k] = porcupine.UnknownOutcome(ops[k])
		}
	}
	return ops
}
