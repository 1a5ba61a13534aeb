package search

// What: the plain search (wgl/dfs.go) on a partition of at most 64 completed operations, without
// pending ones that matter and without explicit order. Most partitions are as small as that, and
// for these the preparations of a run take longer than its search.
//
// Source: Wing and Gong (JPDC'93), Lowe (CCPE'17), as in wgl/dfs.go.
//
// What we changed. The operations that have taken effect are one word, whose bits are numbered by
// return. So the layer is the number of the lowest bits that are set, what is open is called[layer]
// without the word, and bits in ascending order are operations by return. A configuration is the
// word and the state. Configurations that failed are few, and are found by looking at all of them.
//
// Invariant: nodes, their order, steps and the linearization are those of the search in wgl/dfs.go.
// If that is not over soon, it starts again there, and nothing has been counted of what was done
// here.
//
// Cost: no memory but the machine's, the rows of its transitions and the witness.

import (
	"context"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/pending"
	"github.com/linsat/linsat/internal/spare"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/wgl"
)

// wordSearch is such a search. It is used again for the next partition.
type wordSearch struct {
	wordState
	// What follows is written before it is read.
	byReturn [64]history.OpID     // bit → operation
	bit      [64]int8             // operation → its bit, -1 if it is pending
	opened   [65]uint8            // layer → operations called up to it
	called   [65]uint64           // layer → completed operations called up to it
	met      [64]uint64           // by kind below 64: the operations of that kind
	trail    [64]uint8            // bits, in the order in which they took effect
	frames   [65]wordFrame        // nodes on the path
	failed   [wordFailures]config // what is known to fail
	rows     []int32              // for the table of transitions
	answers  []model.State        // for its machine
}

// wordState is what a search starts with as zero.
type wordState struct {
	transition.Table
	ops      []history.Op
	returns  int    // completed operations
	readOnly uint64 // bits of operations that are taken at once
	taken    int    // length of trail
	failures int
	steps    int64
	limit    int64
	nodes    int64
	deepest  int
}

var wordSearches spare.Memory[wordSearch]

// release gives the search to the next partition.
func (s *wordSearch) release() {
	if s.rows = s.GiveRoom(); cap(s.rows) > wgl.MaxReused {
		s.rows = nil
	}
	if s.answers = s.GiveAnswers(); cap(s.answers) > wgl.MaxReused {
		s.answers = nil
	}
	s.wordState = wordState{}
	wordSearches.Put(s, max(cap(s.rows), cap(s.answers)) <= wgl.MaxKept)
}

// config is a configuration.
type config struct {
	done  uint64
	state model.State
}

// wordFrame is a node whose children are being tried.
type wordFrame struct {
	config
	taken int    // length of the trail
	cands uint64 // operations that may come next and were not tried
	code  int32  // what the one that is tried leaves, 0 for none
	bit   uint8  // that operation
	succ  int32  // next of its states
}

// oneWord names the technique (engine.Answer.By).
const oneWord = "one-word"

// searchWord decides the partition if that is quickly done. ok is false if it is not, or if this is
// not for such partitions.
func searchWord(ctx context.Context, b *model.Instance, m *engine.Budget, verdictOnly bool) (answer engine.Answer,
	ok bool) {
	p := b.Partition
	if engine.LeftOut(oneWord) || len(p.Ops) > 64 || len(p.Edges) > 0 || m.ByteLimit() > 0 ||
		m.CacheEntries() > 0 || ctx.Err() != nil {
		return answer, false
	}
	switch b.Theory.(type) {
	case *model.RevisionTheory, *model.BankTheory: // other techniques know more
		return answer, false
	}
	for i := range p.Ops {
		if p.Ops[i].Pending() && !b.ReadOnly[i] {
			return answer, false
		}
	}
	if layout.Components(b, len(p.Ops)) != nil {
		return answer, false
	}
	table := transition.New(b.NewMachine(), b.EquivID)
	if table.Kinds > 64 {
		return answer, false
	}
	s := wordSearches.Get()
	defer s.release()
	s.wordState = wordState{Table: table, ops: p.Ops, limit: min(wordSteps, m.Left())}
	s.TakeRoom(s.rows)
	s.TakeAnswers(s.answers)
	s.prepare(b)
	result := s.search()
	if result == wgl.Undecided || !m.Spend(s.steps) {
		return answer, false
	}
	answer.By, answer.Effort = oneWord, engine.Effort{Steps: s.steps, States: int64(s.Top) + 1, Nodes: s.nodes}
	if result == wgl.Found {
		answer.Verdict, answer.Witness = engine.Linearizable, s.linearization()
		return answer, true
	}
	answer.Verdict = engine.NotLinearizable
	if !verdictOnly {
		answer.Failure = wgl.Failure(ctx, b, m, slices.Clone(s.byReturn[:s.returns]), s.deepest, s.steps,
			pending.NewRun)
	}
	return answer, true
}

// prepare fills in what does not change during the search.
func (s *wordSearch) prepare(b *model.Instance) {
	n := len(s.ops)
	clear(s.met[:s.Kinds])
	// by return: most operations return in about the order in which they were called
	for i := range s.ops {
		s.bit[i] = -1
		if s.ops[i].Pending() {
			continue
		}
		k := s.returns
		for ; k > 0 && s.ops[s.byReturn[k-1]].Return > s.ops[i].Return; k-- {
			s.byReturn[k] = s.byReturn[k-1]
		}
		s.byReturn[k] = history.OpID(i)
		s.returns++
	}
	for k, v := range s.byReturn[:s.returns] {
		s.bit[v] = int8(k)
		if b.ReadOnly[v] {
			s.readOnly |= 1 << k
		}
		s.met[s.Kind[v]] |= 1 << k
	}
	i, called := 0, uint64(0)
	for layer := 0; layer <= s.returns; layer++ {
		for ; i < n && (layer == s.returns || s.ops[i].Call <= s.ops[s.byReturn[layer]].Return); i++ {
			if s.bit[i] >= 0 {
				called |= 1 << s.bit[i]
			}
		}
		s.opened[layer], s.called[layer] = uint8(i), called
	}
}

// layerOf returns how many returns are passed when these operations have taken effect.
func layerOf(done uint64) int { return bits.TrailingZeros64(^done) }

// search is run.search within its limits: undecided if they are reached.
func (s *wordSearch) search() wgl.Outcome {
	at := config{state: s.Machine.Init()}
	for depth, layer := 0, 0; ; {
		var ok bool
		if at, ok = s.settle(at, layer); !ok {
			return wgl.Undecided
		}
		if layerOf(at.done) == s.returns {
			return wgl.Found
		}
		if !s.fails(at) {
			s.nodes++
			s.frames[depth] = wordFrame{config: at, taken: s.taken, cands: s.candidates(at.done)}
			depth++
		}
		for { // to the next child
			if depth == 0 {
				return wgl.Failed
			}
			f := &s.frames[depth-1]
			s.taken = f.taken
			if at, ok = s.child(f); ok {
				layer = layerOf(f.done)
				break
			}
			if s.steps > s.limit || s.failures == wordFailures {
				return wgl.Undecided
			}
			s.failed[s.failures] = f.config
			s.failures++
			depth--
		}
	}
}

// fails reports whether a configuration is known to fail.
func (s *wordSearch) fails(at config) bool {
	for _, f := range s.failed[:s.failures] {
		if f == at {
			return true
		}
	}
	return false
}

// candidates returns the operations that may come next: of those of one kind, the one that returns
// first.
func (s *wordSearch) candidates(done uint64) (first uint64) {
	open := s.called[layerOf(done)] &^ done
	for rest := open &^ s.readOnly; rest != 0; {
		first |= rest & -rest
		rest &^= s.met[s.Kind[s.byReturn[bits.TrailingZeros64(rest)]]]
	}
	return first
}

// child returns the next child of a node, before it is settled; ok is false if there is none left
// or the limit is reached.
func (s *wordSearch) child(f *wordFrame) (at config, ok bool) {
	for {
		if f.code == 0 {
			if f.cands == 0 {
				return at, false
			}
			f.bit, f.succ = uint8(bits.TrailingZeros64(f.cands)), 0
			f.cands &= f.cands - 1
			if f.code = s.apply(f.state, f.bit); f.code == 0 {
				return at, false
			}
		}
		if next, ok := s.Next(f.code, f.succ); ok {
			f.succ++
			s.take(f.bit)
			return config{f.done | 1<<f.bit, next}, true
		}
		f.code = 0
	}
}

// apply is run.apply.
func (s *wordSearch) apply(state model.State, bit uint8) int32 {
	if s.steps++; s.steps > s.limit {
		return 0
	}
	return s.Lookup(state, s.byReturn[bit])
}

func (s *wordSearch) take(bit uint8) {
	s.trail[s.taken] = bit
	s.taken++
}

// settle takes what is read-only and legal in a layer, and passes the returns of what has taken
// effect (wgl/just_in_time.go). ok is false if the limit is reached, or the specification is
// broken.
func (s *wordSearch) settle(at config, layer int) (settled config, ok bool) {
	if at.done, ok = s.takeReadOnly(at, s.called[layer]&s.readOnly&^at.done); !ok {
		return at, false
	}
	for ; layer < s.returns && at.done>>layer&1 == 1; layer++ {
		for i := s.opened[layer]; i < s.opened[layer+1]; i++ {
			if bit := s.bit[i]; bit >= 0 {
				if at.done, ok = s.takeReadOnly(at, 1<<bit&s.readOnly); !ok {
					return at, false
				}
			}
		}
	}
	s.deepest = max(s.deepest, layer)
	return at, true
}

// takeReadOnly takes those that are legal of some read-only operations.
func (s *wordSearch) takeReadOnly(at config, these uint64) (done uint64, ok bool) {
	done = at.done
	for ; these != 0; these &= these - 1 {
		bit := uint8(bits.TrailingZeros64(these))
		switch s.apply(at.state, bit) {
		case transition.None:
		case transition.Single(at.state):
			s.take(bit)
			done |= 1 << bit
		default: // the limit is reached, or it changes the state, which wgl/dfs.go reports
			return done, false
		}
	}
	return done, true
}

// linearization returns the operations that took effect, in order.
func (s *wordSearch) linearization() []history.OpID {
	out := make([]history.OpID, s.taken)
	for k, bit := range s.trail[:s.taken] {
		out[k] = s.byReturn[bit]
	}
	return out
}
