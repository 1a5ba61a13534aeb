package specs

import (
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/spare"
)

// numbering numbers the values of one partition from 0, in the order in which they are met.
type numbering struct {
	// by history.Value: number plus one; nil if the partition is small compared with the table
	direct []int32
	lent   *valueTable             // the same, if the partition is not small in itself
	sparse map[history.Value]int32 // the same otherwise, unless there are only a few
	values []history.Value         // by number
}

// newNumbering returns the numbering of a partition.
func newNumbering(p *model.Partition) *numbering {
	t := &numbering{}
	t.open(p)
	return t
}

// open prepares the numbering of a partition.
func (t *numbering) open(p *model.Partition) {
	t.table(p)
	n := min(p.History.Values.Len(), len(p.Ops)+1)
	if t.direct != nil {
		n++ // resolvePlain writes one more
	} else {
		n = min(n, firstValues)
	}
	t.values = make([]history.Value, 0, n)
}

// openIn is open with the values listed in room.
func (t *numbering) openIn(p *model.Partition, room []history.Value) {
	t.table(p)
	t.values = room[:0]
}

// table takes a slice as large as the history's table of values only if the partition is of
// comparable size: a history may have as many partitions as values. A small one among others
// borrows it.
func (t *numbering) table(p *model.Partition) {
	n := p.History.Values.Len()
	few := n <= directFrom+directEach*len(p.Ops)
	switch {
	case few && (p.Index == nil || len(p.Ops) >= sizeable):
		t.direct = make([]int32, n)
	case few, len(p.Ops) >= sizeable:
		t.lent = borrowTable(n)
	}
}

// release returns what was borrowed, once no more values will be asked for.
func (t *numbering) release() {
	if t.lent != nil {
		valueTables.Put(t.lent, len(t.lent.at) <= keptScratch)
		t.lent = nil
	}
}

// valueTable is a table by history.Value that partitions use in turn, without clearing it: entries
// of one partition are invalid for the next.
type valueTable struct {
	turn uint32
	at   []uint64 // turn, number
}

var valueTables spare.Memory[valueTable]

func borrowTable(values int) *valueTable {
	t := valueTables.Get()
	if len(t.at) < values || t.turn == 1<<32-1 {
		*t = valueTable{at: make([]uint64, values)}
	}
	t.turn++
	return t
}

// number returns the number that set recorded for v in this turn, or -1.
func (t *valueTable) number(v history.Value) int32 {
	if e := t.at[v]; uint32(e>>32) == t.turn {
		return int32(uint32(e))
	}
	return -1
}

func (t *valueTable) set(v history.Value, number int32) {
	t.at[v] = uint64(t.turn)<<32 | uint64(uint32(number))
}

// of returns the number of v, a new one if v was not met before.
func (t *numbering) of(v history.Value) int32 {
	switch {
	case t.direct != nil:
		if k := t.direct[v]; k != 0 {
			return k - 1
		}
		t.direct[v] = int32(len(t.values)) + 1
	case t.lent != nil:
		if k := t.lent.number(v); k >= 0 {
			return k
		}
		t.lent.set(v, int32(len(t.values)))
	default:
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

// find returns the number of v, or -1 if it was not met.
func (t *numbering) find(v history.Value) int32 {
	switch {
	case t.direct != nil:
		return t.direct[v] - 1
	case t.lent != nil:
		return t.lent.number(v)
	case t.sparse == nil:
		return int32(slices.Index(t.values, v))
	}
	if k, ok := t.sparse[v]; ok {
		return k
	}
	return -1
}
