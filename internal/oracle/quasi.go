package oracle

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/quasi"
)

// SlotsLinearizable reports whether the partition is quasi-linearizable in the sense of slots
// (Round-Up, Algorithms 1 and 2): for some choice of the pending operations, and of the removals of
// unknown results that took something (see drain.go), there is a total order ρ′ of the included
// operations that extends the order of the partition, legal or not, followed by the drains, and a
// sequence ρ″ that the specification accepts, in which the operations of each class have changed
// places among the places of that class, none by more than the bound of its class. It returns ρ′
// and ρ″; drains are numbered from the number of operations of the partition on. relax.Meaning is
// ignored. Classes are classes of one object: in a partition of several objects, the places of each
// object count separately. Operations without a class form a class of bound 0.
func SlotsLinearizable(b *model.Instance, relax quasi.Question) (ok bool, witness, rearranged []history.OpID) {
	return judge(b, relax, false)
}

// ClassesLinearizable is like SlotsLinearizable, in the sense of classes (Round-Up, Definition 4):
// ρ″ is any permutation of ρ′ in which the rank of no operation within its class moves by more than
// the bound of its class; the order between classes is free.
func ClassesLinearizable(b *model.Instance, relax quasi.Question) (ok bool, witness, rearranged []history.OpID) {
	return judge(b, relax, true)
}

// QuasiLinearizable is SlotsLinearizable or ClassesLinearizable, as relax.Meaning says.
func QuasiLinearizable(b *model.Instance, relax quasi.Question) (ok bool, witness, rearranged []history.OpID) {
	if relax.Meaning == quasi.Classes {
		return ClassesLinearizable(b, relax)
	}
	return SlotsLinearizable(b, relax)
}

// attempt is one ρ′ that is being rearranged.
type attempt struct {
	*question
	relax   quasi.Question
	free    bool // the order between classes is free
	m       model.Machine
	drains  []history.Value // by drain: its object
	unknown uint64          // removals that took something or nothing, as took says
	took    uint64
	results map[history.OpID][]history.OpID // by element: the candidate operations
	before  []history.OpID                  // ρ′
	after   []history.OpID                  // ρ″ so far
	members map[class][]history.OpID        // the elements of each class in the order of ρ′
	inSet   []func(e history.OpID) bool     // by set that relax bounds: whether it has the element
	// if the order between classes is free: what was already tried of ρ′
	tried map[string]bool
	dead  map[point]bool // points from which ρ″ cannot be completed
}

// class is a class of operations of one object.
type class struct {
	class  model.ClassID
	object history.Value
}

func (c class) compare(d class) int {
	return cmp.Or(cmp.Compare(c.object, d.object), cmp.Compare(c.class, d.class))
}

func judge(b *model.Instance, relax quasi.Question, free bool) (ok bool, witness, rearranged []history.OpID) {
	o, q := orderOf(b.Partition), ask(b)
	a := &attempt{question: q, relax: relax, free: free, m: q.b.NewMachine(), tried: map[string]bool{}}
	a.readSets()
	refused := o.choices(func(included uint64) bool {
		if relax.Drain {
			a.unknown = q.unknown(included)
		}
		return subsets(a.unknown, func(took uint64) bool {
			if a.took = took; relax.Drain {
				a.drains = q.leftover(included, took)
			}
			clear(a.tried)
			return o.each(included, func(order []history.OpID) bool { return !a.accepts(order) })
		})
	})
	if refused {
		return false, nil, nil
	}
	return true, a.before, a.after
}

// accepts reports whether ρ′, the order followed by the drains, can be rearranged.
func (a *attempt) accepts(order []history.OpID) bool {
	before := slices.Clone(order)
	for k := range a.drains {
		before = append(before, history.OpID(a.real+k))
	}
	return a.complete(before, a.rearrange)
}

// complete sets up ρ′ and reports whether then returns true for it, with some results of its
// removals if the question is causal.
func (a *attempt) complete(before []history.OpID, then func() bool) bool {
	if len(a.drains) > 64 {
		panic("oracle: more than 64 drains")
	}
	a.before, a.results, a.members = before, map[history.OpID][]history.OpID{}, map[class][]history.OpID{}
	for _, e := range before {
		a.results[e] = []history.OpID{e}
		switch {
		case int(e) >= a.real:
			a.results[e] = a.values[site{a.drains[int(e)-a.real], a.b.Partition.History.Values.String(a.drain)}]
		case a.unknown>>e&1 == 1:
			a.results[e] = a.found(e)
		}
		if len(a.results[e]) == 0 {
			return false
		}
		a.members[a.class(e)] = append(a.members[a.class(e)], e)
	}
	if !a.relax.Causal {
		return then()
	}
	there := map[content]int{}
	for _, object := range objects(a.b.Partition) {
		for _, v := range initialContents(a.b.Partition) {
			there[content{object, v}]++
		}
	}
	return a.causal(0, there, then)
}

// found lists candidates for what an unknown removal found.
func (a *attempt) found(e history.OpID) []history.OpID {
	at := site{a.b.Partition.Ops[e].Key, a.b.Partition.Ops[e].F}
	switch {
	case a.unknown>>e&1 == 0:
		return append(slices.Clone(a.values[at]), a.nothing[at])
	case a.took>>e&1 == 1:
		return a.values[at]
	}
	return []history.OpID{a.nothing[at]}
}

// content is a value in an object.
type content struct{ object, value history.Value }

// causal reports whether then returns true for some results under which ρ′ itself removes no value
// more often than it was inserted before. Removals whose result is unknown get one, or find
// nothing. Drains come last, when every value that ρ″ lets them take has been inserted. The first k
// elements of ρ′ are done; there counts each value after them.
func (a *attempt) causal(k int, there map[content]int, then func() bool) bool {
	if k == len(a.before) || int(a.before[k]) >= a.real {
		return then()
	}
	e := a.before[k]
	o := a.b.Partition.Ops[e]
	switch kind(a.b, e) {
	case "insertions":
		there[content{o.Key, o.Arg}]++
		defer func() { there[content{o.Key, o.Arg}]-- }()
	case "removals":
		candidates := []history.OpID{e}
		if o.Unknown {
			candidates = a.found(e)
		}
		for _, op := range candidates {
			c := content{o.Key, a.b.Partition.Ops[op].Result}
			if c.value != history.Nil && there[c] == 0 {
				continue
			}
			there[c]--
			a.results[e] = []history.OpID{op}
			if a.causal(k+1, there, then) {
				return true
			}
			there[c]++
		}
		return false
	}
	return a.causal(k+1, there, then)
}

// rearrange reports whether the specification accepts some ρ″.
func (a *attempt) rearrange() bool {
	// Without sets only the order within the classes counts then, and the results of removals.
	if a.free && len(a.inSet) == 0 {
		within := slices.Clone(a.before)
		slices.SortStableFunc(within, func(x, y history.OpID) int { return a.class(x).compare(a.class(y)) })
		var key []byte
		for _, e := range within {
			key = binary.AppendVarint(key, int64(e))
			key = binary.AppendVarint(key, int64(a.results[e][0]))
		}
		if a.tried[string(key)] {
			return false
		}
		a.tried[string(key)] = true
	}
	a.after, a.dead = a.after[:0], map[point]bool{}
	return a.place(a.m.Init(), elements{})
}

// elements is a set of elements.
type elements [2]uint64

func (s elements) has(e history.OpID) bool { return s[e/64]>>(e%64)&1 == 1 }
func (s elements) with(e history.OpID) elements {
	s[e/64] |= 1 << (e % 64)
	return s
}

// point is a state of the search for ρ″: its continuations depend on nothing else.
type point struct {
	used  elements
	state model.State
}

// place fills the next place of ρ″ and all that follow. The elements so far are used, and lead to
// state s.
func (a *attempt) place(s model.State, used elements) bool {
	t := len(a.after)
	if t == len(a.before) {
		return true
	}
	if a.dead[point{used, s}] {
		return false
	}
	var seen []class
	for _, first := range a.before {
		c := a.class(first)
		if slices.Contains(seen, c) || !a.free && c != a.class(a.before[t]) {
			continue
		}
		seen = append(seen, c)
		place := 0 // the next place of the class
		for _, e := range a.members[c] {
			if used.has(e) {
				place++
			}
		}
		for rank, e := range a.members[c] {
			if used.has(e) || max(rank-place, place-rank) > a.bound(c) {
				continue
			}
			a.after = append(a.after, e)
			for _, op := range a.results[e] {
				if !a.withinSets(e) {
					break
				}
				for _, next := range a.m.Step(s, op, nil) {
					if a.place(next, used.with(e)) {
						return true
					}
				}
			}
			a.after = a.after[:t]
		}
	}
	a.dead[point{used, s}] = true
	return false
}

// class returns the class of an element.
func (a *attempt) class(e history.OpID) class {
	if k := int(e) - a.real; k >= 0 {
		return class{model.ClassID(a.drained), a.drains[k]}
	}
	if a.b.Class == nil {
		return class{model.NoClass, a.b.Partition.Ops[e].Key}
	}
	return class{a.b.Class[e], a.b.Partition.Ops[e].Key}
}

func (a *attempt) bound(c class) int {
	if c.class < 0 || int(c.class) >= len(a.relax.Factor) {
		return 0
	}
	return int(a.relax.Factor[c.class])
}

// ReplayQuasi returns nil if ρ′ and ρ″ show that the partition is quasi-linearizable under relax,
// and otherwise an error that says why not. Removals of unknown results need not do what the number
// of drains says of them: where they take less, more drains can be added at the end of both.
func ReplayQuasi(b *model.Instance, relax quasi.Question, witness, rearranged []history.OpID) error {
	q := ask(b)
	order := slices.Clone(witness)
	for len(order) > 0 && int(order[len(order)-1]) >= q.real {
		order = order[:len(order)-1]
	}
	if err := Extends(b.Partition, order); err != nil {
		return err
	}
	var included uint64
	for _, i := range order {
		included |= 1 << i
	}
	if !relax.Drain {
		return replay(q, relax, witness, rearranged, nil, len(witness)-len(order))
	}
	var err error
	subsets(q.unknown(included), func(took uint64) bool {
		err = replay(q, relax, witness, rearranged, q.leftover(included, took), len(witness)-len(order))
		return err != nil
	})
	return err
}

// replay is ReplayQuasi for given drains, of which the witness has d.
func replay(q *question, relax quasi.Question, witness, rearranged []history.OpID,
	drains []history.Value, d int) error {
	a := &attempt{question: q, relax: relax, m: q.b.NewMachine(), drains: drains}
	a.readSets()
	if d != len(a.drains) {
		return fmt.Errorf("there are %d drains, not %d", d, len(a.drains))
	}
	x, y := slices.Sorted(slices.Values(witness)), slices.Sorted(slices.Values(rearranged))
	if !slices.Equal(x, y) || len(slices.Compact(x)) < len(y) || len(y) > 0 &&
		int(y[len(y)-1]) >= q.real+len(a.drains) {
		return fmt.Errorf("ρ″ does not have the operations of ρ′, each once")
	}
	if relax.Meaning == quasi.Slots {
		for t := range witness {
			if a.class(witness[t]) != a.class(rearranged[t]) {
				return fmt.Errorf("place %d is of another class in ρ″", t)
			}
		}
	}
	accepted := a.complete(witness, func() bool {
		states := []model.State{a.m.Init()}
		for _, e := range rearranged {
			var next []model.State
			for _, op := range a.results[e] {
				next = append(next, advance(a.m, states, op)...)
			}
			slices.Sort(next)
			states = slices.Compact(next)
		}
		return len(states) > 0
	})
	filled := map[class]int{}
	for _, e := range rearranged {
		c := a.class(e)
		if move := slices.Index(a.members[c], e) - filled[c]; max(move, -move) > a.bound(c) {
			return fmt.Errorf("element %d moves by %d places, more than %d", e, max(move, -move), a.bound(c))
		}
		filled[c]++
	}
	a.after = rearranged
	for _, e := range rearranged {
		if !a.withinSets(e) {
			return fmt.Errorf("element %d moves too far within a set", e)
		}
	}
	if !accepted {
		return fmt.Errorf("ρ″ is not accepted")
	}
	return nil
}
