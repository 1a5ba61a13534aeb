package txns

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/internal/isolation"
)

// Anomalies, which a faulty store shows once: a few transactions on two objects that nobody else
// uses at that moment, whose reads are from what was there before (0) and from each other. What
// they leave behind is what later ones find.

// Fault is the name of an anomaly.
type Fault string

// Faults lists the anomalies by name.
func Faults() []string {
	var names []string
	for f := range faults {
		names = append(names, string(f))
	}
	slices.Sort(names)
	return names
}

// fault is an anomaly.
type fault struct {
	// txns are its transactions, separated by "|": the number of a session, "!" if it fails, and
	// accesses. wx1 writes 1 to x, rx1 reads what wrote 1 last, rx0 what was there before.
	txns string
	// leaves are the writes that later transactions find.
	leaves string
	shows  string // the same with those that no later one finds, "" if there are none
	// after is how many of the transactions are called after the others returned.
	after        int
	sessions     int
	fails, holds isolation.Level
}

var faults = map[Fault]fault{
	"write-skew": {txns: "0 rx0 ry0 wx1|1 rx0 ry0 wy2", leaves: "x1 y2", sessions: 2,
		fails: at(isolation.Serializable, isolation.NoOrder), holds: at(isolation.Snapshot, isolation.RealTime)},
	"lost-update": {txns: "0 rx0 wx1|1 rx0 wx2", leaves: "x1 x2", sessions: 2,
		fails: at(isolation.ParallelSnapshot, isolation.NoOrder), holds: at(isolation.Prefix, isolation.RealTime)},
	"long-fork": {txns: "0 rx0 wx1|1 ry0 wy2|2 rx1 ry0|3 rx0 ry2", leaves: "x1 y2", sessions: 4,
		fails: at(isolation.Prefix, isolation.NoOrder), holds: at(isolation.ParallelSnapshot, isolation.RealTime)},
	"causality-violation": {txns: "0 rx0 wx1|1 rx1 wy2|2 ry2 rx0", leaves: "x1 y2", sessions: 3,
		fails: at(isolation.Causal, isolation.SessionOrder), holds: at(isolation.ReadAtomic, isolation.RealTime)},
	"read-skew": {txns: "0 rx0 wx1 wy2|1 rx0 ry2", leaves: "x1 y2", sessions: 2,
		fails: at(isolation.ReadAtomic, isolation.NoOrder), holds: at(isolation.ReadCommitted, isolation.RealTime)},
	"dirty-read":        {txns: "0! wx1|1 rx1", shows: "x1", sessions: 2, fails: nothing},
	"intermediate-read": {txns: "0 wx1 wx2|1 rx1", leaves: "x1 x2", sessions: 2, fails: nothing},
	"circular-reads":    {txns: "0 wx1 ry2|1 wy2 rx1", leaves: "x1 y2", sessions: 2, fails: nothing},
	"dirty-write": {txns: "0 wx1 wy2|1 wx3 wy4|2 rx3 ry2 rx3", leaves: "x1 x3 y4 y2", sessions: 3,
		fails: nothing},
	"lost-own-write": {txns: "0 rx0 wx1|0 rx0", leaves: "x1", after: 1, sessions: 1,
		fails: at(isolation.ReadAtomic, isolation.SessionOrder), holds: at(isolation.Serializable, isolation.NoOrder)},
	"stale-read": {txns: "0 rx0 wx1|1 rx0", leaves: "x1", after: 1, sessions: 2,
		fails: at(isolation.ReadAtomic, isolation.RealTime), holds: at(isolation.Serializable, isolation.SessionOrder)},
}

// nothing is implied by every level.
var nothing = at(isolation.ReadCommitted, isolation.NoOrder)

func at(m isolation.Model, o isolation.Order) isolation.Level {
	return isolation.Level{Model: m, Given: o}
}

// inject runs the transactions of an anomaly, if enough sessions and two objects are free.
func (g *run) inject(f fault) bool {
	var objects []int
	for _, n := range g.rng.Perm(g.o.Objects) {
		if g.writer[n] == nil && len(g.readers[n]) == 0 && len(objects) < 2 {
			objects = append(objects, n)
		}
	}
	if len(g.idle) < f.sessions || len(objects) < 2 {
		return false
	}
	g.tellAll()
	g.rng.Shuffle(len(g.idle), func(i, j int) { g.idle[i], g.idle[j] = g.idle[j], g.idle[i] })
	a := anomaly{g: g, objects: objects, values: map[byte]int64{}, commits: map[byte]int{}}
	for k := range a.before {
		for _, v := range g.versions[objects[k]] {
			a.before[k] = append(a.before[k], v.value)
		}
	}
	shows := f.shows
	if shows == "" {
		shows = f.leaves
	}
	for _, w := range strings.Fields(shows) {
		a.values[w[1]] = g.fresh()
		a.order[w[0]-'x'] = append(a.order[w[0]-'x'], w[1])
	}
	all := strings.Split(f.txns, "|")
	for k, text := range all {
		if k == len(all)-f.after {
			a.end()
		}
		a.run(strings.Fields(text))
	}
	a.end()
	for _, w := range strings.Fields(f.leaves) {
		n := objects[w[0]-'x']
		g.versions[n] = append(g.versions[n], version{a.commits[w[1]], a.values[w[1]]})
	}
	g.tellAll()
	return true
}

// anomaly is one that is being injected.
type anomaly struct {
	g       *run
	objects []int // x and y
	before  [2][]int64
	order   [2][]byte      // the names of values that are written to x and y
	values  map[byte]int64 // by name
	commits map[byte]int   // of the transactions that wrote them
	open    []*txn
}

// run lets a transaction begin and do all that it does, but return.
func (a *anomaly) run(words []string) {
	g := a.g
	x := g.begin(g.idle[words[0][0]-'0'])
	a.open = append(a.open, x)
	for _, w := range words[1:] {
		k := w[1] - 'x'
		b := access{object: a.objects[k], write: w[0] == 'w', value: a.values[w[2]]}
		if b.write {
			a.commits[w[2]] = len(g.commits)
		} else {
			b.found = slices.Clone(a.before[k])
			for _, name := range a.order[k][:1+slices.Index(a.order[k], w[2])] {
				b.found = append(b.found, a.values[name])
			}
			if !g.o.Lists && len(b.found) > 1 {
				b.found = b.found[len(b.found)-1:]
			}
			if !g.o.Lists && w[2] != '0' {
				b.found = []int64{a.values[w[2]]}
			}
		}
		x.accesses = append(x.accesses, b)
	}
	if strings.HasSuffix(words[0], "!") {
		x.failed = true
		return
	}
	r := x.session % len(g.known)
	g.known[r][r]++
	g.commits = append(g.commits, commit{r, slices.Clone(g.known[r])})
}

// end lets all transactions return.
func (a *anomaly) end() {
	for _, x := range a.open {
		x.ret = a.g.clock
		a.g.clock++
		a.g.open = slices.DeleteFunc(a.g.open, func(y *txn) bool { return x == y })
	}
	a.open = nil
}
