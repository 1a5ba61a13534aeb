package spectest

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// theoryMachine executes a theory. Its states are vectors of numbers, of which only the functions
// of one theory know what they mean.
type theoryMachine struct {
	states [][]int64
	index  map[string]model.State
	step   func(s []int64, op history.OpID) [][]int64
}

// machineOf returns a machine that executes the operations of a partition as a theory describes
// them.
func machineOf(t model.Axiomatic) model.Machine {
	m := &theoryMachine{index: map[string]model.State{}}
	switch t := t.(type) {
	case *model.RegisterTheory:
		m.intern(widen(t.Init))
		m.step = func(s []int64, op history.OpID) [][]int64 { return stepCells(t, s, op) }
	case *model.CountingTheory:
		m.intern(slices.Clone(t.Init))
		m.step = func(s []int64, op history.OpID) [][]int64 { return stepCounting(t, s, op) }
	case *model.CollectionTheory:
		m.intern(startCollection(t))
		m.step = func(s []int64, op history.OpID) [][]int64 { return stepCollection(t, s, op) }
	default:
		panic(fmt.Sprintf("spectest: no interpreter for theory %T", t))
	}
	return m
}

func widen(v []int32) []int64 {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return out
}

func (m *theoryMachine) intern(s []int64) model.State {
	var key []byte
	for _, x := range s {
		key = binary.LittleEndian.AppendUint64(key, uint64(x))
	}
	if k, ok := m.index[string(key)]; ok {
		return k
	}
	k := model.State(len(m.states))
	m.states = append(m.states, s)
	m.index[string(key)] = k
	return k
}

func (m *theoryMachine) Init() model.State { return 0 }

func (m *theoryMachine) Step(s model.State, op history.OpID, dst []model.State) []model.State {
	from := len(dst)
	for _, next := range m.step(m.states[s], op) {
		if k := m.intern(next); !slices.Contains(dst[from:], k) {
			dst = append(dst, k)
		}
	}
	return dst
}

func (m *theoryMachine) Describe(s model.State) string { return fmt.Sprint(m.states[s]) }
func (m *theoryMachine) Bytes() int64                  { return 0 }

func stepCells(t *model.RegisterTheory, s []int64, op history.OpID) (out [][]int64) {
	cell := t.Object[op]
	for _, m := range t.Modes[t.First[op]:t.First[op+1]] {
		found, ok := int32(s[cell]), true
		switch m.Test {
		case model.Is:
			ok = found == m.V
		case model.Not:
			ok = found != m.V && !slices.Contains(m.Others, found)
		}
		if !ok {
			continue
		}
		next := slices.Clone(s)
		if m.Leaves != model.Keep {
			next[cell] = int64(m.Leaves)
		}
		out = append(out, next)
	}
	return out
}

func stepCounting(t *model.CountingTheory, s []int64, op history.OpID) [][]int64 {
	o := t.Object[op]
	if t.Observes[op] && s[o] != t.Observed[op] {
		return nil
	}
	next := slices.Clone(s)
	next[o] += t.Delta[op]
	return [][]int64{next}
}

// A state of collections is a list of pairs, object and value, the oldest first.
func startCollection(t *model.CollectionTheory) []int64 {
	s := []int64{}
	for o, values := range t.Initial {
		values = slices.Clone(values)
		if t.Discipline == model.LIFO {
			slices.Reverse(values)
		}
		for _, v := range values {
			s = append(s, int64(o), int64(v))
		}
	}
	return s
}

func stepCollection(t *model.CollectionTheory, s []int64, op history.OpID) (out [][]int64) {
	o, v := int64(t.Object[op]), t.Value[op]
	if t.Does[op] == model.Insert {
		return [][]int64{append(slices.Clone(s), o, int64(v))}
	}
	var here []int // places of this collection's values, the oldest first
	for at := 0; at < len(s); at += 2 {
		if s[at] == o {
			here = append(here, at)
		}
	}
	if len(here) == 0 {
		if v == model.Nothing || v == model.Anything {
			out = append(out, s)
		}
		return out
	}
	if v == model.Nothing {
		return nil
	}
	switch t.Discipline {
	case model.FIFO:
		here = here[:1]
	case model.LIFO:
		here = here[len(here)-1:]
	case model.ByPriority:
		least := t.Rank[s[here[0]+1]]
		for _, at := range here {
			least = min(least, t.Rank[s[at+1]])
		}
		here = slices.DeleteFunc(here, func(at int) bool { return t.Rank[s[at+1]] != least })
	}
	for _, at := range here {
		if v != model.Anything && int64(v) != s[at+1] {
			continue
		}
		next := slices.Clone(s)
		if t.Does[op] == model.Remove {
			next = slices.Delete(next, at, at+2)
		}
		out = append(out, next)
	}
	return out
}
