package porcupine

import (
	"context"
	"errors"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/spec/meta"
)

// LinearizationInfo is what a check found: orders, reasons, and what pictures show.
type LinearizationInfo struct {
	question    *question // nil in the zero value
	verdict     CheckResult
	parts       []*part
	annotations []Annotation
}

// PartialLinearizations returns, for every partition, orders of operations that are allowed, by
// position in the partition. A linearizable partition has one, which holds all operations (of those
// of unknown outcome some); under a factor (Quasi) that is ρ″. Another has, for each operation, the
// longest that was found with it in which every operation has its place, each order once. These are
// looked for when they are first asked for.
func (li *LinearizationInfo) PartialLinearizations() [][][]int {
	if li.question == nil {
		return nil
	}
	li.question.walked.Do(li.walk)
	return li.question.partial
}

// PartialLinearizationsOperations is PartialLinearizations with the operations themselves.
func (li *LinearizationInfo) PartialLinearizationsOperations() [][][]Operation {
	partial := li.PartialLinearizations()
	all := make([][][]Operation, len(partial))
	for p, orders := range partial {
		all[p] = make([][]Operation, len(orders))
		for k, order := range orders {
			for _, i := range order {
				all[p][k] = append(all[p][k], li.question.parts[p][i])
			}
		}
	}
	return all
}

// walk finds the partial linearizations.
func (li *LinearizationInfo) walk() {
	q, budget := li.question, partialTime
	if q.timeout > 0 {
		budget = min(budget, q.timeout/partialShare)
	}
	ctx, cancel := context.WithTimeout(context.Background(), budget)
	defer cancel()
	q.partial = make([][][]int, len(li.parts))
	for p, found := range li.parts {
		switch {
		case len(q.parts[p]) == 0:
			q.partial[p] = [][]int{{}}
		case found.result.Verdict == linsat.Linearizable && found.result.Quasi != nil:
			q.partial[p] = [][]int{found.result.Rearranged}
		case found.result.Verdict == linsat.Linearizable:
			q.partial[p] = [][]int{found.result.Witness}
		default:
			q.partial[p] = partial(ctx, &q.model, q.parts[p])
		}
	}
}

// failing returns the first partition that is not linearizable, or -1.
func (li *LinearizationInfo) failing() int {
	for p, found := range li.parts {
		if found.result.Verdict == linsat.NotLinearizable {
			return p
		}
	}
	return -1
}

// violation returns the first violation with its reasons, which are looked for now, in the time
// that the check had. It returns nil if there is none.
func (li *LinearizationInfo) violation() *linsat.OpsResult {
	p := li.failing()
	if p < 0 {
		return nil
	}
	q := li.question
	q.once.Do(func() {
		ctx := context.Background()
		if q.timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, q.timeout)
			defer cancel()
		}
		found := q.explained(p, li.parts[p])
		q.failing = found.result
		if found.result.History == nil {
			return
		}
		found.now.Store(&ctx)
		r, err := found.result.Explain(ctx, linsat.Memory(memoryLimit()))
		if fault := (*meta.Fault)(nil); errors.As(err, &fault) && fault.Func == "As" {
			panic(fault)
		}
		if err == nil && r.Verdict == linsat.NotLinearizable {
			q.failing = r
		}
	})
	return &q.failing
}

// Explain says why a history is not linearizable, or why the verdict is not known: the operation
// that takes effect nowhere, the states in which it was tried, and the operations that this rests
// on. It returns "" for a linearizable history. Reasons are looked for when they are first asked
// for, which takes at most the time that the check had.
func (li *LinearizationInfo) Explain() string {
	if v := li.violation(); v != nil {
		return v.Explanation
	}
	for _, found := range li.parts {
		if found.done && found.result.Verdict == linsat.Unknown {
			return found.result.Explanation
		}
	}
	if li.verdict == Unknown {
		return "unknown: time ran out"
	}
	return ""
}

// Core returns the operations that a violation rests on: with any of the others, they are one. It
// is nil if there is no violation, or if they are not known.
func (li *LinearizationInfo) Core() []Operation {
	v := li.violation()
	if v == nil {
		return nil
	}
	var core []Operation
	for _, i := range v.Core {
		core = append(core, li.question.parts[li.failing()][i])
	}
	return core
}

// Certificate returns the proof of a verdict: one certificate of the partition that is not
// linearizable, or one of each partition that has operations. The error says why there is none.
func (li *LinearizationInfo) Certificate() ([]*linsat.Certificate, error) {
	if li.verdict != Ok && li.verdict != Illegal {
		return nil, errors.New("porcupine: there is no verdict to certify")
	}
	if v := li.violation(); v != nil {
		if v.History == nil {
			return nil, errors.New("porcupine: the check's time did not suffice for a certificate")
		}
		c, err := linsat.Certify(v.History, &v.Result)
		return []*linsat.Certificate{c}, err
	}
	var all []*linsat.Certificate
	for p := range li.parts {
		if len(li.question.parts[p]) == 0 {
			continue
		}
		r := &li.question.explained(p, li.parts[p]).result
		if r.History == nil {
			return nil, errors.New("porcupine: the check's time did not suffice for a certificate")
		}
		c, err := linsat.Certify(r.History, &r.Result)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}
