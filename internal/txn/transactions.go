package txn

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// read is a read from outside: of a register that the transaction has not written before.
type read struct {
	op       history.OpID
	register model.RegisterID
	value    int32
}

// write is the last write of a transaction to a register.
type write struct {
	op    history.OpID
	value int32
}

// key is a register with a value.
type key struct {
	register model.RegisterID
	value    int32
}

// transactions is what the operations of a partition read from each other. Reads of unknown results
// say nothing. Pending operations are left out where nobody can have read what they write.
type transactions struct {
	part   *model.Partition
	ops    []history.Op // sorted by call
	init   []int32      // by register
	reads  []read       // sorted by op
	writes [][]write    // by register, sorted by op
	// broken are completed transactions that contradict themselves: one found another value than it
	// had written, or two values without writing in between.
	broken []history.OpID
	gone   []bool // by operation: left out
}

// within is what one transaction did to one register so far.
type within struct {
	op          history.OpID
	seen, wrote bool
	first, last int32 // the value seen before it wrote, and the one that is there now
}

// digest reads the accesses of all operations.
func digest(b *model.Instance) *transactions {
	t := b.Transactions
	x := &transactions{part: b.Partition, ops: b.Partition.Ops, init: t.Init, writes: make([][]write, len(t.Init)),
		gone: make([]bool, b.Partition.Len())}
	now := make([]within, len(t.Init))
	for r := range now {
		now[r].op = -1
	}
	for k := range x.ops {
		i := history.OpID(k)
		contradicted := false
		for _, a := range t.Of(i) {
			w := &now[a.Register]
			if w.op != i {
				*w = within{op: i}
			}
			switch {
			case a.Does == model.Writes:
				w.wrote, w.last = true, a.Value
			case a.Does == model.Reads:
			case !w.seen && !w.wrote:
				w.seen, w.first, w.last = true, a.Value, a.Value
			case w.last != a.Value:
				contradicted = true
			}
		}
		switch {
		case contradicted && x.ops[i].Pending():
			x.gone[i] = true
			continue
		case contradicted:
			x.broken = append(x.broken, i)
			continue
		}
		for _, a := range t.Of(i) {
			w := &now[a.Register]
			if w.op != i {
				continue // what it did there is recorded
			}
			if w.seen {
				x.reads = append(x.reads, read{i, a.Register, w.first})
			}
			if w.wrote {
				x.writes[a.Register] = append(x.writes[a.Register], write{i, w.last})
			}
			w.op = -1
		}
	}
	x.leaveOut()
	return x
}

// leaveOut leaves out pending transactions that write nothing that another one has read: if they
// took effect in a linearization, it is one without them as well.
func (x *transactions) leaveOut() {
	readers := map[key]history.OpID{} // the only reader, or several
	const several history.OpID = -1
	for _, r := range x.reads {
		k := key{r.register, r.value}
		if other, known := readers[k]; known && other != r.op {
			readers[k] = several
		} else {
			readers[k] = r.op
		}
	}
	wanted := make([]bool, len(x.ops))
	for register := range x.writes {
		for _, w := range x.writes[register] {
			if reader, some := readers[key{model.RegisterID(register), w.value}]; some && reader != w.op {
				wanted[w.op] = true
			}
		}
	}
	for i := range x.ops {
		x.gone[i] = x.gone[i] || x.ops[i].Pending() && !wanted[i]
	}
	for register, all := range x.writes {
		kept := all[:0]
		for _, w := range all {
			if !x.gone[w.op] {
				kept = append(kept, w)
			}
		}
		x.writes[register] = kept
	}
	kept := x.reads[:0]
	for _, r := range x.reads {
		if !x.gone[r.op] {
			kept = append(kept, r)
		}
	}
	x.reads = kept
}
