// Package verify judges the parts of a certificate of consistency that are about reads and writes:
// views of processes (view.go), and contradictions for one (conflict.go). It imports no engine.
package verify

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/verify/base"
)

// start stands for the start of an object as the source of a read, and several for more than one.
const (
	start   history.OpID = -1
	several history.OpID = -2
	nobody  history.OpID = -3
)

// judge knows which write leaves which value.
type judge struct {
	*consistency.Accesses
	q      *consistency.Question
	writer map[value]history.OpID
	read   map[value]bool
}

// value is one of an object.
type value struct{ object, number int32 }

func newJudge(a *consistency.Accesses, q *consistency.Question) *judge {
	j := &judge{Accesses: a, q: q, writer: map[value]history.OpID{}, read: map[value]bool{}}
	for k, v := range a.Initial {
		j.writer[value{int32(k), v}] = start
	}
	for i := range a.Ops {
		x := &a.Ops[i]
		if at := (value{x.Object, x.Left}); x.Writes {
			if _, met := j.writer[at]; met {
				j.writer[at] = several
			} else {
				j.writer[at] = history.OpID(i)
			}
		}
		if x.Reads {
			j.read[value{x.Object, x.Found}] = true
		}
	}
	return j
}

// source is the only write that a read can be from, or start, several or nobody.
func (j *judge) source(i history.OpID) history.OpID {
	w, known := j.writer[value{j.Ops[i].Object, j.Ops[i].Found}]
	if !known {
		return nobody
	}
	return w
}

// takesEffect reports whether a write did so in every case: it returned, or is the only one that
// somebody can have read.
func (j *judge) takesEffect(i history.OpID) bool {
	x := &j.Ops[i]
	at := value{x.Object, x.Left}
	return x.Writes && (!x.Pending || j.read[at] && j.writer[at] == i)
}

// named checks that an operation is there.
func (j *judge) named(i history.OpID) error {
	if i < 0 || int(i) >= len(j.Ops) {
		return base.Faultf("", "it names operation %d of %d", i, len(j.Ops))
	}
	return nil
}

// Check checks the views or the conflict of c, an answer to a question by views about a.
func Check(a *consistency.Accesses, q *consistency.Question, c *consistency.Certificate) error {
	if !q.ByViews() || a.Updates >= 0 {
		return base.Faultf("", "%s is not asked of these operations by views", q.Name)
	}
	j := newJudge(a, q)
	if c.Conflict != nil {
		return base.Under("conflict", j.conflict(c.Conflict))
	}
	if q.Name == "weakly-causal" {
		if len(c.Views) != 1 {
			return base.Faultf("", "%d orders of all operations", len(c.Views))
		}
		return base.Under("views", j.weakly(c.Views[0].Order))
	}
	return base.Under("views", j.views(c.Views))
}
