//go:build !linsat_native

package c11

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/relaxed/machine"
	"github.com/linsat/linsat/internal/relaxed/program"
	"github.com/linsat/linsat/internal/relaxed/trust"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

func byTrust(r *program.Runner, l program.Limits) program.Search   { return trust.New(r, l) }
func byMachine(r *program.Runner, l program.Limits) program.Search { return machine.New(r, l) }

type step struct {
	op      int
	loc     int
	value   int
	from    int
	order   Order
	failure Order
}

// randomProgram draws a program as data.
type randomProgram struct {
	threads [][]step
	locs    int
	joins   bool
	// within says before which of its steps a thread starts the next one, -1: main does.
	within []int
}

var (
	loadOrders   = []Order{Relaxed, Acquire, SeqCst}
	storeOrders  = []Order{Relaxed, Release, SeqCst}
	updateOrders = []Order{Relaxed, Acquire, Release, AcqRel, SeqCst}
	fenceOrders  = []Order{Acquire, Release, AcqRel, SeqCst, SeqCst}
)

const (
	doLoad = iota
	doStore
	doSwap
	doCAS
	doWeak
	doAdd
	doFence
	doAwait
	doChoose
	doRead
	doWrite
	doNew
	doSpin
)

func one(r *rand.Rand, of []Order) Order { return of[r.IntN(len(of))] }

func draw(r *rand.Rand, threads, locs, steps int, ops []int) randomProgram {
	p := randomProgram{locs: locs, joins: r.IntN(4) == 0}
	sc := r.IntN(3) == 0
	for range threads {
		var of []step
		for range 1 + r.IntN(steps) {
			s := step{op: ops[r.IntN(len(ops))], loc: r.IntN(locs), value: r.IntN(3), from: r.IntN(3)}
			switch s.op {
			case doLoad, doAwait, doSpin:
				s.order = one(r, loadOrders)
			case doStore:
				s.order = one(r, storeOrders)
			case doFence:
				s.order = one(r, fenceOrders)
			default:
				s.order = one(r, updateOrders)
			}
			s.failure = one(r, loadOrders)
			if sc && r.IntN(3) > 0 {
				s.order = SeqCst
			}
			of = append(of, s)
		}
		p.threads = append(p.threads, of)
		p.within = append(p.within, -1)
	}
	return p
}

// nest makes threads start others.
func (p *randomProgram) nest(seed int) {
	r := rand.New(rand.NewPCG(uint64(seed), 5))
	for i, of := range p.threads[1:] {
		if r.IntN(3) > 0 {
			p.within[i] = r.IntN(len(of) + 1)
		}
	}
}

func (p *randomProgram) String() string {
	names := []string{"load", "store", "swap", "cas", "weak", "add", "fence", "await", "choose", "read cell",
		"write cell", "new", "spin"}
	var b strings.Builder
	for i, of := range p.threads {
		fmt.Fprintf(&b, "thread %d:", i+1)
		for _, s := range of {
			fmt.Fprintf(&b, " %s %c %d/%d %s;", names[s.op], 'x'+s.loc, s.from, s.value, s.order)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintln(&b, "started within", p.within)
	if p.joins {
		b.WriteString("joined\n")
	}
	return b.String()
}

func (p *randomProgram) run(x *Exec) {
	locs := make([]*Int[int], p.locs)
	for i := range locs {
		locs[i] = NewInt(x, string(rune('x'+i)), 0)
	}
	var plain []*Cell[int]
	for range locs {
		plain = append(plain, NewCell(x, "plain", 0))
	}
	b := NewAtomic[*box](x, "box", nil)
	var start func(i int) *Thread
	start = func(i int) *Thread {
		return x.Go(func() {
			if next := p.body(x, i, locs, plain, b, start); p.joins && next != nil {
				next.Join()
				locs[0].Load(Relaxed)
			}
		})
	}
	var all []*Thread
	for i := range p.threads {
		if i == 0 || p.within[i-1] < 0 {
			all = append(all, start(i))
		}
	}
	if p.joins {
		for _, t := range all {
			t.Join()
			locs[0].Load(SeqCst)
		}
	}
}

type box = struct{ a *Atomic[int] }

// body makes the steps of a thread, and returns the thread that it starts.
func (p *randomProgram) body(x *Exec, i int, locs []*Int[int], plain []*Cell[int], b *Atomic[*box],
	start func(int) *Thread) (next *Thread) {
	for n, s := range p.threads[i] {
		if n == p.within[i] {
			next = start(i + 1)
		}
		a := locs[s.loc]
		switch s.op {
		case doLoad:
			if a.Load(s.order) == 2 && s.value == 2 {
				return next // what follows depends on what is read
			}
		case doStore:
			a.Store(s.value, s.order)
		case doSwap:
			a.Swap(s.value, s.order)
		case doCAS:
			a.CompareAndSwap(s.from, s.value, s.order, s.failure)
		case doWeak:
			a.CompareAndSwapWeak(s.from, s.value, s.order, s.failure)
		case doAdd:
			a.FetchAdd(1, s.order)
		case doFence:
			x.Fence(s.order)
		case doAwait:
			a.Await(func(v int) bool { return v == s.value }, s.order)
		case doSpin:
			for a.Load(s.order) != s.value || b.Load(Relaxed) != nil && s.from == 1 {
				x.Spin()
			}
		case doRead:
			plain[s.loc].Load()
		case doWrite:
			plain[s.loc].Store(s.value)
		case doNew:
			n := &box{NewAtomic(x, "new", s.value)}
			if old := b.Swap(n, s.order); old != nil {
				old.a.Load(Relaxed)
			}
		case doChoose:
			a.Store(x.Choose(2), Relaxed)
		}
	}
	if p.within[i] == len(p.threads[i]) {
		next = start(i + 1)
	}
	return next
}

// graphs returns the complete graphs of a program, by key, and how often each was visited.
func graphs(t testing.TB, p Program, search func(*program.Runner, program.Limits) program.Search) (map[string]string,
	Stats) {
	out := map[string]string{}
	stats, err := run(p, Options{}, search, func(g *Graph) bool {
		if g.Outcome == Complete {
			k := g.Key()
			if _, twice := out[k]; twice {
				t.Errorf("visited twice:\n%s", g.Text())
			}
			out[k] = g.Text()
		}
		return true
	})
	require.NoError(t, err)
	return out, stats
}

// TestSearchesAgree compares what both searches find in random programs: the complete graphs, and
// whether some execution races, reads what is not there, or waits for ever.
func TestSearchesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	basic := []int{doLoad, doLoad, doStore, doStore, doSwap, doCAS, doAdd, doFence}
	waits := append(slices.Clone(basic), doAwait, doSpin, doWeak, doChoose)
	plain := append(slices.Clone(basic), doRead, doWrite, doNew, doNew)
	total := 0
	met := map[Outcome]int{}
	for n := range testenv.Scale(30, 3000) {
		p := draw(r, 2+r.IntN(2), 1+r.IntN(3), 3, [][]int{basic, waits, plain}[n%3])
		if n%2 == 1 {
			p.nest(n)
		}
		agree(t, &p, met, &total)
		if t.Failed() {
			t.Fatalf("program %d\n%s", n, p.String())
		}
	}
	t.Log(total, "graphs", met)
	for _, o := range []Outcome{Complete, Race, Uninitialized, Stuck} {
		require.Greater(t, met[o], testenv.MoreThan(0), "%d", o)
	}
}

func agree(t *testing.T, p *randomProgram, met map[Outcome]int, total *int) {
	want, by := graphs(t, p.run, byMachine)
	got, stats := graphs(t, p.run, byTrust)
	for k, text := range want {
		if _, ok := got[k]; !ok {
			t.Fatalf("%smissing of %d, found %d:\n%s", p.String(), len(want), len(got), text)
		}
	}
	for k, text := range got {
		if _, ok := want[k]; !ok {
			t.Fatalf("%stoo many (%d, want %d):\n%s", p.String(), len(got), len(want), text)
		}
	}
	for _, o := range []Outcome{Complete, Race, Uninitialized, Stuck} {
		if by.Outcomes[o] > 0 {
			met[o]++
		}
		if o == Uninitialized && by.Outcomes[Race] > 0 {
			continue // the machine stops at what comes first, and a race outweighs the other
		}
		if (by.Outcomes[o] > 0) != (stats.Outcomes[o] > 0) {
			t.Errorf("outcome %d: machine %v, optimal %v", o, by.Outcomes, stats.Outcomes)
		}
	}
	*total += stats.Graphs
}

// TestRaceHidesNothing has executions with a race and without: thread 3 must go on after it has
// raced with thread 1, for the flag with which it undoes that.
func TestRaceHidesNothing(t *testing.T) {
	p := randomProgram{locs: 1, within: []int{-1, -1, -1}, threads: [][]step{
		{{op: doLoad, order: Acquire}, {op: doAdd, order: Relaxed}, {op: doRead}},
		{{op: doSwap, value: 2, order: SeqCst}},
		{{op: doWrite, value: 1}, {op: doStore, value: 1, order: SeqCst}},
	}}
	met, total := map[Outcome]int{}, 0
	agree(t, &p, met, &total)
	require.Positive(t, met[Race])
	require.Positive(t, met[Complete])
}
