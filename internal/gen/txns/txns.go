// Package txns simulates sessions that run transactions on a store, and records what they see. By
// construction a run is at the level of isolation of the store, unless an anomaly is injected.
package txns

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
)

// Options configure Generate.
type Options struct {
	// Level is that of the store: serializable (two-phase locking that aborts where it would wait),
	// snapshot-isolation (versions, and the first of two writers commits), parallel-snapshot
	// (replicas that learn of commits later, each in an order that respects causes), or
	// read-committed (each read shows what is committed then).
	Level        string
	Fault        Fault // an anomaly, "" for none
	Transactions int   // 0: 1000
	Sessions     int   // 0: 4; after a transaction of unknown outcome another session goes on
	Objects      int   // 0: 20
	Length       int   // accesses of a transaction, at most; 0: 4
	Lists        bool  // that are appended to, in place of registers
	ReadRate     float64
	PendingRate  float64 // share of transactions of unknown outcome; half of them take effect
	AbortRate    float64 // share of transactions that their session aborts
	Values       int     // number of different values; 0: each value is written once
	Seed         uint64
}

// Case is a history and what is known of it.
type Case struct {
	History *history.History
	Level   *isolation.Level // at which it is by construction, nil if at none
	// Fails is a level at which it is not, nil if nothing is known. Without repeated values that is
	// certain.
	Fails    *isolation.Level
	Mutation string // the injected anomaly, "" if none
}

// stores are the levels that runs can have by construction.
var stores = map[string]isolation.Level{
	"serializable":       {Model: isolation.Serializable, Given: isolation.RealTime},
	"snapshot-isolation": {Model: isolation.Snapshot, Given: isolation.RealTime},
	"parallel-snapshot":  {Model: isolation.ParallelSnapshot, Given: isolation.SessionOrder},
	"read-committed":     {Model: isolation.ReadCommitted, Given: isolation.RealTime},
}

// Levels lists the names of the levels that runs can have.
func Levels() []string {
	return []string{"serializable", "snapshot-isolation", "parallel-snapshot", "read-committed"}
}

// version is what a transaction left of an object: the value that it wrote or appended.
type version struct {
	commit int // the number of the commit
	value  int64
}

// commit is a transaction that took effect.
type commit struct {
	replica int
	causes  []int // for each replica, how many of its commits it saw
}

// txn is a transaction of the run.
type txn struct {
	session  int
	accesses []access
	left     int   // accesses to come
	seen     int   // commits before its snapshot
	causes   []int // the same of each replica
	call     int64
	ret      int64 // < 0 while it has not returned
	pending  bool
	failed   bool
	finished bool // it committed or failed, and has to return
	crashes  bool
	aborts   bool
}

// access is one access; found is what it read, own writes included.
type access struct {
	object int
	write  bool
	value  int64
	found  []int64
}

// run is a store and its sessions.
type run struct {
	o        Options
	rng      *rand.Rand
	model    isolation.Model
	versions [][]version // by object, in the order of their commits
	commits  []commit
	known    [][]int // by replica: how many commits of each replica it knows
	writer   []*txn  // by object: who holds its lock for writing
	readers  []map[*txn]bool
	txns     []*txn
	open     []*txn
	idle     []int // sessions
	names    int   // sessions so far
	clock    int64
	value    int64
}

// Generate makes a history. Equal options give equal histories.
func Generate(o Options) (*Case, error) {
	for _, n := range []struct {
		value   *int
		without int
	}{{&o.Transactions, 1000}, {&o.Sessions, 4}, {&o.Objects, 20}, {&o.Length, 4}} {
		if *n.value < 0 || o.Values < 0 {
			return nil, fmt.Errorf("transactions, sessions, objects, length and values must not be negative")
		}
		if *n.value == 0 {
			*n.value = n.without
		}
	}
	for _, rate := range []float64{o.ReadRate, o.PendingRate, o.AbortRate} {
		if !(0 <= rate && rate <= 1) {
			return nil, fmt.Errorf("a share must be between 0 and 1, not %g", rate)
		}
	}
	level, ok := stores[o.Level]
	if !ok {
		return nil, fmt.Errorf("no store of level %q", o.Level)
	}
	fault, ok := faults[o.Fault]
	if !ok && o.Fault != "" {
		return nil, fmt.Errorf("unknown anomaly %q", o.Fault)
	}
	g := &run{o: o, rng: rand.New(rand.NewPCG(o.Seed, 0)), model: level.Model, versions: make([][]version, o.Objects),
		writer: make([]*txn, o.Objects), readers: make([]map[*txn]bool, o.Objects), names: o.Sessions,
		known: make([][]int, max(o.Sessions, 1))}
	for n := range g.readers {
		g.readers[n] = map[*txn]bool{}
	}
	for r := range g.known {
		g.known[r] = make([]int, len(g.known))
	}
	for s := range o.Sessions {
		g.idle = append(g.idle, s)
	}
	c := &Case{Level: &level}
	at := -1
	if o.Fault != "" {
		if o.Sessions < fault.sessions || o.Objects < 2 {
			return nil, fmt.Errorf("the anomaly %s needs %d sessions and 2 objects", o.Fault, fault.sessions)
		}
		at = o.Transactions/4 + g.rng.IntN(o.Transactions/2+1)
	}
	for len(g.txns) < o.Transactions || len(g.open) > 0 || at >= 0 {
		if at >= 0 && len(g.txns) >= at {
			if g.inject(fault) {
				at = -1
			} else {
				g.step(false)
			}
			continue
		}
		g.step(len(g.txns) < o.Transactions)
	}
	if o.Fault != "" {
		c.Mutation = string(o.Fault)
		if level = meet(level, fault.holds); fault.fails == nothing {
			c.Level = nil
		}
		if o.Values == 0 {
			c.Fails = &fault.fails
		}
	}
	var err error
	c.History, err = g.build()
	return c, err
}

// meet returns a level that both imply.
func meet(a, b isolation.Level) isolation.Level {
	var both isolation.Level
	for _, l := range isolation.Levels() {
		if a.Implies(l) && b.Implies(l) {
			both = l
		}
	}
	return both
}

// coin is true with probability p.
func (g *run) coin(p float64) bool { return g.rng.Float64() < p }

// step lets something happen: a transaction begins, if they may, or goes on.
func (g *run) step(begin bool) {
	if len(g.known) > 1 && g.model == isolation.ParallelSnapshot && g.coin(0.5) {
		g.learn(g.rng.IntN(len(g.known)))
	}
	if begin && len(g.idle) > 0 && (len(g.open) == 0 || g.coin(1/float64(1+len(g.open)))) {
		k := g.rng.IntN(len(g.idle))
		x := g.begin(g.idle[k])
		g.idle = slices.Delete(g.idle, k, k+1)
		x.left = 1 + g.rng.IntN(g.o.Length)
		x.crashes, x.aborts = g.coin(g.o.PendingRate), g.coin(g.o.AbortRate)
		return
	}
	if len(g.open) == 0 {
		return
	}
	x := g.open[g.rng.IntN(len(g.open))]
	switch {
	case x.finished:
		g.end(x)
	case x.left == 0 || x.crashes && g.coin(0.2):
		g.finish(x)
	default:
		x.left--
		g.access(x, g.rng.IntN(g.o.Objects), !g.coin(g.o.ReadRate))
	}
}

// begin lets a session begin a transaction, which sees what its replica knows.
func (g *run) begin(session int) *txn {
	x := &txn{session: session, call: g.clock, ret: -1, seen: len(g.commits),
		causes: slices.Clone(g.known[session%len(g.known)])}
	g.clock++
	g.txns, g.open = append(g.txns, x), append(g.open, x)
	return x
}

// sees reports whether a version is visible to a transaction.
func (g *run) sees(x *txn, v version) bool {
	switch g.model {
	case isolation.Snapshot:
		return v.commit < x.seen
	case isolation.ParallelSnapshot:
		c := &g.commits[v.commit]
		return c.causes[c.replica] <= x.causes[c.replica]
	}
	return true
}

// access lets a transaction read or write an object. One that would have to wait for a lock fails.
func (g *run) access(x *txn, object int, write bool) {
	if g.model == isolation.Serializable {
		others := len(g.readers[object])
		if g.readers[object][x] {
			others--
		}
		if w := g.writer[object]; w != nil && w != x || write && others > 0 {
			x.failed, x.finished = true, true
			return
		}
		if write {
			g.writer[object] = x
		} else {
			g.readers[object][x] = true
		}
	}
	a := access{object: object, write: write}
	if write {
		a.value = g.fresh()
	} else {
		a.found = g.read(x, object)
	}
	x.accesses = append(x.accesses, a)
}

// fresh returns a value to write.
func (g *run) fresh() int64 {
	if g.o.Values > 0 {
		return 1 + g.rng.Int64N(int64(g.o.Values))
	}
	g.value++
	return g.value
}

// read returns what a transaction finds: of a list its elements, of a register its value, none at
// the start.
func (g *run) read(x *txn, object int) (found []int64) {
	for _, v := range g.versions[object] {
		if g.sees(x, v) {
			found = append(found, v.value)
		}
	}
	for _, a := range x.accesses {
		if a.write && a.object == object {
			found = append(found, a.value)
		}
	}
	if !g.o.Lists && len(found) > 1 {
		found = found[len(found)-1:]
	}
	return found
}

// finish commits a transaction or lets it fail.
func (g *run) finish(x *txn) {
	x.finished = true
	x.pending = x.crashes
	lost := x.aborts
	if g.model == isolation.Snapshot || g.model == isolation.ParallelSnapshot {
		for _, a := range x.accesses {
			all := g.versions[a.object]
			lost = lost || a.write && len(all) > 0 && !g.sees(x, all[len(all)-1])
		}
	}
	if x.crashes && (lost || g.coin(0.5)) {
		return
	}
	if lost {
		x.pending, x.failed = false, true
		return
	}
	g.commit(x)
}

// commit lets a transaction take effect.
func (g *run) commit(x *txn) {
	r := x.session % len(g.known)
	c := commit{r, slices.Clone(x.causes)}
	g.known[r][r]++
	c.causes[r] = g.known[r][r]
	for _, a := range x.accesses {
		if a.write {
			g.versions[a.object] = append(g.versions[a.object], version{len(g.commits), a.value})
		}
	}
	g.commits = append(g.commits, c)
}

// end lets a finished transaction return, and releases its locks.
func (g *run) end(x *txn) {
	g.open = slices.DeleteFunc(g.open, func(y *txn) bool { return x == y })
	for n := range g.writer {
		delete(g.readers[n], x)
		if g.writer[n] == x {
			g.writer[n] = nil
		}
	}
	session := x.session
	if x.pending {
		session = g.names
		g.names++
	} else {
		x.ret = g.clock
		g.clock++
	}
	g.idle = append(g.idle, session)
}

// learn tells a replica of one more commit of another one, if it knows all causes of that.
func (g *run) learn(r int) bool {
	from, place := g.rng.IntN(len(g.known)), 0
	for k := range g.commits {
		c := &g.commits[k]
		if c.replica != from {
			continue
		}
		if place++; place <= g.known[r][from] {
			continue
		}
		for other, n := range c.causes {
			if other != from && n > g.known[r][other] {
				return false
			}
		}
		g.known[r][from]++
		return true
	}
	return false
}

// tellAll tells all replicas of all commits.
func (g *run) tellAll() {
	for r := range g.known {
		for other := range g.known {
			g.known[r][other] = g.known[other][other]
		}
	}
}

// build writes the history.
func (g *run) build() (*history.History, error) {
	b := history.NewBuilder()
	t := b.Values
	names := [...]history.Value{t.String("r"), t.String("w")}
	if !g.o.Lists {
		b.SetSpec("multi-register")
	} else {
		names[1] = t.String("append")
	}
	f := t.String("txn")
	for s := range g.names {
		b.Process(strconv.Itoa(s))
	}
	for _, x := range g.txns {
		var called, done []history.Value
		for _, a := range x.accesses {
			object := t.Int(int64(a.object))
			if a.write {
				e := t.List([]history.Value{names[1], object, t.Int(a.value)})
				called, done = append(called, e), append(done, e)
				continue
			}
			found := history.Nil
			if g.o.Lists {
				var all []history.Value
				for _, v := range a.found {
					all = append(all, t.Int(v))
				}
				found = t.List(all)
			} else if len(a.found) > 0 {
				found = t.Int(a.found[0])
			}
			called = append(called, t.List([]history.Value{names[0], object, history.Nil}))
			done = append(done, t.List([]history.Value{names[0], object, found}))
		}
		r := history.Record{Process: int32(x.session), F: f, Key: history.NoKey, Arg: t.List(called), Call: x.call,
			Return: x.ret, Pending: x.pending, Failed: x.failed}
		if !x.pending && !x.failed {
			r.Result = t.List(done)
		}
		if _, err := b.Add(r); err != nil {
			return nil, err
		}
	}
	return b.Finish()
}
