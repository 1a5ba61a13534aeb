// Package check asks the engine about levels of isolation, has every answer judged by the verifier,
// and says what is known of all levels from a few answers.
package check

import (
	"context"
	"slices"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/isolation/solve"
	"github.com/linsat/linsat/internal/isolation/verify"
	"github.com/linsat/linsat/solver"
)

// Verdict is the answer to whether a history is at a level.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	Holds
	Fails
)

// String returns "holds", "fails" or "unknown".
func (v Verdict) String() string { return [...]string{"unknown", "holds", "fails"}[v] }

// Answer is what is known of one level.
type Answer struct {
	Level   isolation.Level
	Verdict Verdict
	// From is the level that was asked: a stronger one that holds, or a weaker one that fails, if
	// it is not Level itself.
	From        isolation.Level
	Certificate *isolation.Certificate // of From; nil without one
	// Refused is why the verifier does not accept the certificate; nil if it does, or without one.
	Refused error
	// Unclear says why the level is not decided.
	Unclear string
	Took    time.Duration // by engine and verifier
	Choices int           // what was left to a solver
}

// Certified reports whether the verifier accepts the certificate.
func (a *Answer) Certified() bool { return a.Certificate != nil && a.Refused == nil }

// Linear looks for a linearization of the transactions: those that take effect, in an order. It
// returns nil if it finds none.
type Linear func(ctx context.Context) []history.OpID

// Level asks whether h is at level l, within so many bytes for tables (solve.Decide). Where values
// of registers repeat, linear, unless it is nil, is asked too, each for a part of the time: a
// linearization shows every level, and chooses by time whom a read is from.
func Level(ctx context.Context, h *isolation.History, l isolation.Level, factory func() solver.Solver, memory int64,
	linear Linear) Answer {
	start := time.Now()
	var found solve.Answer
	if linear != nil && h.Repeats() {
		if l != (isolation.Level{Model: isolation.Serializable, Given: isolation.RealTime}) {
			part, done := solve.PartOf(ctx)
			found = solve.Decide(part, h, l, factory, memory)
			done()
		}
		if !found.Holds && !found.Fails {
			part, done := solve.PartOf(ctx)
			if c := inOneOrder(h, l, linear(part)); c != nil && verify.Check(ctx, h, c) == nil {
				found = solve.Answer{Holds: true, Certificate: c}
			}
			done()
		}
	}
	if !found.Holds && !found.Fails {
		found = solve.Decide(ctx, h, l, factory, memory)
	}
	a := Answer{Level: l, From: l, Certificate: found.Certificate, Unclear: found.Unclear, Choices: found.Choices}
	switch {
	case found.Holds:
		a.Verdict = Holds
	case found.Fails:
		a.Verdict = Fails
	}
	if a.Certificate != nil {
		a.Refused = verify.Check(ctx, h, a.Certificate)
	}
	a.Took = time.Since(start)
	return a
}

// inOneOrder is the certificate of a level that a linearization is; nil without one.
func inOneOrder(h *isolation.History, l isolation.Level, order []history.OpID) *isolation.Certificate {
	if order == nil {
		return nil
	}
	of := map[history.OpID]int32{}
	for t := range h.Txns {
		if h.Txns[t].Status != isolation.Aborted {
			of[h.Txns[t].Op] = int32(t)
		}
	}
	w := &isolation.Witness{}
	holds := make([]int32, len(h.Objects)) // by object: who wrote it last
	for x := range holds {
		holds[x] = isolation.Initial
	}
	for _, op := range order {
		t := of[op]
		if l.Model == isolation.Prefix || l.Model == isolation.Snapshot {
			w.Events = append(w.Events, ^t)
		}
		w.Events = append(w.Events, t)
		for k, a := range h.Txns[t].Accesses {
			switch {
			case a.Kind != isolation.Read:
				holds[a.Object] = t
			case holds[a.Object] != t && h.Txns[t].Status == isolation.Committed:
				p := isolation.Place{Txn: t, Access: int32(k)}
				w.Sources = append(w.Sources, isolation.Source{Place: p, From: holds[a.Object]})
			}
		}
	}
	return &isolation.Certificate{Level: l.String(), Witness: w}
}

// All asks about all levels, the strongest first, and leaves out what other answers imply. The
// answers are in the order of isolation.Levels.
func All(ctx context.Context, h *isolation.History, factory func() solver.Solver, memory int64,
	linear Linear) []Answer {
	levels := isolation.Levels()
	answers := make([]Answer, len(levels))
	known := make([]bool, len(levels))
	for k := range slices.Backward(levels) {
		if known[k] {
			continue
		}
		a := Level(ctx, h, levels[k], factory, memory, linear)
		if k == len(levels)-1 && a.Verdict != Holds {
			linear = nil // there is none, or it is not found
		}
		answers[k], known[k] = a, true
		for j, l := range levels {
			if !known[j] && (a.Verdict == Holds && a.Level.Implies(l) || a.Verdict == Fails && l.Implies(a.Level)) {
				answers[j], known[j] = a, true
				answers[j].Level, answers[j].Took = l, 0
			}
		}
	}
	return answers
}

// Extremes returns the strongest levels that hold, and the weakest that fail.
func Extremes(answers []Answer) (hold, fail []isolation.Level) {
	for k := range answers {
		a := &answers[k]
		stronger := func(b Answer) bool {
			return b.Level != a.Level && b.Verdict == a.Verdict && b.Level.Implies(a.Level)
		}
		weaker := func(b Answer) bool {
			return b.Level != a.Level && b.Verdict == a.Verdict && a.Level.Implies(b.Level)
		}
		switch {
		case a.Verdict == Holds && !slices.ContainsFunc(answers, stronger):
			hold = append(hold, a.Level)
		case a.Verdict == Fails && !slices.ContainsFunc(answers, weaker):
			fail = append(fail, a.Level)
		}
	}
	return hold, fail
}
