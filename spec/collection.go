package spec

import (
	"strings"

	"github.com/linsat/linsat/history"
)

// element says what the values in a collection may be.
type element struct {
	words string
	// check says whether v may be in it, and with which priority; nil where everything but null may be, all alike.
	check func(t *history.Values, v history.Value) (priority int64, ok bool)
}

// anyElement accepts every value but null, which stands for "nothing there".
var anyElement = element{words: "a value"}

// contents is a part that holds one collection, with its values resolved. It is immutable once bound.
type contents struct {
	part    *Part
	element element
	numbers *numbering
	does    []Action
	value   []int32 // by operation: a number, Nothing or Anything
	rank    []int64 // by number: its priority, where there are any
	initial []int32 // as the input lists it
}

// newContents resolves the initial state, a list.
func newContents(p *Part, info Info, e element) (*contents, error) {
	c := &contents{part: p, element: e, numbers: newNumbering(p), does: make([]Action, len(p.Ops)), value: make([]int32, len(p.Ops))}
	if !p.HasInitial || p.Initial == history.Nil {
		return c, nil
	}
	list, ok := p.History.Values.AsList(p.Initial)
	if !ok {
		return nil, wrongInitial(p, info)
	}
	for _, v := range list {
		k, ok := c.number(v)
		if !ok {
			return nil, wrongInitial(p, info)
		}
		c.initial = append(c.initial, k)
	}
	return c, nil
}

func (c *contents) number(v history.Value) (int32, bool) {
	if c.element.check == nil {
		return c.numbers.of(v), v != history.Nil
	}
	priority, ok := c.element.check(c.part.History.Values, v)
	if !ok {
		return 0, false
	}
	k := c.numbers.of(v)
	if int(k) == len(c.rank) {
		c.rank = append(c.rank, priority)
	}
	return k, true
}

// resolve resolves argument and result of operation i.
func (c *contents) resolve(i int32, does Action) error {
	o := &c.part.Ops[i]
	value, ok := Nothing, true
	switch {
	case does == Insert:
		if value, ok = c.number(o.Arg); !ok {
			return wrongArg(c.part, i, c.element.words)
		}
	case o.Arg != history.Nil:
		return wrongArg(c.part, i, "null: it takes no argument")
	case o.Unknown:
		value = Anything
	case o.Result != history.Nil:
		if value, ok = c.number(o.Result); !ok {
			return wrongResult(c.part, i, c.element.words+" or null")
		}
	}
	c.does[i], c.value[i] = does, value
	return nil
}

// bind makes what all collections have in common out of names: the operations of Info come in groups of
// an insertion, a removal and a peek, ends of each; every operation is a class of its own.
func (c *contents) bind(s Spec, ends int) (*Bound, error) {
	n := len(c.part.Ops)
	b := &Bound{Spec: s, Part: c.part, Pure: make([]bool, n), Sig: make([]int32, n), Class: make([]int8, n), Flow: make([]int8, n), Stored: len(c.initial)}
	verbs := newVerbs(s.Info(), c.part.History)
	for i := range c.part.Ops {
		f := verbs.of(c.part.Ops[i].F)
		if f < 0 {
			return nil, verbs.unknown(c.part, int32(i))
		}
		does := Action(f / ends)
		if err := c.resolve(int32(i), does); err != nil {
			return nil, err
		}
		b.Class[i] = int8(f)
		switch {
		case does == Insert:
			b.Flow[i] = 1
		case does == Remove && c.value[i] != Nothing:
			b.Flow[i] = -1
		default:
			b.Pure[i] = true
		}
	}
	c.numbers.release()
	values := int32(len(c.numbers.values)) + 2
	numberSigs(b.Sig, 3*ends*int(values), func(i int) int32 { return int32(b.Class[i])*values + c.value[i] + 2 })
	return b, nil
}

// discipline is what queue, stack and priority queue have each of their own.
type discipline struct {
	order   Discipline
	element element
	// leaving puts the initial state in order, next to leave first; nil if it is so by itself.
	leaving func(c *contents)
	machine func(c *contents) Machine
	refusal func(c *contents, m Machine, s State, op int32) string
}

// bindCollection binds a part that holds one queue, stack or priority queue.
func bindCollection(s Spec, d *discipline, p *Part) (*Bound, error) {
	c, err := newContents(p, s.Info(), d.element)
	if err != nil {
		return nil, err
	}
	if d.leaving != nil {
		d.leaving(c)
	}
	b, err := c.bind(s, 1)
	if err != nil {
		return nil, err
	}
	t := &Collection{Discipline: d.order, Object: make([]int32, len(p.Ops)), Does: c.does, Value: c.value, Initial: [][]int32{c.initial}, Values: len(c.numbers.values)}
	if d.order == ByPriority {
		t.Rank = c.rank
	}
	b.Theory = t
	b.NewMachine = func() Machine { return d.machine(c) }
	b.Refusal = func(m Machine, s State, op int32) string { return d.refusal(c, m, s, op) }
	return b, nil
}

// numberSigs numbers operations by their kinds, 0 first: those of equal kind get equal numbers.
// Kinds are 0..kinds-1.
func numberSigs(sig []int32, kinds int, kind func(i int) int32) {
	seen := make([]int32, kinds)
	next := int32(0)
	for i := range sig {
		k := kind(i)
		if seen[k] == 0 {
			next++
			seen[k] = next
		}
		sig[i] = seen[k] - 1
	}
}

// format writes the value of a number as messages show it.
func (c *contents) format(v int32) string { return c.part.History.Values.Format(c.numbers.values[v]) }

// list writes contents as a list; none as "empty".
func (c *contents) list(contents []int32) string {
	if len(contents) == 0 {
		return "empty"
	}
	var b strings.Builder
	for i, v := range contents {
		if i == 0 {
			b.WriteByte('[')
		} else {
			b.WriteString(", ")
		}
		b.WriteString(c.format(v))
	}
	b.WriteByte(']')
	return b.String()
}

// allows says whether removal or peek op may find v next to leave (Nothing: the collection empty).
func (c *contents) allows(op, v int32) bool { return c.value[op] == Anything || c.value[op] == v }

// refuse says why a removal or a peek of a deterministic discipline is refused that finds v (or Nothing) at
// the place of that name.
func (c *contents) refuse(op, v int32, object, place string) string {
	switch {
	case c.does[op] == Insert || c.allows(op, v):
		return ""
	case v == Nothing:
		return "the " + object + " is empty"
	case c.value[op] == Nothing:
		return "the " + object + " is not empty: its " + place + " is " + c.format(v)
	}
	return "the " + place + " is " + c.format(v) + ", not " + c.format(c.value[op])
}
