package gen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// Family is a kind of history that is hard for some engine.
type Family struct {
	Name    string
	Summary string
	Specs   []string // supported specifications, the default first
	Size    string   // what FamilyOptions.Size counts
	make    func(s *script, o FamilyOptions) (injured string)
}

// FamilyOptions selects the member of a family that Make returns.
type FamilyOptions struct {
	Spec       string // "": the first of Family.Specs
	Size       int    // 0: 8
	Operations int    // besides those that Size counts; 0: 40
	Processes  int    // of the runs of a family that has runs; 0: 8
	Violated   bool   // a history that is not linearizable
	Seed       uint64
}

// Families lists the families.
func Families() []Family {
	return []Family{
		{"burst", "overlapping insertions, then removals one after the other; violated: the last finds nothing",
			[]string{"queue", "stack"}, "insertions", burst},
		{"long-writes", "long overlapping writes and a reader that sees each; violated: it sees the first again",
			[]string{"register"}, "writes", longWrites},
		{"pending-heavy",
			"insertions or writes that never return beside sequential operations; violated: the last finds what was " +
				"never inserted or is long gone", []string{"queue", "stack", "register"},
			"operations that never return", pendingHeavy},
		{"pigeonhole", "equal values, all concurrent, as many removals as insertions; violated: one removal more",
			[]string{"queue", "stack"}, "insertions", pigeonhole},
		{"ambiguous",
			"a register of few values under many processes; violated: the last read finds what was just overwritten",
			[]string{"register"}, "processes", ambiguous},
		{"wide",
			"as many processes as Size says, distinct values; violated: the last removal or read finds what is long " +
				"gone", []string{"queue", "stack", "register"}, "processes", wide},
		{"long",
			"Size times a thousand operations by few processes, distinct values; violated: the last removal or read " +
				"finds what is long gone", []string{"queue", "stack", "register"}, "thousands of operations", long},
	}
}

// Make returns a member of the family: a history and its verdict, which is certain. It returns an
// error for a specification that the family does not support.
func (f Family) Make(o FamilyOptions) (*Case, error) {
	if o.Spec == "" {
		o.Spec = f.Specs[0]
	}
	if o.Size == 0 {
		o.Size = 8
	}
	if o.Operations == 0 {
		o.Operations = 40
	}
	if o.Processes == 0 {
		o.Processes = 8
	}
	if o.Size < 1 || o.Operations < 1 || o.Processes < 1 {
		return nil, fmt.Errorf("size, operations and processes of a family must not be negative")
	}
	if !slices.Contains(f.Specs, o.Spec) {
		return nil, fmt.Errorf("family %s has no histories of specification %q (want %s)", f.Name, o.Spec,
			strings.Join(f.Specs, " or "))
	}
	s := &script{spec: o.Spec, b: history.NewBuilder(), r: rand.New(rand.NewPCG(o.Seed, uint64(len(f.Name))))}
	s.b.SetSpec(o.Spec)
	s.put = map[string]string{"queue": "enq", "stack": "push", "register": "write"}[o.Spec]
	s.get = map[string]string{"queue": "deq", "stack": "pop", "register": "read"}[o.Spec]
	c := &Case{Known: Yes}
	injured := f.make(s, o)
	if s.err != nil {
		return nil, s.err
	}
	if o.Violated {
		c.Known, c.Mutation = No, injured
	}
	var err error
	c.History, err = s.b.Finish()
	return c, err
}

// script writes a history operation by operation.
type script struct {
	spec     string
	put, get string
	b        *history.Builder
	r        *rand.Rand
	clock    int64 // of the sequential operations
	err      error
}

// add adds an operation; ret < 0 means that it never returns. Zero stands for no argument or
// nothing found.
func (s *script) add(process int, f string, arg, result, call, ret int64) {
	value := func(n int64) history.Value {
		if n == 0 {
			return history.Nil
		}
		return s.b.Values.Int(n)
	}
	r := history.Record{Process: s.b.Process(strconv.Itoa(process)), F: s.b.Values.String(f), Key: history.NoKey,
		Arg: value(arg), Result: value(result), Call: call, Return: ret}
	if ret < 0 {
		r.Pending = true
	}
	if _, err := s.b.Add(r); err != nil && s.err == nil {
		s.err = err
	}
}

// next adds an operation of process 0 after everything that next added so far.
func (s *script) next(f string, arg, result int64) {
	s.add(0, f, arg, result, s.clock, s.clock+1)
	s.clock += 2
}

func burst(s *script, o FamilyOptions) string {
	n := int64(o.Size)
	for v := int64(1); v <= n; v++ {
		s.add(int(v), s.put, v, 0, v, n+v)
	}
	s.clock = 2*n + 1
	for i, v := range s.r.Perm(o.Size) {
		if o.Violated && i == o.Size-1 {
			s.next(s.get, 0, 0)
			break
		}
		s.next(s.get, 0, int64(v+1))
	}
	return "the last removal finds nothing, though one value is left"
}

func longWrites(s *script, o FamilyOptions) string {
	n := int64(o.Size)
	for v := int64(1); v <= n; v++ {
		s.add(int(v), s.put, v, 0, v, 4*n+10+v)
	}
	s.clock = n + 1
	order := s.r.Perm(o.Size)
	for _, v := range order {
		s.next(s.get, 0, int64(v+1))
	}
	last := order[o.Size-1]
	if o.Violated {
		last = order[0]
		if o.Size == 1 { // its own value always occurs again
			s.next(s.get, 0, 0)
			return "the register is empty again"
		}
	}
	s.next(s.get, 0, int64(last+1))
	return "the last read finds the first value again, which was written once"
}

func pendingHeavy(s *script, o FamilyOptions) string {
	n := int64(o.Size)
	for v := int64(1); v <= n; v++ {
		s.add(int(v), s.put, v, 0, v, -1)
	}
	s.clock = n + 1
	for v := n + 1; v <= n+int64(o.Operations/2); v++ {
		s.next(s.put, v, 0)
		s.next(s.get, 0, v)
	}
	gone := n + 1 // removed, or overwritten, long ago
	if !o.Violated {
		gone = int64(1 + s.r.IntN(o.Size))
	} else if o.Operations < 4 && s.spec == "register" {
		s.next(s.put, n+int64(o.Operations)+1, 0)
	}
	s.next(s.get, 0, gone)
	return "the last operation finds a value that is long gone"
}

func pigeonhole(s *script, o FamilyOptions) string {
	removals := o.Size
	if o.Violated {
		removals++
	}
	for p := range o.Size {
		s.add(p, s.put, 1, 0, 0, 10)
	}
	for p := range removals {
		s.add(o.Size+p, s.get, 0, 1, 0, 10)
	}
	return "there is one removal more than there are insertions"
}

func ambiguous(s *script, o FamilyOptions) string {
	s.run(Options{Operations: o.Operations, Processes: o.Size, Values: 2, Seed: o.Seed})
	s.next(s.put, 1, 0)
	s.next(s.get, 0, 1+b2i(o.Violated))
	return "the last read finds another value than the one just written"
}

func wide(s *script, o FamilyOptions) string {
	s.run(Options{Operations: o.Operations, Processes: o.Size, Seed: o.Seed})
	return s.again(o.Violated)
}

func long(s *script, o FamilyOptions) string {
	s.run(Options{Operations: 1000 * o.Size, Processes: o.Processes, Seed: o.Seed})
	return s.again(o.Violated)
}

// run adds a run of processes 1 and up, and removes what it leaves behind.
func (s *script) run(o Options) {
	o.Spec = s.spec
	g, err := newRun(o)
	if err != nil {
		s.err = err
		return
	}
	g.all()
	number := func(v history.Value) int64 {
		n, _ := g.t.AsInt(v)
		return n
	}
	for i := range g.events {
		e := &g.events[i]
		s.add(int(e.proc)+1, e.f, number(e.arg), number(e.result), e.call, e.ret)
	}
	s.clock = g.clock
	if l, ok := g.world.objects[0].(*list); ok { // left-over values are removed
		items := l.items
		if l.take[0] == back {
			slices.Reverse(items)
		}
		for _, v := range items {
			s.next(s.get, 0, number(v))
		}
	}
}

// again inserts and removes a value, then another one. If violated is set, it removes the first one
// twice.
func (s *script) again(violated bool) string {
	v := s.clock + 1 // larger than any value of the run
	s.next(s.put, v, 0)
	s.next(s.get, 0, v)
	s.next(s.put, v+1, 0)
	s.next(s.get, 0, v+1-b2i(violated))
	return "the last operation finds a value that is long gone"
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
