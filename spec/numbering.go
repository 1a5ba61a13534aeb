package spec

import "github.com/linsat/linsat/history"

// numbering gives the values that one part speaks of small numbers, 0 first, in the order in
// which they are met.
type numbering struct {
	direct []int32                 // by history.Value: number plus one; nil where the part is small beside the table
	sparse map[history.Value]int32 // then, unless there are only a few
	values []history.Value         // by number
}

// newNumbering takes a slice as large as the history's table of values only if the part is of comparable size:
// a history may have as many parts as values.
func newNumbering(p *Part) *numbering {
	if n := p.History.Values.Len(); n <= 64+8*len(p.Ops) {
		return &numbering{direct: make([]int32, n)}
	}
	return &numbering{}
}

// fewValues are looked through one by one.
const fewValues = 8

// of returns the number of v, a new one if v was not met before.
func (t *numbering) of(v history.Value) int32 {
	if t.direct != nil {
		if k := t.direct[v]; k != 0 {
			return k - 1
		}
		t.direct[v] = int32(len(t.values)) + 1
	} else {
		if k := t.find(v); k >= 0 {
			return k
		}
		if t.sparse == nil && len(t.values) == fewValues {
			t.sparse = make(map[history.Value]int32, 2*fewValues)
			for k, u := range t.values {
				t.sparse[u] = int32(k)
			}
		}
		if t.sparse != nil {
			t.sparse[v] = int32(len(t.values))
		}
	}
	t.values = append(t.values, v)
	return int32(len(t.values)) - 1
}
