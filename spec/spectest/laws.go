package spectest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/spec"
)

// Check returns the violations of the laws that it finds, the first few of them; none if all is
// well.
//
//   - Info: every operation has a sample, no two operations share a name, classes hold operations
//     that exist, and the example is a linearizable history of the specification.
//   - Step is a pure function that appends, names no state twice, and finds the same states
//     whatever the order in which they are met; no two states look alike.
//   - Step does not compare an argument, which is an int64, with an int.
//   - A pure operation leaves the state alone. Operations of one EquivID do the same in every
//     state. An unknown result, of a completed or of a pending operation, is any of the results
//     (with Symbolic: allows what any of the results does). What is refused has a reason.
//   - The theory allows the same sequences as the machine, and the same histories; forgetting
//     results does not take it away.
//   - All partitions of a history are linearizable exactly if the whole is. Forgetting a result or
//     a return never turns a linearizable history into a violation.
func Check(s spec.Spec, k Kit) []error {
	if s == nil {
		return []error{errors.New("spectest: the specification is nil")}
	}
	if k.Depth == 0 {
		k.Depth = 4
	}
	if k.Runs == 0 {
		k.Runs = 200
	}
	c := &checker{spec: model.Full(s), kit: &k}
	c.laws()
	return c.errors
}

// laws checks all laws. Code of the specification that fails ends that.
func (c *checker) laws() {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *model.Fault:
			c.errors = append(c.errors, v)
		default:
			panic(v)
		}
	}()
	s, k := c.spec, c.kit
	c.info()
	for _, initial := range append([]any{nil}, k.Initials...) {
		a, err := newAlphabet(s, k, initial)
		if err != nil {
			c.fail("samples are refused from initial state %s: %v", shown(initial), err)
			continue
		}
		c.alphabet(a, initial)
	}
	if len(c.errors) == 0 {
		c.histories()
	}
	if len(c.errors) == 0 {
		c.errors = c.perhaps
	}
}

type checker struct {
	spec   model.Spec
	kit    *Kit
	errors []error
	// what follows from another broken law, if one is
	perhaps []error
}

func (c *checker) fail(format string, args ...any) {
	if len(c.errors) < maxErrors {
		c.errors = append(c.errors, fmt.Errorf(c.spec.Info().Name+": "+format, args...))
	}
}

// failUnlessOthers is fail for what is said if nothing else is.
func (c *checker) failUnlessOthers(format string, args ...any) {
	other := &checker{spec: c.spec}
	other.fail(format, args...)
	c.perhaps = append(c.perhaps, other.errors...)
}

// fold is how names of operations are compared.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

func (c *checker) info() {
	info := c.spec.Info()
	if info.Name == "" {
		c.fail("it has no name")
	}
	names := map[string]string{}
	for _, o := range info.Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if first, twice := names[fold(name)]; twice {
				c.fail("both %s and %s are called %q", first, o.Name, name)
			}
			names[fold(name)] = o.Name
		}
	}
	sampled := map[string]bool{}
	for _, s := range c.kit.Samples {
		sampled[names[fold(s.F)]] = true
	}
	for _, o := range info.Operations {
		if !sampled[o.Name] {
			c.fail("no sample calls %s", o.Name)
		}
	}
	for _, class := range info.Classes {
		for _, name := range class.Operations {
			if names[fold(name)] != name {
				c.fail("class %s holds %q, which is not an operation", class.Name, name)
			}
		}
	}
	if info.Example != "" {
		c.example(info)
	}
}

func (c *checker) example(info model.Info) {
	if strings.Contains(info.Example, "\n") {
		c.fail("the example has several lines")
	}
	h, err := history.Read(strings.NewReader(info.Example), history.ReadOptions{})
	if err != nil {
		c.fail("the example cannot be read: %v", err)
		return
	}
	if h.Spec != info.Name {
		c.fail("the example is a history of %q", h.Spec)
	}
	b, err := c.spec.Bind(model.Whole(h))
	if err != nil {
		c.fail("the example is refused: %v", err)
		return
	}
	if ok, _ := oracle.Linearizable(b); !ok {
		c.fail("the example is not linearizable")
	}
}

// alphabet checks the laws of what Bind says of a partition, on the states within reach.
func (c *checker) alphabet(a *alphabet, initial any) {
	b, n := a.bound, len(a.letters)
	if len(b.ReadOnly) != n || len(b.EquivID) != n || b.Class != nil && len(b.Class) != n {
		c.fail("Bind says something of %d, %d and %d operations, but there are %d", len(b.ReadOnly), len(b.EquivID),
			len(b.Class), n)
		return
	}
	for i, class := range b.Class {
		if class < -1 || int(class) >= len(c.spec.Info().Classes) {
			c.fail("%s is in class %d, which does not exist", a.show(int32(i)), class)
		}
	}
	if !c.signatures(a) {
		return
	}
	g := c.explore(a)
	c.replay(a, g)
	c.states(a, g)
	c.unknowns(a, g)
	if b.Axiomatic() == nil {
		a = c.describable(a, initial)
	}
	if a.bound.Axiomatic() != nil {
		c.theory(a, "from initial state "+shown(initial))
		c.lasting(a, initial)
	}
}

// lasting checks that a partition with a theory keeps one of that kind when all results are
// forgotten.
func (c *checker) lasting(a *alphabet, initial any) {
	forgotten := slices.Clone(a.letters)
	for i := range forgotten {
		forgotten[i].unknown = true
	}
	if b, err := bindLetters(c.spec, c.kit, forgotten, initial); err != nil {
		c.fail("forgotten results are refused from initial state %s: %v", shown(initial), err)
	} else if x, y := theoryOf(a.bound), theoryOf(b.bound); x != y {
		fail := c.fail
		if model.Derived(a.bound.Axiomatic()) { // where steps break a law, none is derived
			fail = c.failUnlessOthers
		}
		fail("the axioms are those of %s, and of %s when results are forgotten", x, y)
	}
}

// theoryOf names the theory of a partition.
func theoryOf(b *model.Instance) string {
	if b.Axiomatic() == nil {
		return "nothing"
	}
	name := fmt.Sprintf("%T", b.Axiomatic())
	return "a " + strings.ToLower(strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Theory"))
}

// describable returns the alphabet of those letters that have a theory each by itself, or a if
// there are none or they have none together.
func (c *checker) describable(a *alphabet, initial any) *alphabet {
	var some []letter
	for _, l := range a.letters {
		if one, err := bindLetters(c.spec, c.kit, []letter{l}, initial); err == nil && one.bound.Axiomatic() != nil {
			some = append(some, l)
		}
	}
	if len(some) == 0 {
		return a
	}
	all, err := bindLetters(c.spec, c.kit, some, initial)
	if err != nil {
		c.fail("some samples are refused from initial state %s, though not all of them: %v", shown(initial), err)
		return a
	}
	return all
}

// signatures are the numbers 0..max.
func (c *checker) signatures(a *alphabet) bool {
	seen := map[int32]bool{}
	for i, sig := range a.bound.EquivID {
		if sig < 0 {
			c.fail("%s has signature %d", a.show(int32(i)), sig)
			return false
		}
		seen[sig] = true
	}
	if int(slices.Max(a.bound.EquivID)) >= len(seen) {
		c.fail("signatures go up to %d, but there are only %d different ones", slices.Max(a.bound.EquivID), len(seen))
		return false
	}
	return true
}

// graph is what one machine says: in the order of discovery, states and where each operation leads
// from them.
type graph struct {
	machine model.Machine
	states  []model.State
	// by operation; of states less deep than the kit's Depth
	steps map[model.State][][]model.State
}

func (c *checker) explore(a *alphabet) *graph {
	m := a.bound.NewMachine()
	g := &graph{machine: m, states: []model.State{m.Init()}, steps: map[model.State][][]model.State{}}
	known := map[model.State]bool{m.Init(): true}
	const mark = -7
	from := 0
	for depth := 0; depth < c.kit.Depth && len(g.states) < maxStates; depth++ {
		for until := len(g.states); from < until; from++ {
			s := g.states[from]
			steps := make([][]model.State, len(a.letters))
			for op := range steps {
				next := m.Step(s, history.OpID(op), []model.State{mark})
				if len(next) == 0 || next[0] != mark {
					c.fail("Step of %s in %s does not append", a.show(int32(op)), m.Describe(s))
					return g
				}
				steps[op] = slices.Clone(next[1:])
				for k, t := range steps[op] {
					if slices.Contains(steps[op][:k], t) {
						c.fail("Step of %s in %s names a state twice: %s", a.show(int32(op)),
							m.Describe(s), m.Describe(t))
					}
					if !known[t] {
						known[t] = true
						g.states = append(g.states, t)
					}
				}
			}
			g.steps[s] = steps
		}
	}
	return g
}

// replay asks another machine the same in another order, and once more. Its numbers of states may
// differ, but each state of one must be exactly one state of the other.
func (c *checker) replay(a *alphabet, g *graph) {
	m := a.bound.NewMachine()
	there, back := map[model.State]model.State{}, map[model.State]model.State{}
	same := func(s, t model.State) bool {
		t0, known := there[s]
		s0, knownBack := back[t]
		if !known && !knownBack {
			there[s], back[t] = t, s
			return true
		}
		return known && knownBack && t0 == t && s0 == s
	}
	same(g.machine.Init(), m.Init())
	stack := []model.State{g.machine.Init()}
	done := map[model.State]bool{}
	var order []model.State
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if done[s] || g.steps[s] == nil {
			continue
		}
		done[s] = true
		order = append(order, s)
		for op := len(a.letters) - 1; op >= 0; op-- {
			next := m.Step(there[s], history.OpID(op), nil)
			if !slices.EqualFunc(g.steps[s][op], next, same) {
				c.fail("Step of %s in %s depends on more than these: it gives %s, and %s in another order of calls",
					a.show(int32(op)), g.machine.Describe(s),
					list(g.machine, g.steps[s][op]), list(m, next))
				return
			}
			stack = append(stack, g.steps[s][op]...)
		}
	}
	for _, s := range order {
		for op := range a.letters {
			if next := g.machine.Step(s, history.OpID(op), nil); !slices.Equal(next, g.steps[s][op]) {
				c.fail("Step of %s in %s gives %s at first and %s later", a.show(int32(op)), g.machine.Describe(s),
					list(g.machine, g.steps[s][op]), list(g.machine, next))
				return
			}
		}
	}
}

func list(m model.Machine, states []model.State) string {
	if len(states) == 0 {
		return "nothing"
	}
	var texts []string
	for _, s := range states {
		texts = append(texts, m.Describe(s))
	}
	return strings.Join(texts, " or ")
}

// states checks what must hold in every state.
func (c *checker) states(a *alphabet, g *graph) {
	look := map[string]model.State{}
	for _, s := range g.states {
		text := g.machine.Describe(s)
		if twin, taken := look[text]; taken && twin != s {
			c.fail("states %d and %d both look like %s: equal states must have equal numbers, and others differ in "+
				"their descriptions", twin, s, text)
		}
		look[text] = s
	}
	if m, ok := g.machine.(interface {
		DiffersForInts(s model.State, op history.OpID) string
	}); ok {
		c.ints(a, g, m.DiffersForInts)
	}
	for _, s := range g.states {
		steps := g.steps[s]
		first := map[int32]int{}
		for op, next := range steps {
			if a.bound.ReadOnly[op] && !(len(next) == 0 || len(next) == 1 && next[0] == s) {
				c.fail("%s is pure, but leads from %s to %s", a.show(int32(op)), g.machine.Describe(s),
					list(g.machine, next))
			}
			sig := a.bound.EquivID[op]
			if twin, taken := first[sig]; !taken {
				first[sig] = op
			} else if !slices.Equal(next, steps[twin]) {
				c.fail("%s and %s have one signature, but lead from %s to %s and to %s", a.show(int32(twin)),
					a.show(int32(op)), g.machine.Describe(s),
					list(g.machine, steps[twin]), list(g.machine, next))
			}
			if len(next) == 0 && a.bound.Refusal != nil && a.bound.Refusal(g.machine, s, history.OpID(op)) == "" {
				c.fail("%s is refused in %s for no reason", a.show(int32(op)), g.machine.Describe(s))
			}
		}
	}
}

// ints asks about every operation whether its code compares an int64 with an int.
func (c *checker) ints(a *alphabet, g *graph, differs func(s model.State, op history.OpID) string) {
	for op := range a.letters {
		for _, s := range g.states {
			if how := differs(s, history.OpID(op)); how != "" {
				c.fail("%s in state %s: %s", a.show(int32(op)), g.machine.Describe(s), how)
				return
			}
		}
	}
}

// unknowns compares an unknown result with all the known ones.
func (c *checker) unknowns(a *alphabet, g *graph) {
	for _, s := range g.states {
		steps := g.steps[s]
		if steps == nil {
			continue
		}
		union := map[model.State]bool{}
		sample := -1
		for op, l := range a.letters {
			if l.sample != sample {
				sample = l.sample
				clear(union)
			}
			if !l.unknown {
				for _, t := range steps[op] {
					union[t] = true
				}
				continue
			}
			for t := range union {
				if !slices.Contains(steps[op], t) &&
					!(c.kit.Symbolic && c.includes(a, g.machine, t, steps[op], symbolicDepth)) {
					c.fail("%s does not lead from %s to %s, but some result does", a.show(int32(op)),
						g.machine.Describe(s), g.machine.Describe(t))
				}
			}
			for _, t := range steps[op] {
				if !union[t] && !c.kit.Samples[sample].More {
					c.fail("%s leads from %s to %s, but no result does", a.show(int32(op)), g.machine.Describe(s),
						g.machine.Describe(t))
				}
			}
		}
	}
}

// includes reports whether every sequence of at most depth operations that is allowed from state t
// is allowed from one of states.
func (c *checker) includes(a *alphabet, m model.Machine, t model.State, states []model.State, depth int) bool {
	if len(states) == 0 {
		return false
	}
	if depth == 0 || slices.Contains(states, t) {
		return true
	}
	for op := range a.letters {
		next := advance(m, states, history.OpID(op), false)
		for _, u := range m.Step(t, history.OpID(op), nil) {
			if !c.includes(a, m, u, next, depth-1) {
				return false
			}
		}
	}
	return true
}

// theory compares the sequences that machine and theory allow, by the sets of states in which
// either may be. A pending operation may also not take effect.
func (c *checker) theory(a *alphabet, where string) {
	m, t := a.bound.NewMachine(), machineOf(a.bound.Axiomatic())
	type pair struct {
		machine, theory []model.State
		path            []int32
	}
	key := func(p pair) string { return fmt.Sprint(p.machine, p.theory) }
	start := pair{machine: []model.State{m.Init()}, theory: []model.State{t.Init()}}
	seen := map[string]bool{key(start): true}
	queue := []pair{start}
	for len(queue) > 0 && len(seen) < maxPairs {
		p := queue[0]
		queue = queue[1:]
		if len(p.path) == sequence {
			continue
		}
		for op, l := range a.letters {
			q := pair{advance(m, p.machine, history.OpID(op), l.pending), advance(t, p.theory, history.OpID(op),
				l.pending), append(slices.Clone(p.path), int32(op))}
			if (len(q.machine) == 0) != (len(q.theory) == 0) {
				var steps []string
				for _, op := range q.path {
					steps = append(steps, a.show(op))
				}
				who := "theory"
				if len(q.machine) > 0 {
					who = "machine"
				}
				c.fail("only the %s allows %s, %s", who, strings.Join(steps, "; "), where)
				return
			}
			if k := key(q); len(q.machine) > 0 && !seen[k] {
				seen[k] = true
				queue = append(queue, q)
			}
		}
	}
}

// advance returns the states, sorted, that operation op may leave behind, from any of the given
// ones.
func advance(m model.Machine, states []model.State, op history.OpID, optional bool) []model.State {
	var out []model.State
	for _, s := range states {
		out = m.Step(s, op, out)
	}
	if optional {
		out = append(out, states...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
