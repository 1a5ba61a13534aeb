package specs

import (
	"math"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Views of a log: its length, a counter that appends raise and that offsets and results report; and
// the entry at one offset, a register that is written once. Most violations show in one of them, in
// few operations, whatever the log was before.

// logViews makes the views of a partition.
type logViews struct {
	ops   []model.LogOp
	init  []history.Value
	table *history.Values
}

// lengthView is the number of the view of the length; offset p has the number firstOffset + p.
const (
	lengthView  = 1
	firstOffset = 2
)

func (l *logViews) view(number int32) *model.View {
	switch {
	case number == lengthView:
		return &model.View{Theory: l.length(), What: "the length"}
	case number >= firstOffset:
		return l.offset(int64(number) - firstOffset)
	}
	return nil
}

// about lists the views that concern an operation.
func (l *logViews) about(op history.OpID) []int32 {
	o := &l.ops[op]
	views := []int32{lengthView}
	if !o.Known || o.Offset < 0 {
		return views
	}
	n := max(1, len(o.Values))
	for k := range min(n, maxOffsets) {
		if p := o.Offset + int64(k); p < math.MaxInt32-firstOffset {
			views = append(views, int32(p)+firstOffset)
		}
	}
	return views
}

// length returns the view of the length: an append raises it by 1 and may report it, a read with
// values reports it.
func (l *logViews) length() *model.CountingTheory {
	n := len(l.ops)
	c := &model.CountingTheory{Object: make([]model.CellID, n), Delta: make([]int64, n), Observes: make([]bool, n),
		Observed: make([]int64, n), Init: []int64{int64(len(l.init))}}
	for i := range l.ops {
		o := &l.ops[i]
		if !o.Reads {
			c.Delta[i] = 1
		}
		found := int64(len(o.Values))
		switch {
		case !o.Known || o.Offset > math.MaxInt64-found:
		case !o.Reads:
			c.Observes[i], c.Observed[i] = true, o.Offset
		case !o.Limited && (found > 0 || o.Offset == 0):
			c.Observes[i], c.Observed[i] = true, o.Offset+found
		}
	}
	return c
}

// offset returns the view of one offset: nothing is there, or a value.
func (l *logViews) offset(p int64) *model.View {
	numbers := map[history.Value]int32{history.Nil: 0}
	values := []history.Value{history.Nil}
	number := func(v history.Value) int32 {
		k, ok := numbers[v]
		if !ok {
			k = int32(len(values))
			numbers[v] = k
			values = append(values, v)
		}
		return k
	}
	start := int32(0)
	if p < int64(len(l.init)) {
		start = number(l.init[p])
	}
	c := model.NewRegisterTheory(len(l.ops))
	c.Init = append(c.Init, start)
	for i := range l.ops {
		o := &l.ops[i]
		within := o.Offset <= p && p-o.Offset < int64(len(o.Values))
		switch {
		case o.Reads && (!o.Known || o.Offset > p || o.Limited && !within):
			c.Add(0, model.Mode{Test: model.Any, Leaves: model.Keep})
		case o.Reads && within:
			c.Add(0, model.Mode{Test: model.Is, V: number(o.Values[p-o.Offset]), Leaves: model.Keep})
		case o.Reads, o.Known && o.Offset < p:
			c.Add(0, model.Mode{Test: model.Is, V: 0, Leaves: model.Keep})
		case o.Known && o.Offset > p:
			c.Add(0, model.Mode{Test: model.Not, V: 0, Leaves: model.Keep})
		case o.Known:
			c.Add(0, model.Mode{Test: model.Is, V: 0, Leaves: number(o.Value)})
		default:
			c.Add(0, model.Mode{Test: model.Is, V: 0, Leaves: number(o.Value)},
				model.Mode{Test: model.Any, Leaves: model.Keep})
		}
	}
	c.Values = len(values)
	return &model.View{Theory: c, What: "offset " + strconv.FormatInt(p, 10), Name: func(v int32) string {
		if v == 0 {
			return "empty"
		}
		return l.table.Format(values[v])
	}}
}
