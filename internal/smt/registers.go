package smt

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// registers adds what reads find: f is the number of the operation that left it, or of none for the
// start.
func (q *question) registers(t *model.RegisterTheory) {
	n := len(q.part.Ops)
	cells := make([][]int, len(t.Init))
	mode := make([]string, n) // the number of its outcome
	writes := make([][]string, n)
	for i := range n {
		cells[t.Object[i]] = append(cells[t.Object[i]], i)
		modes := t.Of(history.OpID(i))
		if len(modes) == 0 {
			q.assert(not(q.in[i]))
			continue
		}
		mode[i] = q.integer(fmt.Sprintf("m%d", i))
		q.assert(and(atLeast(mode[i], 0), atMost(mode[i], len(modes)-1)))
		for k, m := range modes {
			if m.Leaves != model.Keep {
				writes[i] = append(writes[i], is(mode[i], k))
			}
		}
		if len(writes[i]) == len(modes) {
			writes[i] = []string{yes}
		}
	}
	leaves := func(i int) string { return and(q.in[i], or(writes[i]...)) }
	for _, cell := range cells {
		for _, i := range cell {
			if q.reads(t, cell, i, mode, leaves); !q.room() {
				return
			}
		}
	}
}

// reads adds what operation i finds.
func (q *question) reads(t *model.RegisterTheory, cell []int, i int, mode []string, leaves func(int) string) {
	tests := false
	for _, m := range t.Of(history.OpID(i)) {
		tests = tests || m.Test != model.Any
	}
	if !tests {
		return
	}
	found := q.integer(fmt.Sprintf("f%d", i))
	start := len(q.part.Ops)
	some := []string{is(found, start)}
	for k, m := range t.Of(history.OpID(i)) {
		if !m.Allows(t.Init[t.Object[i]]) {
			q.imply([]string{q.in[i], is(found, start), is(mode[i], k)})
		}
	}
	for _, x := range cell {
		if x != i {
			q.imply([]string{q.in[i], is(found, start), leaves(x)}, q.open(i, x))
		}
	}
	for _, j := range cell {
		if j == i || leaves(j) == no || q.open(j, i) == no {
			continue
		}
		from := is(found, j)
		some = append(some, from)
		q.imply([]string{q.in[i], from}, leaves(j))
		q.imply([]string{q.in[i], from}, q.open(j, i))
		for k, m := range t.Of(history.OpID(i)) {
			for b, left := range t.Of(history.OpID(j)) {
				if left.Leaves != model.Keep && !m.Allows(left.Leaves) {
					q.imply([]string{q.in[i], from, is(mode[i], k), is(mode[j], b)})
				}
			}
		}
		for _, x := range cell {
			if x != i && x != j {
				q.imply([]string{q.in[i], from, leaves(x)}, q.open(x, j), q.open(i, x))
			}
		}
		if !q.room() {
			return
		}
	}
	q.imply([]string{q.in[i]}, some...)
}
