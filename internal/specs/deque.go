package specs

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Deque returns the specification of a double-ended queue: pushfront v, pushback v, popfront,
// popback, peekfront, peekback, size and drain. A result of null says that the deque was empty. Its
// initial state is a list, front first; empty by default.
func Deque() model.Spec { return deque }

// Drains (see quasi.Question) take from the front: they have places among the removals from the
// front, so a popback does not trade places with them, and a history and its mirror image can have
// different least bounds.
//
// Bare push and pop are not aliases: they mean the front in some libraries and the back in others.
var deque = newTable(table{
	info: model.Info{
		Name:    "deque",
		Summary: "double-ended queue",
		Initial: "a list of values, front first (default: empty)",
		Classes: []model.Class{
			{Name: "insertions-front", Operations: []string{"pushfront"}},
			{Name: "insertions-back", Operations: []string{"pushback"}},
			{Name: "removals-front", Operations: []string{"popfront"}, Relaxable: true},
			{Name: "removals-back", Operations: []string{"popback"}, Relaxable: true},
			{Name: "peeks-front", Operations: []string{"peekfront"}},
			{Name: "peeks-back", Operations: []string{"peekback"}},
		},
		Drain:   "popfront",
		Example: `{"spec": "deque", "operations": [{"process": 0, "f": "pushback", "arg": 1, "call": 0, "return": 3}, {"process": 1, "f": "pushfront", "arg": 2, "call": 1, "return": 2}, {"process": 1, "f": "popback", "call": 4, "return": 6, "result": 1}, {"process": 0, "f": "popfront", "call": 5, "return": 7, "result": 2}]}`,
	},
	rows: []row{
		{Operation: model.Operation{Name: "pushfront", Aliases: []string{"addfirst", "offerfirst", "putfirst",
			"insertfirst", "insertfront", "enqfront", "appendleft", "pushleft", "lpush"},
			Arg: "a value other than null"}, does: model.Insert},
		{Operation: model.Operation{Name: "pushback", Aliases: []string{"addlast", "offerlast", "putlast", "insertlast",
			"insertback", "enqback", "append", "pushright", "rpush", "add", "offer", "put"},
			Arg: "a value other than null"}, does: model.Insert},
		{Operation: model.Operation{Name: "popfront", Aliases: []string{"pollfirst", "removefirst", "takefirst",
			"removefront", "deqfront", "popleft", "lpop", "poll", "remove", "take"},
			Result: "the value taken from the front, or null if the deque was empty"}, arg: noArgument, observes: true,
			does: model.Remove},
		{Operation: model.Operation{Name: "popback", Aliases: []string{"polllast", "removelast", "takelast",
			"removeback", "deqback", "popright", "rpop"},
			Result: "the value taken from the back, or null if the deque was empty"}, arg: noArgument, observes: true,
			does: model.Remove},
		{Operation: model.Operation{Name: "peekfront", Aliases: []string{"peekfirst", "getfirst", "first", "front",
			"peek", "element"}, Result: "the value at the front, or null if the deque was empty"}, arg: noArgument,
			observes: true, does: model.Peek},
		{Operation: model.Operation{Name: "peekback", Aliases: []string{"peeklast", "getlast", "last", "back"},
			Result: "the value at the back, or null if the deque was empty"}, arg: noArgument, observes: true,
			does: model.Peek},
		{Operation: sizeOperation, arg: noArgument, observes: true, does: counts},
		{Operation: drainOperation, arg: noArgument, observes: true, does: empties},
	},
	bind:  bindDeque,
	order: &dequeOrder,
})

// bindDeque binds a partition that holds one deque. Its states are the contents, front first.
func bindDeque(s *table, p *model.Partition) (*model.Instance, error) {
	c, err := newContents(s, p, anyElement)
	if err != nil {
		return nil, err
	}
	b, err := c.bind()
	if err != nil {
		return nil, err
	}
	back := func(op history.OpID) bool { return b.Class[op] >= 0 && b.Class[op]%2 == 1 }
	if !c.odd { // sizes and drains would notice missing values
		t := &model.DequeTheory{Moves: model.OneCollection(c.does, c.value, c.initial),
			Back: make([]bool, len(p.Ops))}
		for i := range t.Back {
			t.Back[i] = back(history.OpID(i))
		}
		b.Theory = t
	} else {
		c.counted(b, func(*model.CollectionTheory) []bool {
			atBack := make([]bool, len(p.Ops))
			for i := range atBack {
				atBack[i] = back(history.OpID(i))
			}
			return atBack
		})
	}
	b.NewMachine = func() model.Machine {
		var scratch []int32
		return model.NewVectorRunner(c.initial, func(s []int32, op history.OpID, yield func(next []int32)) {
			end := endOf(s, back(op))
			switch {
			case c.does[op] == model.Insert && back(op):
				scratch = append(append(scratch[:0], s...), c.value[op])
				yield(scratch)
			case c.does[op] == model.Insert:
				scratch = append(append(scratch[:0], c.value[op]), s...)
				yield(scratch)
			case c.does[op] == counts:
				if len(s) == int(c.value[op]) {
					yield(s)
				}
			case c.does[op] == empties:
				if c.drains(op, s) {
					yield(nil)
				}
			case !c.allows(op, end):
			case c.does[op] == model.Peek || end == model.Nothing:
				yield(s)
			case back(op):
				yield(s[:len(s)-1])
			default:
				yield(s[1:])
			}
		}, c.list, func(order []history.OpID) int { return c.runDeque(order, back) })
	}
	b.Refusal = func(m model.Machine, s model.State, op history.OpID) string {
		place := "front"
		if back(op) {
			place = "back"
		}
		if c.does[op] > model.Peek {
			return c.refuseAll(op, model.PeekVector(m, s), "deque")
		}
		return c.refuse(op, endOf(model.PeekVector(m, s), back(op)), "deque", place)
	}
	return b, nil
}

// runDeque applies operations one after the other to one copy of the contents, and returns how many
// are allowed until one is not. The contents grow to both sides, for which there is room for every
// insertion.
func (c *contents) runDeque(order []history.OpID, back func(op history.OpID) bool) int {
	front, all := 0, len(c.initial)
	for _, op := range order {
		if c.does[op] == model.Insert {
			all++
			if !back(op) {
				front++
			}
		}
	}
	room := make([]int32, all)
	head, tail := front, front+copy(room[front:], c.initial)
	for n, op := range order {
		s := room[head:tail]
		end := endOf(s, back(op))
		switch {
		case c.does[op] == model.Insert && back(op):
			room[tail] = c.value[op]
			tail++
		case c.does[op] == model.Insert:
			head--
			room[head] = c.value[op]
		case c.does[op] == counts:
			if len(s) != int(c.value[op]) {
				return n
			}
		case c.does[op] == empties:
			if !c.drains(op, s) {
				return n
			}
			tail = head
		case !c.allows(op, end):
			return n
		case c.does[op] == model.Peek || end == model.Nothing:
		case back(op):
			tail--
		default:
			head++
		}
	}
	return len(order)
}

// endOf returns the value at the front or the back of a sequence, or Nothing.
func endOf(s []int32, back bool) int32 {
	switch {
	case len(s) == 0:
		return model.Nothing
	case back:
		return s[len(s)-1]
	}
	return s[0]
}
