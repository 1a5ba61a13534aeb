package specs

import (
	"fmt"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// BoundedQueue returns the specification of a FIFO queue of limited capacity: enq v, which waits
// for room, offer v, which returns false if there is none, deq, peek and size. Its initial state is
// the capacity, or a map with "capacity" and "items", a list with the front first.
//
// If the capacity is not stated, the history is linearizable if it is for some capacity: the first
// offer that is refused shows it.
func BoundedQueue() model.Spec { return boundedQueue }

// The operations of a bounded queue, as they stand in its Info.
const (
	boundedEnq = iota
	boundedOffer
	boundedDeq
	boundedPeek
	boundedSize
)

var boundedQueue = newTable(table{
	info: model.Info{
		Name:    "bounded-queue",
		Summary: "first-in first-out queue of limited capacity",
		Initial: `the capacity, a list of values, front first, or {"capacity": n, "items": [value, …]} (default: empty, of a capacity that the history shows)`,
		Example: `{"spec": "bounded-queue", "initial": 1, "operations": [{"process": 0, "f": "enq", "arg": 1, "call": 0, "return": 1}, ` +
			`{"process": 1, "f": "offer", "arg": 2, "call": 2, "return": 3, "result": false}, {"process": 0, "f": "deq", "call": 4, "return": 6, "result": 1}, ` +
			`{"process": 1, "f": "offer", "arg": 3, "call": 5, "return": 7, "result": true}, {"process": 0, "f": "size", "call": 8, "return": 9, "result": 1}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "enq", Aliases: []string{"enqueue", "add", "put", "push", "insert", "send",
			"pushback", "addlast", "putlast"}, Arg: "a value other than null"}, arg: anyValue},
		{Operation: model.Operation{Name: "offer", Aliases: []string{"tryenq", "tryenqueue", "tryadd", "tryput",
			"trypush", "trysend", "offerlast"}, Arg: "a value other than null",
			Result: "true if there was room, false if the queue was full; null: not recorded"}, arg: anyValue},
		{Operation: model.Operation{Name: "deq", Aliases: also(deqNames, "popfront", "removefirst", "pollfirst",
			"takefirst", "trydeq", "trydequeue", "tryreceive"),
			Result: "the value taken, or null if the queue was empty"}, arg: noArgument, observes: true},
		{Operation: model.Operation{Name: "peek", Aliases: []string{"front", "first", "head", "element", "peekfirst",
			"getfirst", "peekfront"}, Result: "the value at the front, or null if the queue was empty"},
			arg: noArgument, observes: true},
		{Operation: model.Operation{Name: "size", Aliases: []string{"len", "length", "count"},
			Result: "how many values are in the queue"}, arg: noArgument, observes: true},
	},
	bind:         bindBoundedQueue,
	undetermined: "the capacity",
})

// noBound is the capacity of a queue that no operation shows to be bounded.
const noBound = math.MaxInt32

// boundedOp is a resolved operation. value is the number of the value that it inserts, takes or
// sees, Nothing or Anything; for a size, the size found.
type boundedOp struct {
	verb   int
	value  int32
	result outcome // of an offer: whether there was room
}

// boundedPart is a partition that holds one bounded queue. The first number of a state is the
// capacity, or -1-n while only is known that it is at least n; the others are the contents, front
// first.
type boundedPart struct {
	table   *history.Values
	numbers *numbering
	ops     []boundedOp
	unseen  int32 // the number of values that nothing sees
}

func bindBoundedQueue(s *table, p *model.Partition) (*model.Instance, error) {
	k := &boundedPart{table: p.History.Values, numbers: newNumbering(p), ops: make([]boundedOp, len(p.Ops))}
	capacity, items, ok := k.initial(p)
	if !ok {
		return nil, s.wrongInitial(p)
	}
	b := s.instance(p)
	err := s.each(p, func(i history.OpID, verb int, _ int64) error { return k.resolve(p, i, verb) })
	k.numbers.release()
	if err != nil {
		return nil, err
	}
	k.forgetUnseen(p, items)
	refused := false // some offer was refused, or may have been
	var sigs signatures
	for i, o := range k.ops {
		refused = refused || o.verb == boundedOffer && o.result != yes && !p.Ops[i].Pending()
		b.ReadOnly[i] = o.verb >= boundedPeek || o.verb == boundedDeq && o.value == model.Nothing ||
			o.result == no && capacity >= 0
		b.EquivID[i] = sigs.pair(int32(3*o.verb)+int32(o.result), o.value, 0)
	}
	switch {
	case capacity < 0 && !refused: // the largest allows most
		capacity = noBound
	case capacity < 0:
		capacity = -1 - int32(len(items))
	}
	t := k.theory(p, items)
	b.Theory = t
	k.start(b, capacity, items)
	b.Refusal = k.refuse
	if capacity < 0 {
		t.Cases = func() []*model.Instance { return k.cases(b, t, items) }
	}
	return b, nil
}

// forgetUnseen gives one number to all values that only insertions without return insert, and that
// nothing sees: they are interchangeable.
func (k *boundedPart) forgetUnseen(p *model.Partition, items []int32) {
	known := make([]bool, len(k.numbers.values))
	for _, v := range items {
		known[v] = true
	}
	for i, o := range k.ops {
		if o.value >= 0 && o.verb != boundedSize && (o.verb >= boundedDeq || !p.Ops[i].Pending()) {
			known[o.value] = true
		}
	}
	k.unseen = int32(len(known))
	for i := range k.ops {
		if o := &k.ops[i]; o.value >= 0 && o.verb < boundedDeq && !known[o.value] {
			o.value = k.unseen
		}
	}
}

// start gives b the machine, and the tallies, that begin with a capacity and contents.
func (k *boundedPart) start(b *model.Instance, capacity int32, items []int32) {
	init := append([]int32{capacity}, items...)
	if b.Tallies = nil; capacity >= 0 {
		b.Tallies = func() *model.Tallies { return k.tallies(int64(capacity), items) }
	}
	b.NewMachine = func() model.Machine { return model.NewVector(init, k.step(), k.describe) }
}

// cases returns an instance for every capacity that b may have.
func (k *boundedPart) cases(b *model.Instance, open *model.BoundedQueueTheory, items []int32) []*model.Instance {
	least, most := k.capacities(b.Partition, len(items))
	settled := *open
	settled.Cases = nil
	var all []*model.Instance
	for c := least; c <= most; c++ {
		x := *b
		x.Theory, x.ReadOnly = &settled, slices.Clone(b.ReadOnly)
		for i, o := range k.ops {
			x.ReadOnly[i] = x.ReadOnly[i] || o.verb == boundedOffer && o.result == no
		}
		k.start(&x, int32(c), items)
		all = append(all, &x)
	}
	return all
}

// capacities bounds the capacity that refused offers show: at least what the queue certainly holds
// at some moment, at most what it can hold while an offer is refused.
func (k *boundedPart) capacities(p *model.Partition, items int) (least, most int) {
	var entered, entering, left, leaving []history.Rank // by returns, calls, returns and calls
	for i, o := range k.ops {
		in := &p.Ops[i]
		switch {
		case o.verb == boundedEnq, o.verb == boundedOffer && o.result != no:
			entering = append(entering, in.Call)
			if o.result == yes && !in.Pending() {
				entered = append(entered, in.Return)
			}
		case o.verb == boundedDeq && (o.value != model.Nothing || in.Pending()):
			leaving = append(leaving, in.Call)
			if o.value >= 0 && !in.Pending() {
				left = append(left, in.Return)
			}
		}
	}
	slices.Sort(entered)
	slices.Sort(entering)
	slices.Sort(left)
	slices.Sort(leaving)
	before := func(ranks []history.Rank, r history.Rank) int {
		n, _ := slices.BinarySearch(ranks, r)
		return n
	}
	least, most = items, items+len(entering)
	for _, r := range entered {
		least = max(least, items+before(entered, r+1)-before(leaving, r+1))
	}
	for i, o := range k.ops {
		if in := &p.Ops[i]; o.verb == boundedOffer && o.result == no && !in.Pending() {
			most = min(most, items+before(entering, in.Return+1)-before(left, in.Call))
		}
	}
	return least, max(least, most)
}

// theory says what the operations do. Nothing is known of their values if an offer of unknown
// result returned, which needs room or none.
func (k *boundedPart) theory(p *model.Partition, items []int32) *model.BoundedQueueTheory {
	values, counts := make([]int32, len(k.ops)), make([]bool, len(k.ops))
	for i, o := range k.ops {
		values[i] = o.value
		switch {
		case o.verb == boundedOffer && o.result != yes && o.result != no && !p.Ops[i].Pending():
			return &model.BoundedQueueTheory{}
		case o.verb == boundedSize, o.verb == boundedOffer && o.result == no:
			values[i], counts[i] = model.Nothing, true
		}
	}
	moves := model.OneCollection(k.does(), values, items)
	return &model.BoundedQueueTheory{Moves: &moves, Counts: counts, Front: frontOfBounded}
}

// frontOfBounded is the front of a state.
func frontOfBounded(m model.Machine, s model.State) int32 {
	if state := model.PeekVector(m, s); len(state) > 1 {
		return state[1]
	}
	return model.Nothing
}

// does says what the operations do.
func (k *boundedPart) does() []model.Action {
	does := make([]model.Action, len(k.ops))
	for i, o := range k.ops {
		switch {
		case o.verb == boundedDeq:
			does[i] = model.Remove
		case o.verb == boundedEnq, o.verb == boundedOffer && o.result != no:
			does[i] = model.Insert
		default:
			does[i] = model.Peek
		}
	}
	return does
}

// initial reads the initial state; the capacity is negative if it is not stated.
func (k *boundedPart) initial(p *model.Partition) (capacity int32, items []int32, ok bool) {
	capacity = -1
	if !p.HasInitial || p.Initial == history.Nil {
		return capacity, nil, true
	}
	stated, list := p.Initial, history.Nil
	if pairs, isMap := k.table.AsMap(p.Initial); isMap {
		stated = history.Nil
		for j := 0; j < len(pairs); j += 2 {
			switch name, _ := k.table.AsString(pairs[j]); name {
			case "capacity":
				stated = pairs[j+1]
			case "items":
				list = pairs[j+1]
			default:
				return 0, nil, false
			}
		}
	} else if _, isList := k.table.AsList(p.Initial); isList {
		stated, list = history.Nil, p.Initial
	}
	if stated != history.Nil {
		n, isInt := k.table.AsInt(stated)
		if !isInt || n < 0 || n >= noBound {
			return 0, nil, false
		}
		capacity = int32(n)
	}
	values, isList := k.table.AsList(list)
	if list != history.Nil && !isList {
		return 0, nil, false
	}
	for _, v := range values {
		if v == history.Nil {
			return 0, nil, false
		}
		items = append(items, k.numbers.of(v))
	}
	return capacity, items, capacity < 0 || len(items) <= int(capacity)
}

func (k *boundedPart) resolve(p *model.Partition, i history.OpID, verb int) error {
	in, o := &p.Ops[i], &k.ops[i]
	o.verb, o.value = verb, model.Nothing
	switch o.verb {
	case boundedEnq:
		o.value, o.result = k.numbers.of(in.Arg), yes
		if acknowledges(p, i) {
			return nil
		}
		return wrongResult(p, i, "null: one that may find the queue full is an offer")
	case boundedOffer:
		o.value = k.numbers.of(in.Arg)
		var ok bool
		if o.result, ok = truth(in); !ok {
			return wrongResult(p, i, "true or false")
		}
		return nil
	}
	switch {
	case in.Unknown:
		o.value = model.Anything
	case o.verb == boundedSize:
		n, isInt := howMany(k.table, in.Result)
		if !isInt {
			return wrongResult(p, i, "an integer")
		}
		o.value = int32(max(-1, min(n, noBound)))
	case in.Result != history.Nil:
		if onlyWord(p, in.Result) {
			return notInserted(p, i)
		}
		o.value = k.numbers.of(in.Result)
	}
	return nil
}

// room reports whether one more value fits in state s.
func room(s []int32) bool { return s[0] < 0 || len(s)-1 < int(s[0]) }

// full reports whether state s may be full, and returns what is then known of the capacity.
func full(s []int32) (capacity int32, ok bool) {
	n := int32(len(s) - 1)
	if s[0] >= 0 {
		return s[0], n >= s[0]
	}
	return n, -1-s[0] <= n
}

func (k *boundedPart) step() func(s []int32, op history.OpID, yield func(next []int32)) {
	var next, same []int32
	return func(s []int32, op history.OpID, yield func(next []int32)) {
		o := &k.ops[op]
		n := len(s) - 1
		switch o.verb {
		case boundedEnq, boundedOffer:
			capacity, isFull := full(s)
			inserts, refuses := room(s) && o.result != no, isFull && o.result != yes
			// yield may move s
			next, same = append(append(next[:0], s...), o.value), append(same[:0], s...)
			if s[0] < 0 {
				next[0] = min(s[0], -1-int32(n+1))
			}
			same[0] = capacity
			if inserts {
				yield(next)
			}
			if refuses {
				yield(same)
			}
		case boundedSize:
			if o.value == model.Anything || int(o.value) == n {
				yield(s)
			}
		default:
			front := model.Nothing
			if n > 0 {
				front = s[1]
			}
			switch {
			case o.value != model.Anything && o.value != front:
			case o.verb == boundedPeek || n == 0:
				yield(s)
			default:
				next = append(append(next[:0], s[0]), s[2:]...)
				yield(next)
			}
		}
	}
}

func (k *boundedPart) format(v int32) string {
	if v == k.unseen {
		return "a value that nothing finds"
	}
	return k.table.Format(k.numbers.values[v])
}

func (k *boundedPart) describe(s []int32) string {
	text := "empty"
	if len(s) > 1 {
		text = "["
		for i, v := range s[1:] {
			if i > 0 {
				text += ", "
			}
			text += k.format(v)
		}
		text += "]"
	}
	switch {
	case s[0] < -1:
		text += fmt.Sprintf(" of a capacity of %d or more", -1-s[0])
	case s[0] >= 0 && s[0] < noBound:
		text += fmt.Sprintf(" of a capacity of %d", s[0])
	}
	return text
}

func (k *boundedPart) refuse(m model.Machine, st model.State, op history.OpID) string {
	s, o := model.PeekVector(m, st), &k.ops[op]
	capacity, isFull := full(s)
	switch {
	case o.verb <= boundedOffer && o.result == yes && !room(s):
		return fmt.Sprintf("the queue is full: its capacity is %d", capacity)
	case o.verb <= boundedOffer && o.result == no && !isFull && s[0] >= 0:
		return fmt.Sprintf("the queue is not full: it holds %d of %d", len(s)-1, capacity)
	case o.verb <= boundedOffer && o.result == no && !isFull:
		return fmt.Sprintf("the queue is not full: it holds %d and held %d before", len(s)-1, -1-s[0])
	case o.verb <= boundedOffer || o.value == model.Anything:
		return ""
	case o.verb == boundedSize && int(o.value) != len(s)-1:
		return fmt.Sprintf("the queue holds %s, not %d", counted(len(s)-1), o.value)
	case o.verb == boundedSize:
		return ""
	case len(s) == 1 && o.value != model.Nothing:
		return "the queue is empty"
	case len(s) == 1 || s[1] == o.value:
		return ""
	case o.value == model.Nothing:
		return "the queue is not empty: its front is " + k.format(s[1])
	}
	return "the front is " + k.format(s[1]) + ", not " + k.format(o.value)
}
