package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/linsat/linsat/explore/mem"
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

var opcodeNames = [opcodes]string{"load", "store", "add", "swap", "cas", "cas2", "await", "locked", "lock", "unlock",
	"trylock", "rlocked", "wlocked", "tryrlock",
	"acquire", "release", "tryacquire", "wait", "signal", "broadcast", "choose", "unless", "fail", "spin", "retry",
	"retry2", "retake", "tries"}

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
	{load: 2, store: 2, add: 1, swap: 1, cas: 2, cas2: 1, await: 2, locked: 2, lockIn: 1, unlock: 1, tryLock: 1,
		readLocked: 1, writeLocked: 1, tryReadLock: 1,
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
