package encode

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// cellKind is a family of operations on cells.
type cellKind struct {
	name  string
	cells int
	// draw makes the modes of one operation that finds value v; know reports whether its result is
	// known.
	draw  func(r *rand.Rand, v int32, know bool) []model.Mode
	heavy bool // half of the operations are pending
	all   int  // values
}

func is(v, leaves int32) model.Mode {
	return model.Mode{Test: model.Is, V: v, Leaves: leaves}
}

func isNot(v, leaves int32) model.Mode {
	return model.Mode{Test: model.Not, V: v, Leaves: leaves}
}

// casModes are those of a cas that found v.
func casModes(from, to, v int32, know bool) []model.Mode {
	switch {
	case !know:
		return []model.Mode{is(from, to), isNot(from, model.Keep)}
	case from == v:
		return []model.Mode{is(from, to)}
	default:
		return []model.Mode{isNot(from, model.Keep)}
	}
}

func registerDraw(values int32, cas bool) func(r *rand.Rand, v int32, know bool) []model.Mode {
	return func(r *rand.Rand, v int32, know bool) []model.Mode {
		x, y := r.Int32N(values), r.Int32N(values)
		switch k := r.IntN(4); {
		case k == 0:
			return []model.Mode{{Leaves: x}}
		case k == 1 && cas || k == 2 && cas:
			if r.IntN(3) > 0 {
				x = v
			}
			return casModes(x, y, v, know)
		case !know:
			return []model.Mode{{Leaves: model.Keep}}
		default:
			return []model.Mode{is(v, model.Keep)}
		}
	}
}

var cellKinds = []cellKind{
	{name: "register", cells: 1, all: 3, draw: registerDraw(3, false)},
	{name: "cas", cells: 1, all: 3, draw: registerDraw(3, true)},
	{name: "cas two cells", cells: 2, all: 3, draw: registerDraw(3, true)},
	{name: "cas many values", cells: 1, all: 7, draw: registerDraw(7, true)},
	{name: "cas chains", cells: 1, all: 6, heavy: true, draw: func(r *rand.Rand, v int32, know bool) []model.Mode {
		x := r.Int32N(6)
		switch {
		case !know:
			return []model.Mode{is(x, (x+1+r.Int32N(2))%6), isNot(x, model.Keep)}
		case r.IntN(4) == 0:
			return casModes(v, x, v, true)
		default:
			return []model.Mode{is(v, model.Keep)}
		}
	}},
	// Writes of one of two values, it is not known which.
	{name: "either", cells: 1, all: 3, draw: func(r *rand.Rand, v int32, know bool) []model.Mode {
		x, y := r.Int32N(3), r.Int32N(3)
		switch {
		case r.IntN(2) == 0 && know:
			return []model.Mode{is(v, model.Keep)}
		case r.IntN(2) == 0:
			return []model.Mode{{Leaves: x}, {Leaves: y}}
		default:
			return []model.Mode{{Leaves: x}, isNot(y, model.Keep)}
		}
	}},
	{name: "set", cells: 2, all: 2, draw: func(r *rand.Rand, v int32, know bool) []model.Mode {
		switch k := r.Int32N(3); {
		case k == 2 && know:
			return []model.Mode{is(v, model.Keep)}
		case k == 2:
			return []model.Mode{{Leaves: model.Keep}}
		case !know:
			return []model.Mode{{Leaves: k}}
		case v == k:
			return []model.Mode{is(v, model.Keep)}
		default:
			return []model.Mode{is(v, k)}
		}
	}},
	{name: "mutex", cells: 1, all: 2, draw: func(r *rand.Rand, v int32, know bool) []model.Mode {
		switch {
		case r.IntN(5) == 0 && !know:
			return []model.Mode{is(0, 1), is(1, model.Keep)}
		case r.IntN(5) == 0 && v == 1:
			return []model.Mode{is(1, model.Keep)}
		default:
			return []model.Mode{is(v, 1-v)}
		}
	}},
	// Values 0..3 are "", a, aa, aaa; longer ones are of no interest.
	{name: "append", cells: 2, all: 5, draw: func(r *rand.Rand, v int32, know bool) []model.Mode {
		switch r.IntN(4) {
		case 0:
			return []model.Mode{{Leaves: r.Int32N(2)}}
		case 1, 2:
			return []model.Mode{is(0, 1), is(1, 2), is(2, 3), {Test: model.Not, V: 0, Others: []int32{1, 2}, Leaves: 4}}
		default:
			if !know {
				return []model.Mode{{Leaves: model.Keep}}
			}
			return []model.Mode{is(v, model.Keep)}
		}
	}},
}

// randomCells runs the operations in their real order, then spoils some of them.
func randomCells(r *rand.Rand, k cellKind) (*model.Instance, func(i int) string) {
	n := size(r)
	pending := []float64{0, 0.2, 0.5}[r.IntN(3)]
	if k.heavy {
		pending = 0.5
	}
	tm := newTiming(r, n, 1+r.IntN(3*n), pending, 0.2)
	c := &model.RegisterTheory{Object: make([]model.CellID, n), Init: make([]int32, k.cells), Values: k.all}
	for i := range c.Init {
		c.Init[i] = r.Int32N(2) % int32(k.all)
	}
	state := append([]int32(nil), c.Init...)
	modes := make([][]model.Mode, n)
	draw := func(i history.OpID, v int32) {
		o := &tm.part.Ops[i]
		know := !o.Pending() && r.IntN(12) > 0
		o.Unknown = !know
		modes[i] = k.draw(r, v, know)
	}
	for i := range c.Object {
		c.Object[i] = model.CellID(r.Int32N(int32(k.cells)))
	}
	for _, i := range tm.real {
		v := &state[c.Object[i]]
		draw(i, *v)
		for _, m := range modes[i] {
			if m.Allows(*v) && m.Leaves != model.Keep {
				*v = m.Leaves
				break
			}
		}
	}
	for i := range modes {
		if modes[i] == nil || r.IntN(2*n) == 0 {
			draw(history.OpID(i), r.Int32N(int32(k.all)))
		}
		if r.IntN(40*n) == 0 {
			modes[i] = []model.Mode{}
		}
	}
	c.First = []int32{0}
	for _, m := range modes {
		c.Modes = append(c.Modes, m...)
		c.First = append(c.First, int32(len(c.Modes)))
	}
	show := func(i int) string { return fmt.Sprintf("cell %d %+v", c.Object[i], modes[i]) }
	return &model.Instance{Partition: tm.part, Theory: c, EquivID: sigs(n, show), NewMachine: func() model.Machine {
		return cellsMachine(c)
	}}, show
}

func TestRegistersAgreeWithTheDefinition(t *testing.T) {
	for _, k := range cellKinds {
		t.Run(k.name, func(t *testing.T) {
			compare(t, func(r *rand.Rand) (*model.Instance, func(int) string) { return randomCells(r, k) })
		})
	}
}
