package search

// What: the depth-first search that both meanings of a factor share, with an explicit stack.
//
// Source: Wing and Gong (JPDC'93).
//
// What we changed: a move linearizes an operation in ρ′, applies a content in ρ″, or does both.
// Which moves there are and what they change depends on the meaning (slots.go, classes.go). Where
// the search gets no further, other moves are tried further back (turns.go).
//
// Accepted: all completed operations are linearized, no content is owed or early, and no item needs
// a drain. Where removals of unknown results may have found nothing, more drains can come.
//
// Invariants: applying r.trail to the initial configuration yields the current one; the moves of
// the frames are stacked in r.moves.
//
// Cost: one step for each move, and one visit for each configuration that the memo does not
// dominate.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/quasi"
)

// meaning is what distinguishes the two meanings of a factor.
type meaning interface {
	// dead reports whether the current configuration leads to no answer, or was visited before.
	dead() bool
	// children appends the moves of the configuration. It returns false if the search has to stop.
	children() bool
	// make makes a move after which the object is in state t.
	make(m move, t model.State)
	// undo reverts the last move.
	undo()
}

// run is one search on one partition.
type run struct {
	engine.Account
	transition.Table
	*configuration
	meaning meaning
	memo    memo
	frames  []frame
	moves   []move
	nodes   int64
	turns   turns

	ready     []history.OpID
	stamp     int32
	stamps    []int32 // by kind
	epoch     int32
	epochs    []int32 // by kind
	scratch   []int32
	keyBuffer []int32
	deadlines []int32
}

// frame is a configuration whose moves are being tried.
type frame struct {
	mark  int   // length of the trail
	first int   // its moves in run.moves, to the end
	next  int   // the move being tried
	succ  int32 // the next of the states it may lead to
}

// outcome says how a search ended, or that it goes on.
type outcome uint8

const (
	gaveUp outcome = iota // see the cause of the budget
	found                 // the trail is an answer
	failed                // there is no answer
	opened                // a frame was pushed
)

// newRun prepares a search under the meaning of the question.
func newRun(l *problem, b engine.Account) *run {
	r := &run{Account: b, Table: transition.New(l.bound.NewMachine(), l.kind), configuration: newConfiguration(l),
		stamps: make([]int32, len(l.sample)), epochs: make([]int32, len(l.sample))}
	r.state = r.Machine.Init()
	if l.question.Meaning == quasi.Classes {
		r.meaning = &classesMeaning{run: r, filled: make([]int32, len(l.groups))}
	} else {
		r.meaning, r.turns.patience, r.turns.left = &slotsMeaning{r}, patience, turnsEach*int64(l.n)
	}
	r.Footprint = func() int64 {
		return r.Machine.Bytes() + r.Table.Bytes() + r.memo.bytes() + int64(cap(r.moves))*24 + int64(cap(r.frames))*32 +
			int64(cap(r.trail))*64 + int64(cap(r.turns.path))*32
	}
	return r
}

// search runs to the end.
func (r *run) search() outcome {
	o := r.enter()
	for o == opened || o == failed && len(r.frames) > 0 {
		if o == failed && len(r.trail) > r.frames[len(r.frames)-1].mark {
			r.meaning.undo()
		}
		if r.stuck() {
			if x := r.turn(); x != failed {
				return x
			}
		}
		o = r.proceed()
	}
	return o
}

// enter visits the current configuration.
func (r *run) enter() outcome {
	r.nodes++
	r.further()
	if r.byReturn.next[r.n] == r.n && r.debts == 0 && !r.leftover() {
		return found
	}
	if r.meaning.dead() {
		return failed
	}
	r.frames = append(r.frames, frame{mark: len(r.trail), first: len(r.moves), next: len(r.moves)})
	if !r.meaning.children() {
		return gaveUp
	}
	if r.turns.oneIn > 0 {
		r.mayTurn()
	}
	return opened
}

// proceed makes the next move of the frame on top, or ends the frame if none is left.
func (r *run) proceed() outcome {
	f := &r.frames[len(r.frames)-1]
	for ; f.next < len(r.moves); f.next, f.succ = f.next+1, 0 {
		m := r.moves[f.next]
		if f.succ == 0 && !r.Step() {
			return gaveUp
		}
		if m.fill == absent {
			if f.succ > 0 {
				continue
			}
			f.succ++
			r.meaning.make(m, r.state)
			return r.enter()
		}
		code := r.Lookup(r.state, r.sample[m.fill])
		for {
			t, ok := r.Table.Next(code, f.succ)
			if !ok {
				break
			}
			f.succ++
			if op := r.sample[m.fill]; op >= r.n && t == r.state && r.drains[r.object[op]] == op {
				continue // a drain must remove something
			}
			r.meaning.make(m, t)
			return r.enter()
		}
	}
	r.moves = r.moves[:f.first]
	r.frames = r.frames[:len(r.frames)-1]
	return failed
}

// orders returns ρ′, ρ″ and the number of drains. The i-th content of a kind in ρ″ is that of the
// i-th operation of that kind in ρ′.
func (r *run) orders() (before, after []history.OpID, drains int) {
	of := make(map[int32][]history.OpID, len(r.sample))
	for _, s := range r.trail {
		if s.op == absent {
			continue
		}
		v := s.op
		if v >= r.n {
			v = r.n + history.OpID(drains)
			drains++
		}
		before = append(before, v)
		of[s.content] = append(of[s.content], v)
	}
	for _, s := range r.trail {
		if s.fill == absent {
			continue
		}
		after = append(after, of[s.fill][0])
		of[s.fill] = of[s.fill][1:]
	}
	return before, after, drains
}
