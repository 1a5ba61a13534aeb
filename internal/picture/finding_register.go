package picture

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/words"
)

// Registers: after an operation that shows the value, only what was not over when it was called
// can change it; so the values that can be there follow, step by step, from the known one, whatever
// the order. An operation that was called later and needs another value is at fault, and what can
// leave that value is listed with why it does not help. Operations that never returned are named
// where nothing else can have left what an operation found.

// reach is what a register can hold between two operations.
type reach struct {
	from, to history.OpID // from is -1 for the start
	needs    int32
	values   []int32                  // in the order in which they are reached
	by       map[int32][]history.OpID // what can leave a value
	between  []history.OpID
}

// values shows what a register can hold before an operation that needs something else; or else
// what can have left the values that the operations of the argument found.
func (f *finder) values() *Finding {
	t := f.b.Axiomatic().(*model.RegisterTheory)
	name := words.ValueNames(f.b)
	value := func(cell model.CellID, v int32) string {
		if text := name(cell, v); text != "" {
			return escape.Text(clipped(text, findingText))
		}
		return "another value"
	}
	if r := f.unreachable(t); r != nil {
		return f.reached(t, r, value)
	}
	return f.sources(t, value)
}

// finds is the value that an operation certainly finds; -1 if that is not known.
func finds(t *model.RegisterTheory, i history.OpID) int32 {
	if modes := t.Of(i); len(modes) == 1 && modes[0].Test == model.Is {
		return modes[0].V
	}
	return -1
}

// leaves is the value that is certainly there after an operation that took effect; -1 if that is
// not known.
func leaves(t *model.RegisterTheory, i history.OpID) int32 {
	modes := t.Of(i)
	if len(modes) != 1 {
		return -1
	}
	if modes[0].Leaves != model.Keep {
		return modes[0].Leaves
	}
	return finds(t, i)
}

// unreachable looks for an operation that needs a value that cannot be there; nil if there is none.
func (f *finder) unreachable(t *model.RegisterTheory) *reach {
	ops := f.b.Partition.Ops
	for _, to := range append([]history.OpID{f.failing()}, f.core...) {
		if to < 0 || finds(t, to) < 0 || ops[to].Pending() {
			continue
		}
		var known []history.OpID // that returned before, those of the argument first
		for k := range ops {
			if i := history.OpID(k); t.Object[k] == t.Object[to] && ops[k].Return < ops[to].Call && leaves(t, i) >= 0 {
				known = append(known, i)
			}
		}
		slices.SortStableFunc(known, func(a, b history.OpID) int {
			if in := last(slices.Contains(f.core, b)) - last(slices.Contains(f.core, a)); in != 0 {
				return in
			}
			return int(ops[b].Return - ops[a].Return)
		})
		for _, from := range append(known[:min(len(known), findingReads)], -1) {
			if r := f.reach(t, from, to); r != nil {
				return r
			}
		}
	}
	return nil
}

// reach follows the values from one operation, or the start, to another; nil if what that needs can
// be there.
func (f *finder) reach(t *model.RegisterTheory, from, to history.OpID) *reach {
	ops, cell := f.b.Partition.Ops, t.Object[to]
	r := &reach{from: from, to: to, needs: finds(t, to), by: map[int32][]history.OpID{}}
	first := t.Init[cell]
	if from >= 0 {
		first = leaves(t, from)
	}
	for k := range ops {
		i := history.OpID(k)
		if t.Object[k] == cell && i != from && i != to && ops[k].Call < ops[to].Return &&
			(from < 0 || ops[k].Return > ops[from].Call) {
			r.between = append(r.between, i)
		}
	}
	r.values = []int32{first}
	for at := 0; at < len(r.values); at++ {
		if r.values[at] == r.needs {
			return nil
		}
		for _, i := range r.between {
			for _, m := range t.Of(i) {
				if m.Leaves == model.Keep || !m.Allows(r.values[at]) || m.Leaves == r.values[at] {
					continue
				}
				if !slices.Contains(r.by[m.Leaves], i) {
					r.by[m.Leaves] = append(r.by[m.Leaves], i)
				}
				if !slices.Contains(r.values, m.Leaves) {
					r.values = append(r.values, m.Leaves)
				}
			}
		}
		if len(r.values) > findingStates {
			return nil
		}
	}
	return r
}

// reached writes what a register can hold.
func (f *finder) reached(t *model.RegisterTheory, r *reach, value func(cell model.CellID, v int32) string) *Finding {
	cell := t.Object[r.to]
	found := &Finding{Columns: []string{"value", "how it can get there"}}
	start := "from the start on"
	if r.from >= 0 {
		start = "after " + f.op(r.from)
	}
	found.Title = fmt.Sprintf("%s found %s, which cannot be there %s", f.op(r.to), value(cell, r.needs), start)
	if f.b.Spec.Info().Name == "set" {
		found.Title = fmt.Sprintf("%s found it %s, which it cannot be %s", f.op(r.to), value(cell, r.needs), start)
	}
	for k, v := range r.values {
		if k == findingRows {
			found.Notes = append(found.Notes, "It can also have "+counted(len(r.values)-k, "other value")+
				", none of them that.")
			break
		}
		text := "it is there " + start
		if by := r.by[v]; k > 0 {
			text = "by " + f.some(openFirst(f.b.Partition.Ops, by))
		}
		found.Rows = append(found.Rows, FindingRow{Cells: []string{value(cell, v), text}})
	}
	found.Rows = append(found.Rows, FindingRow{Wrong: true, Cells: []string{value(cell, r.needs),
		"not at all: " + f.excuses(t, r, value)}})
	found.Explains = f.explained(t, r.to, found, value)
	return found
}

// excuses says of the operations that can leave what is needed why they do not help.
func (f *finder) excuses(t *model.RegisterTheory, r *reach, value func(cell model.CellID, v int32) string) string {
	ops, cell := f.b.Partition.Ops, t.Object[r.to]
	var texts []string
	more := 0
	for k := len(ops) - 1; k >= 0; k-- {
		i := history.OpID(k)
		if t.Object[k] != cell || i == r.to || i == r.from {
			continue
		}
		for _, m := range t.Of(i) {
			if m.Leaves != r.needs {
				continue
			}
			if len(texts) == findingOps {
				more++
				break
			}
			switch {
			case slices.Contains(r.between, i) && m.Test == model.Is:
				texts = append(texts, fmt.Sprintf("%s needs %s", f.op(i), value(cell, m.V)))
			case slices.Contains(r.between, i):
				texts = append(texts, f.op(i)+" does not fit")
			case ops[k].Call > ops[r.to].Return:
				texts = append(texts, f.plain(i)+" was called later")
			default:
				texts = append(texts, f.plain(i)+" was over before "+f.number(r.from)+" was called")
			}
			break
		}
	}
	switch {
	case len(texts) == 0:
		return "nothing leaves it"
	case more > 0:
		texts = append(texts, "and so with "+others(more))
	}
	return listed(texts, "; ")
}

// openFirst puts operations that never returned in front.
func openFirst(ops []history.Op, list []history.OpID) []history.OpID {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b history.OpID) int { return last(ops[b].Pending()) - last(ops[a].Pending()) })
	return list
}

// sources lists for the operations of the argument what can have left the values that they found.
func (f *finder) sources(t *model.RegisterTheory, value func(cell model.CellID, v int32) string) *Finding {
	found := &Finding{Columns: []string{"operation", "finds", "left by"}}
	for _, i := range f.core {
		if f.b.Partition.Ops[i].Pending() || finds(t, i) < 0 {
			continue
		}
		if len(found.Rows) == findingRows {
			break
		}
		by, start := f.origins(t, i)
		texts := []string{f.some(openFirst(f.b.Partition.Ops, by))}
		switch {
		case start && len(by) == 0:
			texts = []string{"the start"}
		case start:
			texts = append(texts, "the start")
		case len(by) == 0:
			texts[0] = "nothing"
		}
		text := listed(texts, " or ")
		if len(by) == 1 && !start {
			text = "only " + text
		}
		found.Rows = append(found.Rows, FindingRow{Wrong: i == f.failing() || len(by) == 0 && !start,
			Cells: []string{f.op(i), value(t.Object[i], finds(t, i)), text}})
	}
	if len(found.Rows) < 2 {
		return nil
	}
	found.Title = "No order gives each of these what it found"
	found.Explains = f.explained(t, f.failing(), found, value)
	return found
}

// origins lists what can have left the value that operation i found: it was called before i
// returned, and no operation that shows another value lies between the two. It reports whether the
// value can be that of the start.
func (f *finder) origins(t *model.RegisterTheory, i history.OpID) (by []history.OpID, start bool) {
	ops, v, cell := f.b.Partition.Ops, finds(t, i), t.Object[i]
	// the last call of an operation that shows another value, and returned before i was called
	var latest history.Rank = -1
	for k := range ops {
		if j := history.OpID(k); t.Object[k] == cell && j != i && ops[k].Return < ops[i].Call && f.shows(t, j, v) {
			latest = max(latest, ops[k].Call)
		}
	}
	for k := range ops {
		j := history.OpID(k)
		if t.Object[k] != cell || j == i || ops[k].Call > ops[i].Return || ops[k].Return < latest {
			continue
		}
		if slices.ContainsFunc(t.Of(j), func(m model.Mode) bool { return m.Leaves == v }) {
			by = append(by, j)
		}
	}
	return by, latest < 0 && t.Init[cell] == v
}

// shows reports whether an operation certainly finds or leaves another value than v.
func (f *finder) shows(t *model.RegisterTheory, j history.OpID, v int32) bool {
	there, left := finds(t, j), leaves(t, j)
	return there >= 0 && there != v || left >= 0 && left != v
}

// explained adds to a finding the operations that never returned whose effect was certainly seen,
// by another operation than the one that does not fit.
func (f *finder) explained(t *model.RegisterTheory, but history.OpID, found *Finding,
	value func(cell model.CellID, v int32) string) (pairs [][2]history.OpID) {
	ops := f.b.Partition.Ops
	about := slices.Clone(f.ops)
	for _, i := range inorder.Distinct(about) {
		if ops[i].Pending() || finds(t, i) < 0 || i == but {
			continue
		}
		by, start := f.origins(t, i)
		if start || len(by) != 1 || !ops[by[0]].Pending() || len(pairs) == findingOps {
			continue
		}
		pairs = append(pairs, [2]history.OpID{by[0], i})
		found.Notes = append(found.Notes, fmt.Sprintf("%s did take effect: nothing else can have left the %s of %s.",
			f.op(by[0]), value(t.Object[i], finds(t, i)), f.number(i)))
	}
	return pairs
}
