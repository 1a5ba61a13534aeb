package spec

import (
	"strings"

	"github.com/linsat/linsat/history"
)

// discipline is what queue, stack and priority queue have each of their own; what they share is in this file.
// Their operations are an insertion, a removal and a peek, in this order in Info.Operations.
type discipline struct {
	order Discipline
	// element says what an element must be, in words, and checks it; its priority counts for ByPriority only.
	element string
	check   func(t *history.Values, v history.Value) (priority int64, ok bool)
	// leaving orders the initial list such that what leaves next stands first.
	leaving func(c *contents)
	machine func(c *contents) Machine
	refusal func(c *contents, m Machine, s State, op int32) string
}

// contents is a collection's part with its names and values resolved. It is immutable once bound.
type contents struct {
	part    *Part
	values  []history.Value // by number of the theory
	does    []Action
	value   []int32 // a number, Nothing or Anything
	rank    []int64 // by number, ByPriority only
	initial []int32 // next to leave first
}

// anyElement accepts every value but null, which stands for "nothing there".
func anyElement(_ *history.Values, v history.Value) (int64, bool) { return 0, v != history.Nil }

// bindCollection binds a part that holds one collection.
func bindCollection(s Spec, d *discipline, p *Part) (*Bound, error) {
	n := len(p.Ops)
	info := s.Info()
	c := &contents{part: p, does: make([]Action, n), value: make([]int32, n)}
	numbers := newNumbering(p)
	number := func(v history.Value) (int32, bool) {
		priority, ok := d.check(p.History.Values, v)
		if !ok {
			return 0, false
		}
		k := numbers.of(v)
		if d.order == ByPriority && int(k) == len(c.rank) {
			c.rank = append(c.rank, priority)
		}
		return k, true
	}
	if p.HasInitial && p.Initial != history.Nil {
		list, isList := p.History.Values.AsList(p.Initial)
		if !isList {
			return nil, wrongInitial(p, info)
		}
		for _, v := range list {
			k, ok := number(v)
			if !ok {
				return nil, wrongInitial(p, info)
			}
			c.initial = append(c.initial, k)
		}
		if d.leaving != nil {
			d.leaving(c)
		}
	}
	b := &Bound{Spec: s, Part: p, Pure: make([]bool, n), Sig: make([]int32, n), Class: make([]int8, n)}
	verbs := newVerbs(info, p.History)
	for i := range p.Ops {
		o := &p.Ops[i]
		f := verbs.of(o.F)
		if f < 0 {
			return nil, verbs.unknown(p, int32(i))
		}
		does := Action(f)
		value, ok := Nothing, true
		switch {
		case does == Insert:
			if value, ok = number(o.Arg); !ok {
				return nil, wrongArg(p, int32(i), d.element)
			}
		case o.Arg != history.Nil:
			return nil, wrongArg(p, int32(i), "null: it takes no argument")
		case o.Unknown:
			value = Anything
		case o.Result != history.Nil:
			if value, ok = number(o.Result); !ok {
				return nil, wrongResult(p, int32(i), d.element+" or null")
			}
		}
		c.does[i], c.value[i] = does, value
		b.Pure[i] = does == Peek || does == Remove && value == Nothing
		b.Class[i] = int8(does)
	}
	c.values = numbers.values
	numberSigs(b.Sig, 3*(len(c.values)+2), func(i int) int32 {
		return int32(c.does[i])*int32(len(c.values)+2) + c.value[i] + 2
	})
	b.Theory = &Collection{Discipline: d.order, Object: make([]int32, n), Does: c.does, Value: c.value, Rank: c.rank,
		Initial: [][]int32{c.initial}, Values: len(c.values)}
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
func (c *contents) format(v int32) string { return c.part.History.Values.Format(c.values[v]) }

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
