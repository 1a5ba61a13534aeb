package modelspec

import (
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/guest"
	"github.com/linsat/linsat/internal/model"
)

// What a model answered during one check.

// memos holds the answers about each object, for the engines and, apart, for the verifier, which
// believes no engine. Operations on different objects are never alike, since their inputs differ.
type memos[S any] struct {
	mu    sync.Mutex
	rooms [2]*guest.Room
	by    map[history.Value]*[2]*guest.Memo[S]
}

// Who asks a model.
const (
	byEngines = iota
	byVerifier
)

// Fresh implements model.Remembering.
func (x *Spec[S, I, O]) Fresh(memory int64) model.Spec {
	fresh := *x
	fresh.memos = &memos[S]{rooms: [2]*guest.Room{guest.NewRoom(memory), guest.NewRoom(memory)}}
	return &fresh
}

// of returns the answers about the object of a partition.
func (m *memos[S]) of(object history.Value) *[2]*guest.Memo[S] {
	m.mu.Lock()
	defer m.mu.Unlock()
	pair, ok := m.by[object]
	if !ok {
		if m.by == nil {
			m.by = map[history.Value]*[2]*guest.Memo[S]{}
		}
		pair = &[2]*guest.Memo[S]{guest.NewMemo[S](m.rooms[byEngines]), guest.NewMemo[S](m.rooms[byVerifier])}
		m.by[object] = pair
	}
	return pair
}

// ComparesStates reports whether states are one if the model's Equal says so.
func (x *Spec[S, I, O]) ComparesStates() bool { return x.model.Equal != nil && !x.contents }

// ByContents returns the model with states apart whose contents differ, whatever its Equal says.
func (x *Spec[S, I, O]) ByContents(memory int64) model.Spec {
	fine := *x
	fine.contents = true
	return fine.Fresh(memory)
}

// Unequal is the fault of an Equal without which there is a linearization.
func (x *Spec[S, I, O]) Unequal() *model.Fault {
	f := x.fault("Equal", -1)
	f.Untrue = "compared by their contents, states allow a linearization, and as it compares them, none"
	return &f
}

// machines gives b the machines of g, with the memories of the check if there are any. The verifier
// keeps states apart that only the caller's Equal says are one.
func (x *Spec[S, I, O]) machines(b *model.Instance, g *guest.Code[S], engine, verifier []int32) {
	judging := *g
	if x.model.Equal != nil {
		judging.NewTable = func() guest.Table[S] { return guest.FineTable(x.equal, x.table()) }
		if x.contents {
			g.NewTable = judging.NewTable
		}
	}
	b.NewMachine = func() model.Machine { return g.NewMachine() }
	b.NewJudge = func() model.Machine { return judging.NewMachine() }
	if x.memos == nil || b.Partition.Len() == 0 {
		return
	}
	object := b.Partition.Ops[0].Key
	g.Kind, judging.Kind = engine, verifier
	g.Memo = func() *guest.Memo[S] { return x.memos.of(object)[byEngines] }
	judging.Memo = func() *guest.Memo[S] { return x.memos.of(object)[byVerifier] }
}
