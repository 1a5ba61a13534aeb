package solve

// Which events come before which.
//
// What: the nodes of a graph without cycles are divided into chains, each node being followed by an
// edge to the next; for each node, the first one of each chain that it reaches. Where the chains
// are too many (no sessions), a bit for each node and each of those that are asked for.
//
// Source: chain decomposition as Jagadish's (TODS 1990), with greedy chains; sessions are chains.
//
// Cost: nodes × chains numbers, or nodes × asked bits; edges times as much time.

// tooManyOrders says why a history is not decided if reachability takes too much.
const tooManyOrders = "the transactions have too many orders for the memory"

type reach struct {
	chain, place []int32 // by node
	chains       int
	first        []int32  // by node and chain: the first place reached
	bits         []uint64 // by node and column, instead
	words        int
	column       []int32 // by node; -1 of those that are not asked for
	position     []int32 // in the topological order
}

// newReach finds who reaches those for which asked is true. order is topological. It is nil if that
// takes more than limit bytes.
func newReach(g *graph, order []int32, asked []bool, limit int64) *reach {
	n := len(g.out)
	r := &reach{chain: make([]int32, n), place: make([]int32, n), position: make([]int32, n)}
	tail := make([]bool, n)
	for u := range r.chain {
		r.chain[u] = -1
	}
	for k, u := range order {
		r.position[u] = int32(k)
		if r.chain[u] < 0 {
			r.chain[u] = int32(r.chains)
			r.chains++
		}
		tail[u] = true
		for _, e := range g.out[u] { // the next of its chain
			if tail[u] && r.chain[e.to] < 0 {
				tail[u] = false
				r.chain[e.to], r.place[e.to] = r.chain[u], r.place[u]+1
			}
		}
	}
	columns := int32(0)
	r.column = make([]int32, n)
	for v := range r.column {
		r.column[v] = -1
		if asked == nil || asked[v] {
			r.column[v] = columns
			columns++
		}
	}
	r.words = (int(columns) + 63) / 64
	switch bits, chains := 8*int64(n)*int64(r.words), 4*int64(n)*int64(r.chains); {
	case min(bits, chains) > limit:
		return nil
	case bits < chains && !alwaysChains:
		r.fillBits(g, order)
	default:
		r.fillChains(g, order)
	}
	return r
}

func (r *reach) fillChains(g *graph, order []int32) {
	width := r.chains
	r.first = make([]int32, len(order)*width)
	for k := len(order) - 1; k >= 0; k-- {
		u := int(order[k])
		mine := r.first[u*width : (u+1)*width]
		for c := range mine {
			mine[c] = always
		}
		for _, e := range g.out[u] {
			if mine[r.chain[e.to]] <= r.place[e.to] {
				continue // it was reached through another one
			}
			for c, p := range r.first[int(e.to)*width : (int(e.to)+1)*width] {
				mine[c] = min(mine[c], p)
			}
		}
		mine[r.chain[u]] = r.place[u]
	}
}

func (r *reach) fillBits(g *graph, order []int32) {
	r.bits = make([]uint64, len(order)*r.words)
	for k := len(order) - 1; k >= 0; k-- {
		u := int(order[k])
		mine := r.bits[u*r.words : (u+1)*r.words]
		if c := r.column[u]; c >= 0 {
			mine[c/64] |= 1 << (c % 64)
		}
		for _, e := range g.out[u] {
			if c := r.column[e.to]; c >= 0 && mine[c/64]>>(c%64)&1 == 1 {
				continue
			}
			for w, b := range r.bits[int(e.to)*r.words : (int(e.to)+1)*r.words] {
				mine[w] |= b
			}
		}
	}
}

// has reports whether u is v or comes before it; false if v was not asked for.
func (r *reach) has(u, v int32) bool {
	if r.bits != nil {
		c := r.column[v]
		return c >= 0 && r.bits[int(u)*r.words+int(c/64)]>>(c%64)&1 == 1
	}
	return r.first[int(u)*r.chains+int(r.chain[v])] <= r.place[v]
}

// alwaysChains is for tests: small graphs have chains, too.
var alwaysChains bool
