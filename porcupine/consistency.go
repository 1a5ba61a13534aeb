package porcupine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/consistency"
	"github.com/linsat/linsat/quasi"
)

// CheckConsistency decides another question than linearizability about a history, in that time; 0
// is no bound: "sequential", "causal" and "pram" of every model, "regular" and others of one that
// As says to be a register or a map (docs/consistency.md), and "reads=2", whether every read of it
// returns one of the last three values (docs/quasi.md), or another number. The order of a process
// is that of its ClientId, whose operations must not overlap; after one of unknown outcome it goes
// on as another process. It panics where the question is not one of the model's.
//
// Partitions are not independent for these questions, so a model with Partition needs As.
func CheckConsistency(model Model, history []Operation, question string, timeout time.Duration) CheckResult {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	m := model.complete()
	parts := m.Partition(history)
	if len(parts) > 1 && m.As == nil {
		panic("porcupine: the parts of a Partition do not answer " + question + " of the whole: say what the model is (As)")
	}
	if len(history) == 0 {
		return Ok
	}
	now := currently(ctx)
	if len(parts) > 1 {
		for _, part := range parts { // a sample of As is tested
			t := translate(&m, part, false)
			if _, _, err := m.linsat(now, t).Prepare(t.ops); err != nil {
				panic(err)
			}
		}
	}
	t := translate(&m, history, false)
	for i, c := range processes(history) {
		t.ops[i].Client = c
	}
	whole := m.linsat(now, t)
	if len(parts) > 1 {
		whole.Step, whole.Accept, whole.Open = nil, nil, nil // which are of one part
	}
	s, h, err := whole.Prepare(t.ops)
	if err != nil {
		panic(err)
	}
	if bound, ok := strings.CutPrefix(question, "reads="); ok {
		q, err := quasi.Parse(s.Info(), bound)
		if err != nil {
			panic(err)
		}
		r, err := linsat.Check(ctx, s, h, linsat.Quasi(q))
		return answered(r.Verdict == linsat.Linearizable, r.Verdict != linsat.Unknown, err)
	}
	a, err := consistency.Check(ctx, s, h, question)
	if err != nil {
		panic(err)
	}
	return answered(a.Holds, a.Decided, nil)
}

// processes numbers the processes of operations.
func processes(ops []Operation) []int {
	byCall := make([]int, len(ops))
	for i := range byCall {
		byCall[i] = i
	}
	slices.SortStableFunc(byCall, func(a, b int) int { return cmp.Compare(ops[a].Call, ops[b].Call) })
	of, number, last := make([]int, len(ops)), map[int]int{}, map[int]int{}
	next := 0
	for _, i := range byCall {
		c := ops[i].ClientId
		before, met := last[c]
		switch {
		case !met || ops[before].unknown() != nil:
			number[c] = next
			next++
		case ops[before].Return >= ops[i].Call:
			panic(fmt.Sprintf("porcupine: operations %d and %d of client %d overlap, so they are in no order of a process",
				before, i, c))
		}
		of[i], last[c] = number[c], i
	}
	return of
}

// answered is an answer as a result.
func answered(holds, decided bool, err error) CheckResult {
	switch {
	case err != nil:
		panic(err)
	case !decided:
		return Unknown
	case holds:
		return Ok
	}
	return Illegal
}
