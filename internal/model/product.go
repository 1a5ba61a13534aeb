package model

import (
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
)

// BindObjects binds a partition that may hold several objects (distinguished by Op.Key): each
// object by bindOne, and all together as their product.
func BindObjects(s Spec, p *Partition, bindOne func(p *Partition) (*Instance, error)) (*Instance, error) {
	if OneObject(p) {
		return bindOne(p)
	}
	members := map[history.Value][]history.OpID{}
	var keys []history.Value
	for i := range p.Ops {
		k := p.Ops[i].Key
		if members[k] == nil {
			keys = append(keys, k)
		}
		members[k] = append(members[k], history.OpID(i))
	}
	bounds := make([]*Instance, len(keys))
	for i, k := range keys {
		name := ""
		if k != history.NoKey {
			name = p.History.Values.Format(k)
		}
		b, err := bindOne(p.Select(members[k], name))
		if err != nil {
			return nil, err
		}
		bounds[i] = b
	}
	return product(s, p, keys, members, bounds), nil
}

// OneObject reports whether a partition holds at most one object.
func OneObject(p *Partition) bool {
	for i := range p.Ops {
		if p.Ops[i].Key != p.Ops[0].Key {
			return false
		}
	}
	return true
}

// partID numbers the objects of a product, in the order of their first operations.
type partID int32

// product binds several objects side by side: its states are vectors of their states.
func product(s Spec, p *Partition, keys []history.Value, members map[history.Value][]history.OpID,
	bounds []*Instance) *Instance {
	n := len(p.Ops)
	b := &Instance{Spec: s, Partition: p, ReadOnly: make([]bool, n), EquivID: make([]int32, n),
		Items: Items{Stored: bounds[0].Items.Stored}}
	object := make([]partID, n)      // of every operation
	local := make([]history.OpID, n) // its position in that object's partition
	sigs := int32(0)
	for c, k := range keys {
		sub := bounds[c]
		top := int32(0)
		for j, i := range members[k] {
			object[i], local[i] = partID(c), history.OpID(j)
			b.ReadOnly[i] = sub.ReadOnly[j]
			if slices.Contains(sub.Items.Bulk, history.OpID(j)) {
				b.Items.Bulk = append(b.Items.Bulk, i)
			}
			b.EquivID[i] = sigs + sub.EquivID[j]
			top = max(top, sub.EquivID[j]+1)
			if sub.Items.Delta != nil {
				if b.Items.Delta == nil {
					b.Items.Delta = make([]int8, n)
				}
				b.Items.Delta[i] = sub.Items.Delta[j]
			}
			if sub.Class != nil {
				if b.Class == nil {
					b.Class = make([]ClassID, n)
				}
				b.Class[i] = sub.Class[j]
			}
		}
		sigs += top
	}
	if t := mergeTheories(object, local, bounds); t != nil {
		b.Theory = t
	}
	b.TheoryLeft = slices.ContainsFunc(bounds, func(b *Instance) bool { return b.TheoryLeft })
	machine := func(of func(sub *Instance) Machine) Machine {
		m := &productMachine{object: object, local: local, names: make([]string, len(bounds)),
			parts: make([]Machine, len(bounds))}
		init := make([]int32, len(bounds))
		for c, sub := range bounds {
			m.names[c] = sub.Partition.Name
			m.parts[c] = of(sub)
			init[c] = int32(m.parts[c].Init())
		}
		m.init = State(m.table.intern(init))
		return m
	}
	b.NewMachine = func() Machine { return machine(func(sub *Instance) Machine { return sub.NewMachine() }) }
	b.NewJudge = func() Machine { return machine((*Instance).Judge) }
	b.Refusal = func(m Machine, st State, op history.OpID) string {
		c := object[op]
		if bounds[c].Refusal == nil {
			return ""
		}
		pm := m.(*productMachine)
		return bounds[c].Refusal(pm.parts[c], State(pm.table.At(st)[c]), local[op])
	}
	if slices.ContainsFunc(bounds, func(sub *Instance) bool { return sub.Waits != nil }) {
		b.Waits = func(m Machine, st State, op history.OpID) bool {
			c := object[op]
			pm := m.(*productMachine)
			return bounds[c].Waits != nil && bounds[c].Waits(pm.parts[c], State(pm.table.At(st)[c]), local[op])
		}
	}
	return b
}

type productMachine struct {
	object  []partID
	local   []history.OpID
	names   []string
	parts   []Machine
	table   vectors
	init    State
	next    []State
	scratch []int32
}

func (m *productMachine) Init() State { return m.init }

func (m *productMachine) Step(s State, op history.OpID, dst []State) []State {
	c := m.object[op]
	m.scratch = append(m.scratch[:0], m.table.At(s)...)
	m.next = m.parts[c].Step(State(m.scratch[c]), m.local[op], m.next[:0])
	for _, n := range m.next {
		m.scratch[c] = int32(n)
		dst = append(dst, m.table.intern(m.scratch))
	}
	return dst
}

func (m *productMachine) Describe(s State) string {
	var b strings.Builder
	for c, k := range m.table.At(s) {
		if c > 0 {
			b.WriteString("; ")
		}
		if m.names[c] != "" {
			b.WriteString(m.names[c] + ": ")
		}
		b.WriteString(m.parts[c].Describe(State(k)))
	}
	return b.String()
}

func (m *productMachine) Bytes() int64 {
	n := m.table.bytes()
	for _, p := range m.parts {
		n += p.Bytes()
	}
	return n
}

// mergeTheories combines the axiomatic theories of several objects; nil unless all are of one kind.
func mergeTheories(object []partID, local []history.OpID, bounds []*Instance) Axiomatic {
	switch bounds[0].Axiomatic().(type) {
	case *RegisterTheory:
		return mergeCells(object, local, bounds)
	case *CollectionTheory:
		return mergeCollections(object, local, bounds)
	case *CountingTheory:
		return mergeCounting(object, local, bounds)
	}
	return nil
}

func mergeCells(object []partID, local []history.OpID, bounds []*Instance) Axiomatic {
	out := &RegisterTheory{First: []int32{0}}
	cells := make([]CellID, len(bounds)) // first cell of each part
	values := make([]int32, len(bounds)) // first value
	named := false
	for c, b := range bounds {
		t, ok := b.Axiomatic().(*RegisterTheory)
		if !ok {
			return nil
		}
		cells[c], values[c] = CellID(len(out.Init)), int32(out.Values)
		for _, v := range t.Init {
			out.Init = append(out.Init, v+values[c])
		}
		out.Values += t.Values
		out.FromInit = out.FromInit || t.FromInit
		named = named || t.Name != nil
	}
	if named {
		out.Name = func(v int32) string {
			c := sort.Search(len(values), func(c int) bool { return values[c] > v }) - 1
			if name := bounds[c].Axiomatic().(*RegisterTheory).Name; name != nil {
				return name(v - values[c])
			}
			return ""
		}
	}
	for i, c := range object {
		t := bounds[c].Axiomatic().(*RegisterTheory)
		out.Object = append(out.Object, cells[c]+t.Object[local[i]])
		for _, m := range t.Of(local[i]) {
			m.V += values[c]
			others := m.Others
			m.Others = nil
			for _, o := range others {
				m.Others = append(m.Others, o+values[c])
			}
			if m.Leaves != Keep {
				m.Leaves += values[c]
			}
			out.Modes = append(out.Modes, m)
		}
		out.First = append(out.First, int32(len(out.Modes)))
	}
	return out
}

func mergeCollections(object []partID, local []history.OpID, bounds []*Instance) Axiomatic {
	out := &CollectionTheory{}
	first := make([]CellID, len(bounds))
	values := make([]int32, len(bounds))
	for c, b := range bounds {
		t, ok := b.Axiomatic().(*CollectionTheory)
		if !ok {
			return nil
		}
		first[c], values[c] = CellID(len(out.Initial)), int32(out.Values)
		out.Discipline = t.Discipline
		for _, contents := range t.Initial {
			shifted := make([]int32, len(contents))
			for i, v := range contents {
				shifted[i] = v + values[c]
			}
			out.Initial = append(out.Initial, shifted)
		}
		out.Values += t.Values
		out.Rank = append(out.Rank, t.Rank...)
	}
	for i, c := range object {
		t := bounds[c].Axiomatic().(*CollectionTheory)
		j := local[i]
		out.Object = append(out.Object, first[c]+t.Object[j])
		out.Does = append(out.Does, t.Does[j])
		v := t.Value[j]
		if v >= 0 {
			v += values[c]
		}
		out.Value = append(out.Value, v)
	}
	return out
}

func mergeCounting(object []partID, local []history.OpID, bounds []*Instance) Axiomatic {
	out := &CountingTheory{}
	first := make([]CellID, len(bounds))
	for c, b := range bounds {
		t, ok := b.Axiomatic().(*CountingTheory)
		if !ok {
			return nil
		}
		first[c] = CellID(len(out.Init))
		out.Init = append(out.Init, t.Init...)
	}
	for i, c := range object {
		t := bounds[c].Axiomatic().(*CountingTheory)
		j := local[i]
		out.Object = append(out.Object, first[c]+t.Object[j])
		out.Delta = append(out.Delta, t.Delta[j])
		out.Observes = append(out.Observes, t.Observes[j])
		out.Observed = append(out.Observed, t.Observed[j])
	}
	return out
}
