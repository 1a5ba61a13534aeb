package words

import (
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/verify/base"
)

// valueNames are names of a theory's values as the history spells them.
type valueNames struct {
	w     *proof.Window
	cells map[model.Stored]string // by cell and value
	told  func(v int32) string    // the names that the theory itself has, nil if it has none
	items []string                // of what is there at the start of collections
	view  *model.View             // that the weakening is about; nil: the partition itself
}

// twoValued are the words for the two values of a cell, where operations do not spell them.
var twoValued = map[string][2]string{"set": {"absent", "present"}, "mutex": {"free", "held"},
	"unique-ids": {"unused", "used"}}

func newValueNames(b *model.Instance, weakening *proof.Weakening, w *proof.Window) *valueNames {
	n := &valueNames{w: w, cells: map[model.Stored]string{}}
	if weak, err := base.Weakened(b, weakening); weakening.View != 0 && err == nil {
		n.view = verify.View(weak, weakening)
		if t, ok := w.Theory.(*model.RegisterTheory); ok {
			for v := range int32(t.Values) {
				n.cells[model.Stored{Value: v}] = n.view.Name(v)
			}
		}
		return n
	}
	switch t := w.Theory.(type) {
	case *model.RegisterTheory:
		if t.Name != nil {
			n.told = t.Name
			return n
		}
		if bound, err := b.Spec.Bind(w.Partition); err == nil && len(t.Init) == 1 {
			n.visit(bound, t)
		}
		n.spelled(t)
		if words, ok := twoValued[b.Spec.Info().Name]; ok {
			for cell := range t.Init {
				for v, word := range words {
					n.cells[model.Stored{Object: model.CellID(cell), Value: int32(v)}] = word
				}
			}
		}
	case *model.CollectionTheory:
		for k := range w.Items() {
			n.items = append(n.items, n.itemName(t, k))
		}
	}
	return n
}

// visit executes the specification and the theory side by side, and names every value that is met
// by the state's description.
func (n *valueNames) visit(b *model.Instance, t *model.RegisterTheory) {
	m := b.NewMachine()
	type point struct {
		s model.State
		v int32
	}
	queue := []point{{m.Init(), t.Init[0]}}
	n.cells[model.Stored{Value: t.Init[0]}] = m.Describe(m.Init())
	for at := 0; at < len(queue) && at < maxNamed; at++ {
		p := queue[at]
		for i := range b.Partition.Ops {
			next := m.Step(p.s, history.OpID(i), nil)
			leaves := p.v
			for _, mode := range t.Of(history.OpID(i)) {
				if mode.Allows(p.v) && mode.Leaves != model.Keep {
					leaves = mode.Leaves
				}
			}
			key := model.Stored{Value: leaves}
			if _, known := n.cells[key]; known || len(next) != 1 || next[0] == p.s {
				continue
			}
			if n.cells[key] = m.Describe(next[0]); n.cells[key] == specs.OtherString {
				n.cells[key] = "" // other histories know better
			}
			queue = append(queue, point{next[0], leaves})
		}
	}
}

// spelled names values by the results and arguments of operations that need just them.
func (n *valueNames) spelled(t *model.RegisterTheory) {
	values := n.w.Partition.History.Values
	for i := range n.w.Partition.Ops {
		o := &n.w.Partition.Ops[i]
		modes := t.Of(history.OpID(i))
		if len(modes) != 1 || modes[0].Test != model.Is {
			continue
		}
		key := model.Stored{Object: t.Object[i], Value: modes[0].V}
		if _, known := n.cells[key]; known {
			continue
		}
		pair, isList := values.AsList(o.Arg)
		_, isMap := values.AsMap(o.Result)
		switch {
		case isList && len(pair) == 2 && modes[0].Leaves != model.Keep:
			n.cells[key] = values.Format(pair[0])
		case modes[0].Leaves == model.Keep && !o.Unknown && o.Arg == history.Nil && !isMap &&
			o.Result != history.True && o.Result != history.False:
			n.cells[key] = values.Format(o.Result)
		}
	}
}

// cell names value v of a cell; "" if it has no name.
func (n *valueNames) cell(cell model.CellID, v int32) string {
	if n.told != nil && int(v) < n.w.Theory.(*model.RegisterTheory).Values {
		return n.told(v)
	}
	return n.cells[model.Stored{Object: cell, Value: v}]
}

// set names some values of a cell; ok is false if one has no name, or if they are too many to list.
func (n *valueNames) set(cell model.CellID, there []bool) (text string, ok bool) {
	var words []string
	for v, is := range there {
		if !is {
			continue
		}
		if len(words) == maxSpelled {
			return "", false
		}
		name := n.cell(cell, int32(v))
		if name == "" {
			return "", false
		}
		words = append(words, name)
	}
	switch len(words) {
	case 0:
		return "", false
	case 1:
		return words[0], true
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1], true
}

// content names the value that an operation of a collection is about.
func (n *valueNames) content(t *model.CollectionTheory, i history.OpID) string {
	o := &n.w.Partition.Ops[i]
	if t.Does[i] == model.Insert {
		return n.w.Partition.History.Values.Format(o.Arg)
	}
	return n.w.Partition.History.Values.Format(o.Result)
}

// itemName names the k-th item at the start by an operation on the same value, or else by its
// number.
func (n *valueNames) itemName(t *model.CollectionTheory, k int) string {
	for i := range n.w.Partition.Ops {
		if t.Value[i] < 0 {
			continue
		}
		for _, c := range n.w.Candidates(history.OpID(i)) {
			if c == proof.Item(k) && t.Value[i] >= 0 {
				return n.content(t, history.OpID(i))
			}
		}
	}
	return "item " + strconv.Itoa(k+1)
}

// item names an item at the start.
func (n *valueNames) item(i history.OpID) string {
	if k := int(proof.Item(0) - i); k < len(n.items) {
		return n.items[k]
	}
	return "item"
}

// ValueNames returns how the history spells the values of the cells of b; "" for a value that it
// does not spell. The theory of b is about registers.
func ValueNames(b *model.Instance) func(cell model.CellID, v int32) string {
	return newValueNames(b, proof.Everything(), &proof.Window{Partition: b.Partition, Theory: b.Axiomatic()}).cell
}
