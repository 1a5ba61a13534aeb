package specs

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Set returns the specification of a set: add x, remove x, contains x, size and elements. Its
// initial state is a list of elements; empty by default.
//
// Adds and removes whose result is null, "ok" or the element again have not recorded whether they
// changed anything, as in Jepsen's logs: both are possible. A list of elements that contains one
// twice is an observation that no set allows, not bad input: an element that is added once and read
// twice is what tests of sets look for.
func Set() model.Spec { return set }

var set = newTable(table{
	info: model.Info{
		Name:    "set",
		Summary: "a set of values",
		Initial: "a list of elements (default: empty)",
		Piece:   "element",
		Example: `{"spec": "set", "operations": [{"process": 0, "f": "add", "arg": 1, "call": 0, "return": 3, "result": true}, ` +
			`{"process": 1, "f": "add", "arg": 1, "call": 1, "return": 2, "result": false}, {"process": 1, "f": "contains", "arg": 2, "call": 4, "return": 6, "result": true}, ` +
			`{"process": 2, "f": "add", "arg": 2, "call": 5}, {"process": 0, "f": "remove", "arg": 1, "call": 7, "return": 8, "result": true}, ` +
			`{"process": 0, "f": "elements", "call": 9, "return": 11, "result": [2]}, {"process": 1, "f": "size", "call": 10, "return": 12, "result": 1}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "add", Aliases: []string{"insert", "put", "include", "broadcast"},
			Arg:    "an element",
			Result: "true if it was absent, else false; null, \"ok\" or the element again: not recorded"},
			arg: anElement},
		{Operation: model.Operation{Name: "remove", Aliases: []string{"delete", "del", "discard", "erase", "exclude"},
			Arg:    "an element",
			Result: "true if it was there, else false; null, \"ok\" or the element again: not recorded"},
			arg: anElement},
		{Operation: model.Operation{Name: "contains", Aliases: []string{"member", "has", "find", "search", "exists",
			"includes"}, Arg: "an element", Result: "true if it is there, else false; null: not recorded"},
			arg: anElement},
		{Operation: model.Operation{Name: "size", Aliases: []string{"count", "len", "length", "cardinality"},
			Result: "the number of elements"}, arg: noArgument, observes: true},
		{Operation: model.Operation{Name: "elements", Aliases: []string{"read", "list", "members", "snapshot"},
			Result: "the list of all elements, in any order; a list with an element twice is never right"},
			arg: noArgument, observes: true},
	},
	bind:      bindSet,
	footprint: touchesElement,
})

var anElement = &argument{"an element", present}

// touchesElement is the footprint of a set: operations on one element are a piece of their own,
// unless an operation needs the whole set.
func touchesElement(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	// Only size and elements take no argument. Another operation that wrongly has none may touch
	// null, since Bind refuses it; but a size must not be split off.
	if o := &h.Ops[i]; o.Arg != history.Nil {
		return append(dst, o.Arg)
	}
	return append(dst, model.Everything)
}

// The kinds of a set's operations after resolution. result says what was observed, if anything.
const (
	setAdd int32 = iota
	setRemove
	setContains
	setSize
	setElements
)

type setOp struct {
	verb int32
	x    int32 // number of the element; for size: the size
	// of add, remove and contains; of size and elements: yes if known, no if no set allows it
	result outcome
}

// setPart is a partition with one set. A state has a bit for every element that occurs.
type setPart struct {
	part   *model.Partition
	table  *history.Values
	ops    []setOp
	values []history.Value
	init   []int32
	found  map[history.OpID][]int32 // by operation elements: those it found, as bits
}

// setBound holds all memory of a bound partition, in one piece: a history may have hundreds of
// thousands of elements.
type setBound struct {
	bound model.Instance
	part  setPart
	cells model.RegisterTheory
}

// theory builds the theory of a partition whose operations touch one element each, in room for n+1
// numbers.
func (b *setBound) theory(p *model.Partition, room []int32) {
	b.cells = model.RegisterTheoryIn(room, len(p.Ops))
	b.part.cells(p, &b.cells)
	b.bound.Theory = &b.cells
}

func bindSet(s *table, p *model.Partition) (*model.Instance, error) {
	all := &setBound{}
	k := &all.part
	var numbers numbering
	numbers.open(p)
	k.part, k.table, k.ops = p, p.History.Values, make([]setOp, len(p.Ops))
	byElement := true
	err := s.each(p, func(i history.OpID, verb int, _ int64) (err error) {
		k.ops[i], err = resolveSet(p, i, int32(verb), &numbers)
		byElement = byElement && verb < int(setSize)
		return err
	})
	if err != nil {
		return nil, err
	}
	initial, err := initialElements(s, p, &numbers, !byElement)
	if err != nil {
		return nil, err
	}
	return all.finish(s, &numbers, initial, byElement), nil
}

// finish makes the instance of resolved operations.
func (all *setBound) finish(s *table, numbers *numbering, initial []int32, byElement bool) *model.Instance {
	k := &all.part
	p := k.part
	k.values = numbers.values
	k.init = setBits(initial, len(k.values))
	room := make([]int32, 2*len(p.Ops)+1)
	b := &all.bound
	*b = model.Instance{Spec: s, Partition: p, ReadOnly: make([]bool, len(p.Ops)),
		EquivID: room[:len(p.Ops):len(p.Ops)]}
	var sigs signatures
	var made chan struct{} // for long partitions: closed when the theory is there
	if byElement && len(p.Ops) >= model.BesideFrom {
		made = make(chan struct{})
		go func() {
			all.theory(p, room[len(p.Ops):])
			close(made)
		}()
	}
	for i := range k.ops {
		o := &k.ops[i]
		if o.verb == setElements && o.result == yes {
			list, _ := k.table.AsList(p.Ops[i].Result)
			members := make([]int32, len(list))
			for j, v := range list {
				members[j] = numbers.of(v)
			}
			if k.found == nil {
				k.found = map[history.OpID][]int32{}
			}
			k.found[history.OpID(i)] = setBits(members, len(k.values))
			if countBits(k.found[history.OpID(i)]) < len(list) {
				o.result = no
			}
		}
		b.ReadOnly[i] = o.verb >= setContains || o.result == no
		switch {
		case o.verb < setSize:
			b.EquivID[i] = sigs.one(3*o.verb+int32(o.result), o.x, len(k.values))
		case o.result == unknown:
			b.EquivID[i] = sigs.pair(o.verb, -1, -1)
		case o.verb == setSize:
			b.EquivID[i] = sigs.pair(o.verb, o.x, 0)
		default:
			b.EquivID[i] = sigs.pair(o.verb, int32(p.Ops[i].Result), 0)
		}
	}
	numbers.release()
	switch {
	case made != nil:
		<-made
	case byElement:
		all.theory(p, room[len(p.Ops):])
	}
	if byElement && len(k.values) == 1 {
		b.NewMachine = func() model.Machine { return (*elementMachine)(k) }
	} else {
		b.NewMachine = func() model.Machine {
			return &setMachine{model.NewVector(k.init, k.step(), k.describe).(*model.VectorMachine), k}
		}
	}
	b.Refusal = k.refuse
	if !byElement {
		if t := k.growing(); t != nil {
			b.Theory = t
		}
		b.Tallies = k.tallies
	}
	return b
}

// initialElements reads the initial state. Elements that no operation of the partition touches
// matter only if the whole set is observed.
func initialElements(s *table, p *model.Partition, numbers *numbering, whole bool) ([]int32, error) {
	if !p.HasInitial || p.Initial == history.Nil {
		return nil, nil
	}
	list, isList := p.History.Values.AsList(p.Initial)
	if !isList {
		return nil, s.wrongInitial(p)
	}
	var initial []int32
	there := make([]bool, len(numbers.values))
	for _, v := range list {
		k := numbers.find(v)
		if k < 0 && !whole {
			continue
		}
		if k < 0 {
			k = numbers.of(v)
			there = append(there, false)
		}
		if there[k] {
			return nil, &history.Error{File: p.History.Source,
				What: fmt.Sprintf("the initial state of %s lists %s twice", s.info.Name, p.History.Values.Format(v)),
				Hint: "list every element once"}
		}
		there[k] = true
		initial = append(initial, k)
	}
	return initial, nil
}

func resolveSet(p *model.Partition, i history.OpID, verb int32, numbers *numbering) (setOp, error) {
	o := &p.Ops[i]
	op := setOp{verb: verb}
	if op.verb < setSize {
		op.x = numbers.of(o.Arg)
		var ok bool
		if op.result, ok = truth(o); !ok && (op.verb == setContains || !acknowledges(p, i)) {
			return op, wrongResult(p, i, "true or false")
		}
		return op, nil
	}
	if o.Unknown {
		return op, nil
	}
	op.result = yes
	if op.verb == setSize {
		n, isInt := howMany(p.History.Values, o.Result)
		if !isInt {
			return op, wrongResult(p, i, "an integer")
		}
		op.x = int32(max(-1, min(n, math.MaxInt32)))
		return op, nil
	}
	list, isList := p.History.Values.AsList(o.Result)
	if !isList {
		return op, wrongResult(p, i, "a list of elements")
	}
	for _, v := range list {
		numbers.of(v)
	}
	return op, nil
}

// twice returns an element that the result of operation op lists twice.
func (k *setPart) twice(op history.OpID) history.Value {
	list, _ := k.table.AsList(k.part.Ops[op].Result)
	seen := make(map[history.Value]bool, len(list))
	for _, v := range list {
		if seen[v] {
			return v
		}
		seen[v] = true
	}
	panic("spec: no element is listed twice")
}

// setBits puts numbers of elements into words of 32 bits.
func setBits(members []int32, elements int) []int32 {
	words := make([]int32, (elements+31)/32)
	for _, x := range members {
		words[x/32] |= 1 << (x % 32)
	}
	return words
}

// cells describes the operations if each touches one element: absent is 0, present is 1.
func (k *setPart) cells(p *model.Partition, c *model.RegisterTheory) {
	c.Init, c.Values = make([]int32, len(k.values)), 2
	for x := range c.Init {
		c.Init[x] = k.init[x/32] >> (x % 32) & 1
	}
	const absent, there = 0, 1
	for i := range k.ops {
		o := &k.ops[i]
		switch o.verb {
		case setContains:
			c.Add(model.CellID(o.x), observe(there, absent, o.result))
		case setAdd:
			c.Add(model.CellID(o.x), change(absent, there, o.result, p.Ops[i].Pending()))
		case setRemove:
			c.Add(model.CellID(o.x), change(there, absent, o.result, p.Ops[i].Pending()))
		}
	}
}

// observe returns the mode of an observation of a cell with two values: yes at one, no at the
// other.
func observe(at, other int32, result outcome) model.Mode {
	switch result {
	case yes:
		return model.Mode{Test: model.Is, V: at, Leaves: model.Keep}
	case no:
		return model.Mode{Test: model.Is, V: other, Leaves: model.Keep}
	}
	return model.Mode{Test: model.Any, Leaves: model.Keep}
}

// change returns the mode of an operation that leaves to behind. Its result is yes if it found
// from, and no if it found to.
func change(from, to int32, result outcome, pending bool) model.Mode {
	switch {
	case result == yes:
		return model.Mode{Test: model.Is, V: from, Leaves: to}
	case result == no:
		return model.Mode{Test: model.Is, V: to, Leaves: model.Keep}
	case pending: // if it changes nothing it might as well not take effect
		return model.Mode{Test: model.Is, V: from, Leaves: to}
	}
	return model.Mode{Test: model.Any, Leaves: to}
}

// setMachine executes operations on sets of elements, as words of bits.
type setMachine struct {
	*model.VectorMachine
	part *setPart
}

// allows reports whether op may find the elements s, and which bit of which word it changes.
func (k *setPart) allows(s []int32, op history.OpID) (ok bool, word, bit int32) {
	o := &k.ops[op]
	switch o.verb {
	case setSize:
		return o.result == unknown || countBits(s) == int(o.x), 0, 0
	case setElements:
		return o.result == unknown || o.result == yes && slices.Equal(s, k.found[op]), 0, 0
	}
	word, bit = o.x/32, int32(1)<<(o.x%32)
	there := s[word]&bit != 0
	// The result says of an add that the element was absent, of others that it was present.
	if says := there == (o.verb != setAdd); o.result != unknown && says != (o.result == yes) {
		return false, 0, 0
	}
	if o.verb == setContains || there == (o.verb == setAdd) {
		bit = 0
	}
	return true, word, bit
}

func (k *setPart) step() func(s []int32, op history.OpID, yield func(next []int32)) {
	next := make([]int32, len(k.init))
	return func(s []int32, op history.OpID, yield func(next []int32)) {
		ok, word, bit := k.allows(s, op)
		switch {
		case !ok:
		case bit == 0:
			yield(s)
		default:
			copy(next, s)
			next[word] ^= bit
			yield(next)
		}
	}
}

// Run implements Runner.
func (m *setMachine) Run(order []history.OpID) int {
	s := slices.Clone(m.part.init)
	for n, op := range order {
		ok, word, bit := m.part.allows(s, op)
		if !ok {
			return n
		}
		if bit != 0 {
			s[word] ^= bit
		}
	}
	return len(order)
}

// elementMachine executes operations on one element; a state is 1 if the element is present.
type elementMachine setPart

func (m *elementMachine) Init() model.State { return model.State(m.init[0]) }

func (m *elementMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	o := &m.ops[op]
	there := s == 1
	// The result says of an add that the element was absent, of others that it was present.
	if says := there == (o.verb != setAdd); o.result != unknown && says != (o.result == yes) {
		return dst
	}
	switch o.verb {
	case setAdd:
		return append(dst, 1)
	case setRemove:
		return append(dst, 0)
	}
	return append(dst, s)
}

func (m *elementMachine) Describe(s model.State) string {
	return (*setPart)(m).describe([]int32{int32(s)})
}
func (m *elementMachine) Bytes() int64 { return 0 }

func countBits(words []int32) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount32(uint32(w))
	}
	return n
}

func (k *setPart) describe(s []int32) string {
	var elements []string
	for x, v := range k.values {
		if s[x/32]>>(x%32)&1 != 0 {
			elements = append(elements, k.table.Format(v))
		}
	}
	sort.Strings(elements)
	return "{" + strings.Join(elements, ", ") + "}"
}

// without returns the elements of a that b lacks.
func (k *setPart) without(a, b []int32) []int32 {
	rest := make([]int32, len(a))
	for w := range a {
		rest[w] = a[w] &^ b[w]
	}
	return rest
}

func (k *setPart) refuse(m model.Machine, s model.State, op history.OpID) string {
	found := []int32{int32(s)}
	if many, ok := m.(*setMachine); ok {
		found = many.Table.At(s)
	}
	o := &k.ops[op]
	switch o.verb {
	case setSize:
		return fmt.Sprintf("the set has %d elements, not %s", countBits(found), k.table.Format(k.part.Ops[op].Result))
	case setElements:
		if o.result == no {
			return fmt.Sprintf("%s is listed twice", shorten(k.table.Format(k.twice(op))))
		}
		is, isNot := k.describe(found), k.describe(k.found[op])
		if shorten(is) == is && shorten(isNot) == isNot {
			return fmt.Sprintf("the set is %s, not %s", is, isNot)
		}
		var differ []string
		if missing := k.without(found, k.found[op]); countBits(missing) > 0 {
			differ = append(differ, "the result lacks "+shorten(k.describe(missing))+" of the set")
		}
		if more := k.without(k.found[op], found); countBits(more) > 0 {
			differ = append(differ, "the result has "+shorten(k.describe(more))+", which the set lacks")
		}
		return strings.Join(differ, ", and ")
	}
	x := shorten(k.table.Format(k.values[o.x]))
	if found[o.x/32]>>(o.x%32)&1 != 0 {
		return x + " is in the set"
	}
	return x + " is not in the set"
}
