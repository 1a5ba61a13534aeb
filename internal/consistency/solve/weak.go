package solve

// What: weak causal consistency of reads and writes: no write of an object is a cause of a read and
// has the write that this is from, or the start, among its own causes [Bouajjani, Enea, Guerraoui,
// Hamza, POPL 2017, Table 2: CyclicCO, WriteCOInitRead, WriteCORead].
//
// How: operations in an order in which causes come first; what each knows of a process is how many
// of its operations are causes. Of each process the last write that a read knows is looked at: what
// it has among its causes, later ones of the process have, too.
//
// Cost: for each operation as much as there are processes, in time and memory.

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
)

// weak is the causes of reads and of writes that take effect.
type weak struct {
	*sources
	of    [][]history.OpID // by process: its operations
	knows [][]history.OpID // by write: of each process, the number after its last cause
}

// decideWeakly decides it.
func (s *sources) decideWeakly(ctx context.Context) Answer {
	processes := len(s.History.Processes)
	if len(s.Ops)*processes > math.MaxInt32/64 {
		return Answer{Unclear: fmt.Sprintf("%d processes are too many for so many operations", processes)}
	}
	w := &weak{s, make([][]history.OpID, processes), make([][]history.OpID, len(s.Ops))}
	for i := range history.OpID(len(s.Ops)) {
		if x := &s.Ops[i]; x.Reads || x.Writes && s.effect[i] {
			w.of[x.Process] = append(w.of[x.Process], i)
		}
	}
	order, cycle := w.order()
	if cycle != nil {
		return no(&consistency.Conflict{Process: s.Ops[cycle[0]].Process, Path: cycle})
	}
	type writes struct {
		process int32
		ops     []history.OpID
	}
	writers := make([][]writes, len(s.Initial)) // by object
	for p, ops := range w.of {
		for _, i := range ops {
			x := &s.Ops[i]
			if !x.Writes {
				continue
			}
			of := &writers[x.Object]
			if n := len(*of); n == 0 || (*of)[n-1].process != int32(p) {
				*of = append(*of, writes{process: int32(p)})
			}
			last := &(*of)[len(*of)-1]
			last.ops = append(last.ops, i)
		}
	}
	now := make([][]history.OpID, processes)
	for p := range now {
		now[p] = make([]history.OpID, processes)
	}
	for k, i := range order {
		if k&1023 == 0 && ctx.Err() != nil {
			return Answer{Unclear: ctx.Err().Error()}
		}
		x := &s.Ops[i]
		known := now[x.Process]
		if x.Writes {
			w.knows[i] = slices.Clone(known)
		}
		if known[x.Process] = i + 1; !x.Reads {
			continue
		}
		from := s.of[i]
		if from != start {
			for p, n := range w.knows[from] {
				known[p] = max(known[p], n)
			}
			known[s.Ops[from].Process] = max(known[s.Ops[from].Process], from+1)
		}
		for _, of := range writers[x.Object] {
			n := sort.Search(len(of.ops), func(k int) bool { return of.ops[k] >= known[of.process] })
			if n == 0 {
				continue
			}
			switch over := of.ops[n-1]; {
			case from == start:
				return no(&consistency.Conflict{Process: x.Process, Path: w.way(over, i)})
			case over != from && w.has(over, from):
				return no(&consistency.Conflict{Process: x.Process, Path: append(w.way(from, over), from),
					Overwrites: []consistency.Overwrite{{Path: w.way(over, i)}}})
			}
		}
	}
	return Answer{Holds: true, Certificate: &consistency.Certificate{Views: []consistency.View{{Order: order}}}}
}

// has reports whether an operation is a cause of a write.
func (w *weak) has(write, cause history.OpID) bool {
	return w.knows[write][w.Ops[cause].Process] > cause
}

// order returns an order in which causes come first, or a cycle of causes.
func (w *weak) order() (order, cycle []history.OpID) {
	placed, next := make([]bool, len(w.Ops)), make([]int, len(w.of))
	waits := map[history.OpID][]int{} // write → processes of which the next operation reads it
	ready := make([]int, len(w.of))
	for p := range ready {
		ready[p] = p
	}
	for len(ready) > 0 {
		p := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		for ; next[p] < len(w.of[p]); next[p]++ {
			i := w.of[p][next[p]]
			if from := w.sources.of[i]; w.Ops[i].Reads && from != start && !placed[from] {
				waits[from] = append(waits[from], p)
				break
			}
			placed[i] = true
			order = append(order, i)
			ready = append(ready, waits[i]...)
			delete(waits, i)
		}
	}
	p := 0
	for ; p < len(w.of) && next[p] == len(w.of[p]); p++ {
	}
	if p == len(w.of) {
		return order, nil
	}
	for met := map[int]int{}; ; {
		if at, again := met[p]; again {
			cycle = append(cycle[at:], cycle[at])
			slices.Reverse(cycle)
			return nil, cycle
		}
		met[p] = len(cycle)
		read := w.of[p][next[p]]
		from := w.sources.of[read]
		cycle = append(cycle, read, from)
		p = int(w.Ops[from].Process)
	}
}

// way returns a path from an operation to another of which it is a cause.
func (w *weak) way(from, to history.OpID) []history.OpID {
	way := path(to)
	for w.Ops[to].Process != w.Ops[from].Process {
		read := to // the last one of the process, up to here, that is from what knows it
		ops := w.of[w.Ops[to].Process]
		k, _ := slices.BinarySearch(ops, to)
		for source := w.sources.of; ; k-- {
			read = ops[k]
			if s := source[read]; w.Ops[read].Reads && s != start && (s == from || w.has(s, from)) {
				break
			}
		}
		if read != to {
			way = append(way, read)
		}
		to = w.sources.of[read]
		way = append(way, to)
	}
	if to != from {
		way = append(way, from)
	}
	slices.Reverse(way)
	return way
}
