package gen

import (
	"fmt"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
)

// Violation is a violation that can be injected into a run.
type Violation string

// The violations. Case.Known reports whether the result is certainly not linearizable.
const (
	NoViolation Violation = ""
	Swap        Violation = "swap" // two operations far apart exchange their results
	// an operation returns the result of an earlier one of its kind
	Stale        Violation = "stale"
	NeverWritten Violation = "unwritten" // an operation returns a value that was never written
	Lost         Violation = "lost"      // an operation returned, but took no effect
	// a value is removed twice; etcd: a transaction takes effect twice
	Duplicate Violation = "duplicate"
	Gap       Violation = "gap" // etcd: a revision is skipped
)

// Violations lists the violations by name.
func Violations() []Violation { return []Violation{Swap, Stale, NeverWritten, Lost, Duplicate, Gap} }

// inject injects the violation and records in c what is known then.
func (g *run) inject(c *Case) error {
	what, known := "", Unclear
	switch store, isEtcd := g.world.objects[0].(*etcd); {
	case g.o.Violation == NoViolation:
		return nil
	case isEtcd && g.o.Violation != Swap:
		if what, known = g.disturbed(store); what == "" {
			return fmt.Errorf("no place for the violation %s in this run of %s", g.o.Violation, g.o.Spec)
		}
		c.Known, c.Bound, c.Mutation = known, 0, what
		return nil
	}
	switch g.o.Violation {
	case Swap:
		what, known = g.swap()
	case Stale:
		what, known = g.stale()
	case NeverWritten:
		what, known = g.unwritten()
	case Lost:
		what, known = g.loss()
	case Duplicate:
		what, known = g.duplicate()
	default:
		var names []string
		for _, v := range Violations() {
			names = append(names, string(v))
		}
		return fmt.Errorf("unknown violation %q (want one of %s)", g.o.Violation, strings.Join(names, ", "))
	}
	if what == "" {
		return fmt.Errorf("no place for the violation %s in this run of %s", g.o.Violation, g.o.Spec)
	}
	c.Known, c.Bound, c.Mutation = known, 0, what
	return nil
}

// returned lists the returned operations that want accepts, in the order of their returns.
func (g *run) returned(want func(e *event) bool) []int {
	var all []int
	for i := range g.events {
		if e := &g.events[i]; e.ret >= 0 && want(e) {
			all = append(all, i)
		}
	}
	sort.Slice(all, func(i, j int) bool { return g.events[all[i]].ret < g.events[all[j]].ret })
	return all
}

// tells reports whether an operation returned something that depends on the state.
func tells(e *event) bool { return e.result != history.Nil || isRemoval[e.f] }

// far is the number of events between operations that are far apart.
func (g *run) far() int64 { return 8 * int64(g.o.Processes) }

// pair tries random pairs of candidates until one fits. The first returned long before the second
// was called.
func (g *run) pair(candidates []int, fits func(a, b *event) bool) (a, b *event) {
	if len(candidates) < 2 {
		return nil, nil
	}
	for range 1000 {
		i := g.r.IntN(len(candidates) - 1)
		// Not too far apart either: a violation in a long history should be local.
		j := i + 1 + g.r.IntN(min(len(candidates)-1-i, 40*g.o.Processes))
		a, b := &g.events[candidates[i]], &g.events[candidates[j]]
		if a.f == b.f && a.object == b.object && a.key == b.key && a.ret+g.far() < b.call && fits(a, b) {
			return a, b
		}
	}
	return nil, nil
}

func (g *run) swap() (string, Known) {
	candidates := g.returned(tells)
	writers := g.writers()
	known := Unclear
	a, b := g.pair(candidates, func(a, b *event) bool {
		if a.result == b.result || g.o.Spec == "multi-register" && a.arg != b.arg {
			return false
		}
		if g.o.Spec == "queue" && g.o.Values == 0 {
			// Two values certainly inserted one after the other, and removed the other way around.
			x, y := writers[contents{a.object, a.result}], writers[contents{b.object, b.result}]
			if x == nil || y == nil || x.ret < 0 || x.ret >= y.call {
				return false
			}
			known = No
		}
		return true
	})
	if a == nil {
		return "", Unclear
	}
	a.result, b.result = b.result, a.result
	return fmt.Sprintf("results of two operations %s exchanged", a.f), known
}

// writers maps every value to the operation that inserted or wrote it, where all values are new.
func (g *run) writers() map[contents]*event {
	m := map[contents]*event{}
	for i := range g.events {
		if e := &g.events[i]; e.arg != history.Nil {
			m[contents{e.object, e.arg}] = e
		}
	}
	return m
}

func (g *run) stale() (string, Known) {
	candidates := g.returned(func(e *event) bool { return tells(e) && !isRemoval[e.f] })
	known := Unclear
	writers := g.writers()
	cell := (g.o.Spec == "register") && g.o.Values == 0
	a, b := g.pair(candidates, func(a, b *event) bool {
		if a.result == b.result || g.o.Spec == "multi-register" && a.arg != b.arg {
			return false
		}
		if cell {
			// The value that b should read was certainly written after the one that a read, and
			// before b.
			x, y := writers[contents{a.object, a.result}], writers[contents{b.object, b.result}]
			if x == nil || y == nil || x.ret < 0 || y.ret < 0 || x.ret >= y.call || y.ret >= b.call {
				return false
			}
			known = No
		}
		return true
	})
	if a == nil {
		return "", Unclear
	}
	b.result = a.result
	return fmt.Sprintf("an operation %s returns an old result", b.f), known
}

func (g *run) unwritten() (string, Known) {
	var value func(e *event) history.Value
	number := int64(g.o.Operations)*4 + 1_000_000
	switch g.o.Spec {
	case "register", "cas-register", "queue", "unordered-queue", "bounded-queue", "stack", "deque", "counter":
		value = func(e *event) history.Value { return g.t.Int(number) }
	case "priority-queue":
		value = func(e *event) history.Value { return g.t.Int(1<<32 + number) }
	case "kv":
		value = func(e *event) history.Value { return g.t.String("never written") }
	case "fenced-mutex":
		// all later tokens are too small then
		value = func(e *event) history.Value { return g.t.Int(number) }
	case "bank":
		value = func(e *event) history.Value { return g.t.Map([]history.Value{g.t.String("a0"), g.t.Int(number)}) }
	case "log":
		value = func(e *event) history.Value { return g.t.List([]history.Value{g.t.Int(number)}) }
	default:
		return "", Unclear
	}
	known := No
	// another token, or the value of the only read, may be right
	if g.o.Spec == "fenced-mutex" || g.o.Spec == "bank" {
		known = Unclear
	}
	valued := map[string]bool{"acquire": true, "read": true, "get": true, "deq": true, "pop": true, "popfront": true,
		"popback": true, "deletemin": true, "getandinc": true}
	candidates := g.returned(func(e *event) bool {
		return valued[e.f] && (e.f != "acquire" || g.o.Spec == "fenced-mutex")
	})
	if len(candidates) == 0 {
		return "", Unclear
	}
	// Late in the history, so that an engine that reads from the start has to read most of it.
	e := &g.events[candidates[len(candidates)-1-g.r.IntN(1+len(candidates)/4)]]
	e.result = value(e)
	return fmt.Sprintf("an operation %s returns a value that was never written", e.f), known
}

// losable are the operations without results whose effect can be undone.
var losable = map[string]bool{"write": true, "put": true, "enq": true, "push": true, "pushfront": true,
	"pushback": true, "insert": true, "inc": true, "offer": true, "transfer": true}

// lose reports whether the effect of operation i is the one to be lost: the first suitable one
// after a quarter of the history.
func (g *run) lose(i int) bool {
	e := &g.events[i]
	if g.o.Violation != Lost || g.lost != nil || i < g.o.Operations/4 || e.crashes || !losable[e.f] ||
		g.o.Spec == "log" || g.o.Spec == "etcd" || g.o.Spec == "multi-register" {
		return false
	}
	g.lost = e
	if e.f == "offer" {
		e.result = history.True
	}
	return true
}

// loss describes what was lost. It is a certain violation if a value inserted after the lost one
// left a queue of distinct values, and no pending removal can have taken the lost one.
func (g *run) loss() (string, Known) {
	if g.lost == nil {
		return "", Unclear
	}
	known := Unclear
	if g.o.Spec == "queue" && g.o.Values == 0 && g.lost.ret >= 0 {
		writers := g.writers()
		for i := range g.events {
			switch e := &g.events[i]; {
			case e.object != g.lost.object || e.f != "deq":
			case e.ret < 0:
				return "the effect of an operation enq is lost", Unclear
			default:
				if w := writers[contents{e.object, e.result}]; w != nil && w.call > g.lost.ret {
					known = No
				}
			}
		}
	}
	return "the effect of an operation " + g.lost.f + " is lost", known
}

func (g *run) duplicate() (string, Known) {
	taken := map[string]bool{"deq": true, "pop": true, "popfront": true, "popback": true, "deletemin": true,
		"getandinc": true, "generate": true}
	if g.o.Spec == "fenced-mutex" {
		taken["acquire"] = true
	}
	candidates := g.returned(func(e *event) bool { return taken[e.f] && e.result != history.Nil })
	a, b := g.pair(candidates, func(a, b *event) bool { return a.result != b.result })
	if a == nil {
		return "", Unclear
	}
	b.result = a.result
	if g.o.Values == 0 && b.f != "getandinc" && b.f != "acquire" {
		return fmt.Sprintf("two operations %s return the same value", b.f), No
	}
	return fmt.Sprintf("two operations %s return the same value", b.f), Unclear
}
