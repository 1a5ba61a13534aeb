package explore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/explore/mem"
)

// A random program: each operation is a list of instructions, each at most a few accesses. What an operation observes is its result.

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
	opcodes
)

var opcodeNames = [opcodes]string{"load", "store", "add", "swap", "cas", "cas2", "await", "locked", "lock", "unlock", "trylock", "rlocked", "wlocked", "tryrlock",
	"acquire", "release", "tryacquire", "wait", "signal", "broadcast", "choose", "unless", "fail", "spin"}

type instruction struct {
	code    opcode
	x, y, v int
}

func (i instruction) String() string {
	return fmt.Sprintf("%s.%d.%d.%d", opcodeNames[i.code], i.x, i.y, i.v)
}

type randomProgram struct {
	seed    uint64
	permits int
	threads [][][]instruction
}

func (p *randomProgram) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d, %d permits\n", p.seed, p.permits)
	for i, ops := range p.threads {
		fmt.Fprintf(&b, "  thread %d: %v\n", i, ops)
	}
	return b.String()
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
	{load: 2, store: 2, add: 1, swap: 1, cas: 2, cas2: 1, await: 2, locked: 2, lockIn: 1, unlock: 1, tryLock: 1, readLocked: 1, writeLocked: 1, tryReadLock: 1,
		acquire: 2, release: 2, tryAcquire: 1, wait: 2, signal: 2, broadcast: 1, choose: 2, unless: 1},
}

func newRandomProgram(seed uint64) *randomProgram {
	r := rand.New(rand.NewPCG(seed, 6))
	p := &randomProgram{seed: seed, permits: r.IntN(3)}
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
		}
	}
	for i := len(undo) - 1; i >= 0; i-- {
		undo[i]()
	}
	return seen
}

// classes returns the classes that a strategy visits and how often, or false if there are more than limit runs.
func classes(t testing.TB, p Program, s Strategy, limit int) (map[string]int, Stats, bool) {
	found := map[string]int{}
	var key []byte
	stats, err := Run(p, s, Options{MaxRuns: limit, MaxSteps: 200}, func(e *Execution) bool {
		key = e.Class(key[:0])
		found[string(key)]++
		return true
	})
	require.NoError(t, err)
	return found, stats, stats.Complete
}

func full() bool { return os.Getenv("LINSAT_FULL") != "" }

// TestDPORRandom: on random programs DPOR finds the classes that exhaustive search finds.
func TestDPORRandom(t *testing.T) {
	programs, limit := 400, 5_000
	if full() {
		programs, limit = 6_000, 40_000
	}
	start := rand.Uint64N(1 << 32)
	compared, skipped := 0, 0
	var all, reduced, pruned, sum int
	var outcomes [outcomes]int
	for i := range programs {
		p := newRandomProgram(start + uint64(i))
		want, whole, ok := classes(t, p.program(), Exhaustive(), limit)
		if !ok {
			skipped++
			continue
		}
		got, stats, ok := classes(t, p.program(), DPOR(), 2*limit)
		require.True(t, ok, "%s", p)
		for k := range want {
			if got[k] == 0 {
				require.Fail(t, "class missing", "%s%d of %d classes, %q", p, len(got), len(want), k)
			}
		}
		require.Len(t, got, len(want), "%s", p)
		compared++
		all += whole.Executions
		reduced += stats.Executions
		pruned += stats.Pruned
		sum += len(want)
		for o, n := range whole.Outcomes {
			outcomes[o] += n
		}
	}
	t.Logf("%d programs from seed %d on (%d too large): %d executions, %v by outcome; DPOR %d and %d pruned for %d classes",
		compared, start, skipped, all, outcomes, reduced, pruned, sum)
	assert.Greater(t, compared, programs/2)
}
