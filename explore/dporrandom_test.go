package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/schedule"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A random program: each operation is a list of instructions, each at most a few accesses. What an
// operation observes is its result.

type opcode uint8

const (
	load opcode = iota
	store
	add
	swap
	cas
	cas2
	await
	locked // the rest of the operation holds the lock
	lockIn // takes a lock and does not give it back
	unlock
	tryLock // and unlocks, if it got it
	readLocked
	writeLocked
	tryReadLock
	acquire
	release
	tryAcquire
	wait // with the lock held
	signal
	broadcast
	choose
	unless // skips the next instruction if the last observation was v
	fail   // panics if the last observation was v
	spin   // loads until it sees v, and yields
	retry  // loads until it sees v
	retry2 // loads two until it sees v in one of them
	retake // compares and swaps until it works
	tries  // loads at most three times until it sees v
	opcodes
)

var opcodeNames = [opcodes]string{"load", "store", "add", "swap", "cas", "cas2", "await", "locked", "lock", "unlock", "trylock", "rlocked", "wlocked", "tryrlock",
	"acquire", "release", "tryacquire", "wait", "signal", "broadcast", "choose", "unless", "fail", "spin", "retry", "retry2", "retake", "tries"}

type instruction struct {
	code    opcode
	x, y, v int
}

func (i instruction) String() string {
	return fmt.Sprintf("%s.%d.%d.%d", opcodeNames[i.code], i.x, i.y, i.v)
}

type randomProgram struct {
	permits int
	threads [][][]instruction
}

// String writes the program as parseProgram reads it.
func (p *randomProgram) String() string {
	var threads []string
	for _, ops := range p.threads {
		var texts []string
		for _, op := range ops {
			text := fmt.Sprint(op)
			texts = append(texts, text[1:len(text)-1])
		}
		threads = append(threads, strings.Join(texts, ";"))
	}
	return fmt.Sprintf("%d:%s", p.permits, strings.Join(threads, "|"))
}

func parseProgram(text string) (*randomProgram, error) {
	p := &randomProgram{}
	permits, threads, _ := strings.Cut(text, ":")
	if _, err := fmt.Sscan(permits, &p.permits); err != nil {
		return nil, err
	}
	for thread := range strings.SplitSeq(threads, "|") {
		var ops [][]instruction
		for op := range strings.SplitSeq(thread, ";") {
			var is []instruction
			for field := range strings.FieldsSeq(op) {
				name, rest, _ := strings.Cut(field, ".")
				i := instruction{code: opcode(slices.Index(opcodeNames[:], name))}
				if _, err := fmt.Sscanf(rest, "%d.%d.%d", &i.x, &i.y, &i.v); err != nil {
					return nil, err
				}
				is = append(is, i)
			}
			ops = append(ops, is)
		}
		p.threads = append(p.threads, ops)
	}
	return p, nil
}

// mixes are what programs are drawn from: each a weight by opcode.
var mixes = []map[opcode]int{
	{load: 3, store: 2, add: 1, swap: 1, cas: 2},
	{load: 3, store: 3, cas: 1, cas2: 2, swap: 1},
	{load: 1, store: 1, locked: 4, lockIn: 1, unlock: 1, tryLock: 1},
	{load: 1, store: 1, lockIn: 4, tryLock: 1},
	{load: 1, store: 1, readLocked: 4, writeLocked: 3, tryReadLock: 1},
	{load: 1, store: 1, acquire: 4, release: 3, tryAcquire: 1},
	{load: 1, store: 2, wait: 3, signal: 2, broadcast: 1},
	{wait: 3, signal: 3, broadcast: 1, store: 1, locked: 1},
	{load: 1, store: 3, add: 2, await: 4, cas: 1},
	{load: 2, store: 2, choose: 2, unless: 2, cas: 1, add: 1},
	{load: 2, store: 2, add: 1, fail: 1, acquire: 1, lockIn: 1},
	{store: 2, add: 1, cas: 1, load: 1, spin: 3},
	{store: 3, add: 2, load: 1, retry: 2, retry2: 1, retake: 1, tries: 1},
	{load: 2, store: 2, add: 1, swap: 1, cas: 2, cas2: 1, await: 2, locked: 2, lockIn: 1, unlock: 1, tryLock: 1, readLocked: 1, writeLocked: 1, tryReadLock: 1,
		acquire: 2, release: 2, tryAcquire: 1, wait: 2, signal: 2, broadcast: 1, choose: 2, unless: 1},
}

func newRandomProgram(seed uint64) *randomProgram { return randomProgramOf(mixes, seed) }

// randomProgramOf draws a program from one of these mixes.
func randomProgramOf(mixes []map[opcode]int, seed uint64) *randomProgram {
	r := rand.New(rand.NewPCG(seed, 6))
	p := &randomProgram{permits: r.IntN(3)}
	mix := mixes[r.IntN(len(mixes))]
	var bag []opcode
	for c := range opcodes {
		for range mix[c] {
			bag = append(bag, c)
		}
	}
	registers := 1 + r.IntN(3)
	locks := 1 + r.IntN(2)
	threads := 2 + r.IntN(3)
	for range threads {
		var ops [][]instruction
		for range 1 + r.IntN(max(5-threads, 1)) {
			var op []instruction
			for range r.IntN(4) {
				i := instruction{code: bag[r.IntN(len(bag))], x: r.IntN(registers), y: r.IntN(registers), v: r.IntN(3)}
				if i.code >= locked && i.code <= tryReadLock || i.code >= wait && i.code <= broadcast {
					i.x = r.IntN(locks)
				}
				op = append(op, i)
			}
			ops = append(ops, op)
		}
		p.threads = append(p.threads, ops)
	}
	return p
}

type machine struct {
	m         *mem.Memory
	registers [3]*mem.Int64
	locks     [2]*mem.Mutex
	rw        [2]*mem.RWMutex
	conds     [2]*mem.Cond
	permits   *mem.Semaphore
}

func (p *randomProgram) program() Program {
	return func(x *Exec) {
		m := x.Memory()
		s := &machine{m: m, permits: mem.NewSemaphore(m, "permits", p.permits)}
		for i := range s.registers {
			s.registers[i] = mem.NewInt64(m, fmt.Sprint("x", i), 0)
		}
		for i := range s.locks {
			s.locks[i] = mem.NewMutex(m, fmt.Sprint("lock", i))
			s.rw[i] = mem.NewRWMutex(m, fmt.Sprint("rw", i))
			s.conds[i] = mem.NewCond(m, fmt.Sprint("cond", i), s.locks[i])
		}
		for _, ops := range p.threads {
			x.Go(func(t *Thread) {
				for i, op := range ops {
					t.Do("op", i, func() any { return s.run(op) })
				}
			})
		}
		x.After(func() {
			x.Do("state", nil, func() any {
				var state []any
				for _, r := range s.registers {
					state = append(state, int(r.Load()))
				}
				return state
			})
		})
	}
}

func (s *machine) run(op []instruction) any {
	var seen []any
	last := -1
	see := func(v int) {
		last = v
		seen = append(seen, v)
	}
	seeBool := func(b bool) {
		if b {
			see(1)
		} else {
			see(0)
		}
	}
	held := map[*mem.Mutex]bool{}
	hold := func(l *mem.Mutex) {
		if !held[l] {
			l.Lock()
			held[l] = true
		}
	}
	skip := false
	var undo []func()
	for _, i := range op {
		if skip {
			skip = false
			continue
		}
		x, y, v := s.registers[i.x], s.registers[i.y], int64(i.v)
		lock := i.x % len(s.locks)
		switch i.code {
		case load:
			see(int(x.Load()))
		case store:
			x.Store(v)
		case add:
			see(int(x.Add(1)))
		case swap:
			see(int(x.Swap(v)))
		case cas:
			seeBool(x.CompareAndSwap(v, v+1))
		case cas2:
			if i.x != i.y {
				seeBool(mem.CompareAndSwap2(&x.Atomic, &y.Atomic, v, 0, v+1, 1))
			}
		case await:
			see(int(x.Await(func(w int64) bool { return w >= v })))
		case locked:
			if l := s.locks[lock]; !held[l] {
				hold(l)
				undo = append(undo, l.Unlock)
			}
		case lockIn:
			s.locks[lock].Lock()
		case unlock:
			s.locks[lock].Unlock()
		case tryLock:
			ok := s.locks[lock].TryLock()
			seeBool(ok)
			if ok {
				undo = append(undo, s.locks[lock].Unlock)
			}
		case readLocked:
			s.rw[lock].RLock()
			undo = append(undo, s.rw[lock].RUnlock)
		case writeLocked:
			s.rw[lock].Lock()
			undo = append(undo, s.rw[lock].Unlock)
		case tryReadLock:
			ok := s.rw[lock].TryRLock()
			seeBool(ok)
			if ok {
				undo = append(undo, s.rw[lock].RUnlock)
			}
		case acquire:
			s.permits.Acquire()
		case release:
			s.permits.Release()
		case tryAcquire:
			seeBool(s.permits.TryAcquire())
		case wait:
			if l := s.locks[lock]; !held[l] {
				hold(l)
				undo = append(undo, l.Unlock)
			}
			s.conds[lock].Wait()
		case signal:
			s.conds[lock].Signal()
		case broadcast:
			s.conds[lock].Broadcast()
		case choose:
			see(s.m.Choose(2))
		case unless:
			skip = last == i.v
		case fail:
			if last == i.v {
				panic("seen")
			}
		case spin:
			for x.Load() < v {
				s.m.Yield()
			}
		case retry:
			for x.Load() < v {
			}
		case retry2:
			for x.Load() < v && y.Load() < v {
			}
		case retake:
			for !x.CompareAndSwap(v, v+1) {
			}
		case tries:
			n := 0
			for n < 3 && x.Load() < v {
				n++
			}
			see(n)
		}
	}
	for i := len(undo) - 1; i >= 0; i-- {
		undo[i]()
	}
	return seen
}

// tracer keeps the last execution that a strategy got to see, as text that is equal for executions
// that differ only by the order of adjacent independent accesses.
type tracer struct {
	schedule.Strategy
	intervals bool
	key       []byte
}

func (r *tracer) End(e *schedule.Finished) {
	r.key = appendTrace(r.key[:0], e, r.intervals)
	r.Strategy.End(e)
}

// appendTrace appends, for each access in the order of threads, how many accesses of each thread
// happen before it.
func appendTrace(dst []byte, e *schedule.Finished, intervals bool) []byte {
	as := e.Accesses
	n := len(as)
	before := make([][]bool, n)
	global := make([]bool, n)
	latest := [schedule.MaxThreads]int{}
	threads := 0
	for j := range as {
		q := as[j].Thread
		global[j] = as[j].Yields || latest[q] > 0 && as[latest[q]-1].Yields ||
			j == n-1 && (e.Outcome == Panicked || e.Abrupt)
		latest[q] = j + 1
		threads = max(threads, int(q)+1)
		before[j] = make([]bool, n)
		for i := range j {
			a, b := &as[i], &as[j]
			conflict := a.Kind.Writes() || b.Kind.Writes()
			same := a.Loc == b.Loc && a.Loc >= 0 || a.Loc == b.Loc2 && a.Loc >= 0 || a.Loc2 == b.Loc && b.Loc >= 0 || a.Loc2 == b.Loc2 && a.Loc2 >= 0
			if a.Thread == b.Thread || conflict && same || global[i] || global[j] || intervals && (a.Last && b.First || a.First && b.Last) {
				before[j][i] = true
				for h := range i {
					before[j][h] = before[j][h] || before[i][h]
				}
			}
		}
	}
	dst = append(dst, byte(e.Outcome))
	for q := range threads {
		for j := range as {
			if int(as[j].Thread) != q {
				continue
			}
			counts := make([]byte, threads)
			for i := range j {
				if before[j][i] {
					counts[as[i].Thread]++
				}
			}
			dst = append(append(dst, byte(q)), counts...)
		}
	}
	return dst
}

// found is what a strategy visited.
type found struct {
	Stats
	classes map[string]int // by Execution.Class: how often
	traces  map[string]int // by trace and class
	abrupt  bool           // an execution reached the bound on steps
}

// visited runs a program, and returns false if there are more than limit executions.
func visited(t testing.TB, p Program, s Strategy, limit int) (found, bool) {
	return visitedWaiting(t, p, s, limit, 0)
}

// visitedWaiting is visited, where loops wait after so many readings; 0: as ever.
func visitedWaiting(t testing.TB, p Program, s Strategy, limit, rereads int) (found, bool) {
	return visitedWithin(t, p, s, Options{MaxRuns: limit, rereads: rereads})
}

// visitedWithin is visited with other bounds.
func visitedWithin(t testing.TB, p Program, s Strategy, o Options) (found, bool) {
	o.MaxSteps = 60
	return traced(t, p, &tracer{Strategy: schedule.Full(s), intervals: intervals(s)}, o)
}

// visitedBy is visited, with what counts as a trace for another strategy.
func visitedBy(t testing.TB, p Program, s, other Strategy, limit int) (found, bool) {
	return traced(t, p, &tracer{Strategy: schedule.Full(s), intervals: intervals(other)}, Options{MaxRuns: limit, MaxSteps: 60})
}

// intervals reports whether the order of returns and calls counts for a strategy.
func intervals(s Strategy) bool {
	d, ok := s.(interface{ Intervals() bool })
	return !ok || d.Intervals()
}

func traced(t testing.TB, p Program, r *tracer, o Options) (found, bool) {
	f := found{classes: map[string]int{}, traces: map[string]int{}}
	var key []byte
	stats, err := Run(p, r, o, func(e *Execution) bool {
		key = e.Class(key[:0])
		f.abrupt = f.abrupt || e.abrupt
		f.classes[string(key)]++
		if r.intervals { // else executions of one trace may have several classes
			r.key = append(r.key, key...)
		}
		f.traces[string(r.key)]++
		return true
	})
	require.NoError(t, err)
	f.Stats = stats
	return f, stats.Complete
}

// compare says how DPOR differs from exhaustive search, "" if it does not.
func compare(whole, reduced found) string {
	for k := range whole.classes {
		if reduced.classes[k] == 0 {
			return fmt.Sprintf("%d of %d classes, without %q", len(reduced.classes), len(whole.classes), k)
		}
	}
	if len(reduced.classes) > len(whole.classes) {
		return "classes that exhaustive search does not find"
	}
	if whole.abrupt { // where the bound cuts, there are no traces
		return ""
	}
	for k := range whole.traces {
		if reduced.traces[k] == 0 {
			return fmt.Sprintf("%d of %d traces", len(reduced.traces), len(whole.traces))
		}
	}
	return ""
}

// TestDPORFindsTheClassesOfExhaustiveSearch: on random programs DPOR finds the classes that
// exhaustive search finds, and the traces.
func TestDPORFindsTheClassesOfExhaustiveSearch(t *testing.T) {
	programs, limit := testenv.Scale(200, 1_500), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	compared := 0
	var all, reduced, pruned, traces, sum, plainLoses int
	var outcomes [schedule.Outcomes]int
	for i := range programs {
		p := newRandomProgram(start + uint64(i))
		whole, ok := visitedWaiting(t, p.program(), Exhaustive(), limit, 2)
		if !ok {
			continue
		}
		d, ok := visitedWaiting(t, p.program(), DPOR(), 2*limit, 2)
		require.True(t, ok, "seed %d: %s", start+uint64(i), p)
		require.Empty(t, compare(whole, d), "seed %d: %s", start+uint64(i), p)
		plain, ok := visitedWaiting(t, p.program(), schedule.DPORByConflicts(), 2*limit, 2)
		require.True(t, ok)
		if len(plain.classes) < len(whole.classes) {
			plainLoses++
		}
		compared++
		all += whole.Executions
		reduced += d.Executions
		pruned += d.Pruned
		traces += len(whole.traces)
		sum += len(whole.classes)
		for o, n := range whole.Outcomes {
			outcomes[o] += n
		}
	}
	t.Logf("%d programs from seed %d on (%d too large): %d executions, %v by outcome; DPOR %d and %d pruned for %d traces, %d classes; plain dependence loses classes of %d programs",
		compared, start, programs-compared, all, outcomes, reduced, pruned, traces, sum, plainLoses)
	assert.Greater(t, compared, testenv.MoreThan(programs/2))
	assert.Greater(t, plainLoses, testenv.MoreThan(programs/10), "without the order of calls and returns the comparison fails")
	for _, o := range []Outcome{Completed, Stuck, CutOff, Panicked}[:testenv.Scale(2, 4)] {
		assert.Greater(t, outcomes[o], testenv.MoreThan(0), "%s", o)
	}
	assert.Less(t, float64(reduced+pruned), 1.05*float64(traces), "hardly any trace is visited twice or given up")
}

// TestBoundedOperations: where operations stop after a few accesses, DPOR finds the classes and the
// traces of exhaustive search, and both run to their end.
func TestBoundedOperations(t *testing.T) {
	programs, limit := testenv.Scale(200, 2_000), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	var compared, cut, traces, reduced, pruned int
	for i := range programs {
		seed := start + uint64(i)
		p := newRandomProgram(seed)
		o := Options{MaxRuns: limit, OpSteps: 1 + int(seed%3)}
		whole, ok := visitedWithin(t, p.program(), Exhaustive(), o)
		if !ok {
			continue
		}
		o.MaxRuns = 2 * limit
		d, ok := visitedWithin(t, p.program(), DPOR(), o)
		require.True(t, ok, "seed %d: %s", seed, p)
		require.Empty(t, compare(whole, d), "seed %d, %d accesses an operation: %s", seed, o.OpSteps, p)
		require.Equal(t, len(whole.classes), len(d.classes), "seed %d", seed)
		compared++
		if whole.Outcomes[CutOff] > 0 {
			cut++
		}
		traces += len(whole.traces)
		reduced += d.Executions
		pruned += d.Pruned
	}
	t.Logf("%d programs from seed %d on, %d with executions that are cut off: %d traces, DPOR %d executions and %d pruned", compared, start, cut, traces, reduced, pruned)
	assert.Greater(t, cut, testenv.MoreThan(programs/4))
}

// TestDPORVisitsEachTraceOnceWithoutBlocking: on random programs of loads, stores and updates, of
// one location and of two, DPOR makes one execution for each trace that exhaustive search finds,
// never two. It gives up few executions besides: where an access may do something else in another
// place (docs/decisions/dpor.md).
func TestDPORVisitsEachTraceOnceWithoutBlocking(t *testing.T) {
	programs, limit := testenv.Scale(150, 3_000), testenv.Scale(2_000, 20_000)
	start := rand.Uint64N(1 << 32)
	var compared, all, traces, pruned, with int
	for i := range programs {
		seed := start + uint64(i)
		p := randomProgramOf(mixes[:2], seed)
		whole, ok := visited(t, p.program(), Exhaustive(), limit)
		if !ok {
			continue
		}
		d, ok := visited(t, p.program(), DPOR(), 2*limit)
		require.True(t, ok, "seed %d: %s", seed, p)
		require.Empty(t, compare(whole, d), "seed %d: %s", seed, p)
		require.Equal(t, d.Executions, d.Outcomes[Completed], "seed %d: %s", seed, p)
		require.Equal(t, len(whole.traces), d.Executions, "seed %d: a trace is visited twice: %s", seed, p)
		require.LessOrEqual(t, d.Pruned, len(whole.traces), "seed %d: %s", seed, p)
		if d.Pruned > 0 {
			with++
		}
		compared++
		all += whole.Executions
		traces += len(whole.traces)
		pruned += d.Pruned
	}
	t.Logf("%d programs from seed %d on (%d too large): %d executions, %d traces, each visited once; %d given up, in %d programs",
		compared, start, programs-compared, all, traces, pruned, with)
	assert.Greater(t, compared, testenv.MoreThan(programs/2))
	assert.LessOrEqual(t, with, 5+compared/20, "in hardly any program an execution is given up")
}

// TestDPORGivesNothingUp: where every access does the same in all places that races may give it,
// DPOR makes one execution for each trace and gives none up. An update of one location that may
// fail does not count as another access: what would tell the difference conflicts with it.
func TestDPORGivesNothingUp(t *testing.T) {
	updates := map[opcode]int{load: 3, store: 2, add: 1, swap: 1, cas: 2}
	for _, c := range []struct {
		name     string
		mix      map[opcode]int
		accesses int // of an operation, at most
		strategy func() Strategy
	}{
		{"by conflicts", updates, 3, func() Strategy { return schedule.DPORByConflicts() }},
		{"operations of one access", updates, 1, DPOR},
		{"operations that read nothing", map[opcode]int{store: 1}, 3, DPOR},
	} {
		programs, limit := testenv.Scale(100, 1_000), testenv.Scale(2_000, 20_000)
		start := rand.Uint64N(1 << 32)
		compared, traces := 0, 0
		for i := range programs {
			p := randomProgramOf([]map[opcode]int{c.mix}, start+uint64(i))
			for _, ops := range p.threads {
				for k := range ops {
					ops[k] = ops[k][:min(len(ops[k]), c.accesses)]
				}
			}
			whole, ok := visitedBy(t, p.program(), Exhaustive(), c.strategy(), limit)
			if !ok {
				continue
			}
			d, ok := visited(t, p.program(), c.strategy(), 2*limit)
			require.True(t, ok, "%s: %s", c.name, p)
			require.Len(t, d.traces, len(whole.traces), "%s: %s", c.name, p)
			require.Equal(t, len(d.traces), d.Executions, "%s: a trace is visited twice: %s", c.name, p)
			require.Zero(t, d.Pruned, "%s: %s", c.name, p)
			compared++
			traces += len(whole.traces)
		}
		t.Logf("%s: %d programs from seed %d on, %d traces, each visited once, none given up", c.name, compared, start, traces)
		assert.Greater(t, compared, testenv.MoreThan(programs/2))
	}
}
