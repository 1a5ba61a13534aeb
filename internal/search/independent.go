package search

// What: a search for specifications that say what each operation touches (model.Instance.Touches):
// operations that touch nothing in common commute. Operations on several keys keep such a history
// in one partition, in which most of what is open at a time has nothing to do with the rest.
//
// Source: persistent sets (Godefroid, LNCS 1032) for the candidates, conflict-directed backjumping
// (Prosser, Computational Intelligence 1993) for the way back, and the saved phases of SAT solvers
// (Pipatsrisawat and Darwiche, SAT 2007) for the way on. Ours is how they come together.
//
// What we changed. Candidates: before the next return, only operations come that are connected to
// it: by a key that both touch, or through others that are open. In a linearization, all others
// that come before this return can wait until after it: they commute with what is connected, and
// they return later, so that nothing has to follow them. Pending operations are open from their
// calls on, and are tried where they change the state.
//
// The way back: a configuration fails for a blame, some keys and some read-only operations. It says
// that every configuration of the same layer fails in which these keys hold the same, the same of
// the operations that touch them are left, and of the read-only ones at least those of the blame.
// It is closed: none of these operations that is open and left touches another key. Where the
// operation that was taken last touches none of the keys, the configuration before it fails for
// the same blame, whatever else is tried. For take a linearization from a configuration that looks
// like the one before: what touches the keys, and is left after the operation, can wait until all
// else that comes in this layer and in those that were passed has taken effect, since it touches no
// other key; read-only operations that are not in the blame can be dropped. So it leads through a
// configuration that looks like the failed one. By this, a choice that shows much later is changed
// at once. A configuration whose children all fail otherwise fails for all that they fail
// for, and all that its candidates touch; where that are many keys, it is said to be all of them.
// That is closed again: what is open before an operation and left after it is open there, too.
//
// The way on: the operation that returns next comes first, then what touches its keys, then what
// touches the keys of these, and so on, since what is far away only matters if what lies between is
// taken. But operations that were taken before come in the order in which they were.
//
// What operations were only seen to touch (model.Instance.Seen) may be wrong. A trail is a legal
// sequence all the same, so an order that is found counts; a failure does not.
//
// Invariants: a blame holds and is closed (TestBlamesHold). The trail is a legal sequence of
// operations in an order that respects times.
//
// Cost: the configurations times what is open. It gives up at its limits. Where operations that
// touch everything are always open it is the plain search.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/layout"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/transition"
	"github.com/linsat/linsat/internal/wgl"
)

// independent is the state of this search.
type independent struct {
	wgl.Walk
	r       *wgl.Run
	touches [][]int32
	atOnce  []bool
	most    int64              // steps of the run at which this search stops
	unknown [][]layout.ClassID // by key, then for what touches all: classes by first calls
	mark    []int32            // by key: the last node that it is connected at
	met     []int32            // by kind of operation: the last node that has one as a candidate
	nodes   int32
	failed  map[independentAt]int32 // what was visited, with its blame unless it is on the trail
	blames  []blame
	charged int // configurations whose memory is accounted for
	usage   usages
	place   []int32 // by completed operation: where it was taken last
	way     []int32 // and which of its ways that was
	frames  []independentFrame
	cands   []history.OpID // of the frames
}

// blame is what a configuration fails for.
type blame struct {
	keys  []int32
	reads []history.OpID // read-only operations
	all   bool           // every key
}

// independentAt is a configuration.
type independentAt struct {
	mask  uint64
	depth layout.LayerID
	usage int32
	state model.State
}

// independentFrame is a node whose children are being tried.
type independentFrame struct {
	at    independentAt
	mark  int   // length of the trail
	cands int   // length of independent.cands below
	cand  int   // that is tried
	ways  int32 // of its ways that were tried
	first int32 // of its ways
	blame       // of the children so far, and of the candidates
}

// usages numbers how much of every class has been used.
type usages struct {
	known map[string]int32
	room  []byte
}

// number returns the number of what is used.
func (u *usages) number(used []int32) int32 {
	u.room = u.room[:0]
	for c, n := range used {
		if n > 0 {
			u.room = binary.AppendUvarint(binary.AppendUvarint(u.room, uint64(c)), uint64(n))
		}
	}
	if len(u.room) == 0 {
		return 0
	}
	k, ok := u.known[string(u.room)]
	if !ok {
		k = int32(len(u.known)) + 1
		u.known[string(u.room)] = k
	}
	return k
}

// decideIndependently decides a partition in which operations say what they touch, or nothing.
func decideIndependently(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	if r.Instance.Touches == nil || !mayBeIndependent(r) {
		return d
	}
	return decideTouching(r, r.Instance.Touches, r.AtOnce)
}

// decideAsSeen is the same with what operations were seen to touch. It only finds.
func decideAsSeen(r *wgl.Run) (d wgl.Decision) {
	d.Outcome = wgl.Undecided
	if r.Instance.Seen == nil || !mayBeIndependent(r) {
		return d
	}
	touches, readOnly := r.Instance.Seen(r.Step)
	if touches == nil {
		return d
	}
	if d = decideTouching(r, touches, readOnly); d.Outcome == wgl.Failed {
		d = wgl.Decision{Outcome: wgl.Undecided}
	}
	return d
}

func mayBeIndependent(r *wgl.Run) bool {
	p := r.Instance.Partition
	return r.Words == 1 && len(p.Edges) == 0 && r.Component == nil && p.Drains == 0
}

// decideTouching decides a partition of which that is what operations touch.
func decideTouching(r *wgl.Run, touches [][]int32, atOnce []bool) (d wgl.Decision) {
	s := newIndependent(r, touches, atOnce)
	defer func() { r.Grow(-int64(s.charged) * independentBytes) }()
	switch d.Outcome = s.search(); d.Outcome {
	case wgl.Found:
		d.Witness = s.Linearization()
	case wgl.Failed:
		d.Approximate, d.Reached, d.Evidence = true, r.Ops[r.Returns[s.Deepest]].Return,
			&proof.Exhaustion{Weakening: proof.Everything()}
	}
	return d
}

// search runs to the end, or reports undecided at its limits.
func (s *independent) search() wgl.Outcome {
	s.Open()
	o, why := s.enter()
	for o == wgl.Opened || o == wgl.Failed && len(s.frames) > 0 {
		if o == wgl.Failed && s.learn(why) {
			s.pop(why)
			continue
		}
		if s.r.Steps >= s.most || len(s.failed) >= independentMost {
			return wgl.Undecided
		}
		o, why = s.proceed()
	}
	return o
}

func newIndependent(r *wgl.Run, touches [][]int32, atOnce []bool) *independent {
	s := &independent{Walk: wgl.NewWalk(r.Layout, r.Table.Machine.Init()), r: r, touches: touches, atOnce: atOnce,
		most: r.Steps + independentLeast + independentEach*int64(len(r.Ops)),
		met:  make([]int32, r.Kinds), failed: map[independentAt]int32{}, place: make([]int32, len(r.Ops)),
		way: make([]int32, len(r.Ops)), usage: usages{known: map[string]int32{}}}
	keys := int32(0)
	for i := range r.Ops {
		s.place[i] = math.MaxInt32
		for _, k := range touches[i] {
			keys = max(keys, k+1)
		}
	}
	s.mark, s.unknown = make([]int32, keys), make([][]layout.ClassID, keys+1)
	for c := range r.Classes {
		of := touches[r.Members.Of(c)[0]]
		if of == nil {
			s.unknown[keys] = append(s.unknown[keys], c)
		}
		for _, k := range of {
			s.unknown[k] = append(s.unknown[k], c)
		}
	}
	return s
}

// enter takes read-only operations that are legal, passes the returns that it can, and visits the
// configuration. If that fails, why is its blame.
func (s *independent) enter() (o wgl.Outcome, why int32) {
	n := history.OpID(len(s.Ops))
	for v := s.NextOpen[n]; v != n; v = s.NextOpen[v] {
		if !s.read(v) {
			return wgl.GaveUp, 0
		}
	}
	for !s.Final() && s.In(s.Returns[s.Depth]) {
		s.Advance()
		for _, v := range s.Opened.Of(s.Depth) {
			if !s.read(v) {
				return wgl.GaveUp, 0
			}
		}
	}
	if s.Final() {
		return wgl.Found, 0
	}
	here := independentAt{s.Mask[0], s.Depth, s.usage.number(s.Used[:s.Active]), s.State}
	if why, known := s.failed[here]; known {
		return wgl.Failed, why
	}
	if len(s.failed) >= s.charged {
		if !s.r.Grow(independentChunk * independentBytes) {
			return wgl.GaveUp, 0
		}
		s.charged += independentChunk
	}
	s.failed[here] = -1
	if len(s.frames) < cap(s.frames) {
		s.frames = s.frames[:len(s.frames)+1]
	} else {
		s.frames = append(s.frames, independentFrame{})
	}
	f := &s.frames[len(s.frames)-1]
	*f = independentFrame{at: here, mark: len(s.Trail), cands: len(s.cands), cand: len(s.cands),
		blame: blame{keys: f.keys[:0], reads: f.reads[:0]}}
	s.connect(f)
	for _, v := range s.cands[f.cands:] {
		if s.atOnce[v] && s.Completed(v) {
			f.reads = append(f.reads, v)
		}
	}
	slices.SortStableFunc(s.cands[f.cands:], func(x, y history.OpID) int { return cmp.Compare(s.place[x], s.place[y]) })
	return wgl.Opened, 0
}

// read takes an operation that is read-only and legal. It reports false if the search has to stop.
func (s *independent) read(v history.OpID) bool {
	if !s.Completed(v) || !s.atOnce[v] || s.In(v) {
		return true
	}
	code := s.r.Apply(s.State, v)
	if code == transition.Single(s.State) {
		s.Take(v, s.State)
	}
	return code != 0
}

// connect lists what may come next, and what that touches.
func (s *independent) connect(f *independentFrame) {
	s.nodes++
	next, n := s.Returns[s.Depth], history.OpID(len(s.Ops))
	f.all = !s.connected(next, f) || s.unknownTouchesAll()
	s.candidate(next)
	for looked, from := 0, -1; !f.all && from < len(f.keys); {
		from = len(f.keys)
		for v := s.NextOpen[n]; v != n && !f.all; v = s.NextOpen[v] {
			if !s.In(v) && s.touched(v) && s.candidate(v) {
				f.all = !s.connected(v, f)
			}
		}
		for ; looked < from; looked++ {
			for _, c := range s.unknown[f.keys[looked]] {
				if c >= s.Active {
					break
				}
				if v := s.Members.Of(c)[0]; s.Used[c] < s.Avail[c] && s.candidate(v) {
					s.connected(v, f)
				}
			}
		}
	}
	if !f.all {
		return
	}
	for v := s.NextOpen[n]; v != n; v = s.NextOpen[v] {
		if !s.In(v) {
			s.candidate(v)
		}
	}
	for c := range s.Active {
		if s.Used[c] < s.Avail[c] {
			s.candidate(s.Members.Of(c)[0])
		}
	}
}

// connected adds what an operation touches to the keys of a frame. It reports false if that is
// everything.
func (s *independent) connected(v history.OpID, f *independentFrame) bool {
	touches := s.touches[v]
	for _, k := range touches {
		if s.mark[k] != s.nodes {
			s.mark[k] = s.nodes
			f.keys = append(f.keys, k)
		}
	}
	return touches != nil
}

// touched reports whether an operation touches a key that is marked, or everything.
func (s *independent) touched(v history.OpID) bool {
	touches := s.touches[v]
	return touches == nil || slices.ContainsFunc(touches, func(k int32) bool { return s.mark[k] == s.nodes })
}

// unknownTouchesAll reports whether a pending operation that touches everything is called.
func (s *independent) unknownTouchesAll() bool {
	all := s.unknown[len(s.mark)]
	return len(all) > 0 && all[0] < s.Active
}

// candidate makes an operation a candidate, unless one of its kind is one, and reports whether it
// did. Of a kind the one that returns first is asked about first.
func (s *independent) candidate(v history.OpID) bool {
	if s.met[s.r.Kind[v]] == s.nodes {
		return false
	}
	s.met[s.r.Kind[v]] = s.nodes
	s.cands = append(s.cands, v)
	return true
}

// proceed enters the next child of the frame on top, or ends the frame if it has none left.
func (s *independent) proceed() (o wgl.Outcome, why int32) {
	f := &s.frames[len(s.frames)-1]
	for ; f.cand < len(s.cands); f.cand, f.ways = f.cand+1, 0 {
		v := s.cands[f.cand]
		code := s.r.Apply(s.State, v)
		if code == 0 {
			return wgl.GaveUp, 0
		}
		for {
			if f.ways == 0 {
				f.first = s.way[v]
			}
			way := s.wayOf(code, f.first, f.ways)
			t, ok := s.r.Table.Next(code, way)
			if !ok {
				break
			}
			f.ways++
			if t == s.State && !s.Completed(v) {
				continue // having it left never hurts
			}
			if s.Completed(v) {
				s.place[v], s.way[v] = int32(len(s.Trail)), way
			} else {
				v = s.Members.Of(s.Class[v])[s.Used[s.Class[v]]]
			}
			s.Take(v, t)
			return s.enter()
		}
	}
	s.blames = append(s.blames, blame{slices.Clone(f.keys), slices.Clone(f.reads), f.all})
	why = int32(len(s.blames) - 1)
	s.pop(why)
	return wgl.Failed, why
}

// wayOf returns the way to be tried after so many, where one goes first.
func (s *independent) wayOf(code, first, tried int32) int32 {
	if _, ok := s.r.Table.Next(code, first); !ok {
		return tried
	}
	switch {
	case tried == 0:
		return first
	case tried <= first:
		return tried - 1
	}
	return tried
}

// learn returns to the configuration of the frame on top, of which a child failed. If the operation
// that led there touches none of the keys of the blame, that is the frame's, which fails. Else it
// is added to the frame's.
func (s *independent) learn(why int32) (jump bool) {
	f := &s.frames[len(s.frames)-1]
	s.Undo(f.mark)
	b := &s.blames[why]
	touches := s.touches[s.cands[f.cand]]
	if !b.all && touches != nil && !slices.ContainsFunc(touches, func(k int32) bool {
		return slices.Contains(b.keys, k)
	}) {
		return true
	}
	if f.all = f.all || b.all || len(f.keys) > independentKeys; f.all {
		f.keys, f.reads = f.keys[:0], f.reads[:0]
		return false
	}
	for _, k := range b.keys {
		if !slices.Contains(f.keys, k) {
			f.keys = append(f.keys, k)
		}
	}
	for _, v := range b.reads {
		if !slices.Contains(f.reads, v) {
			f.reads = append(f.reads, v)
		}
	}
	return false
}

// pop ends the frame on top, which fails for a blame.
func (s *independent) pop(why int32) {
	f := &s.frames[len(s.frames)-1]
	s.failed[f.at] = why
	s.cands = s.cands[:f.cands]
	s.frames = s.frames[:len(s.frames)-1]
}
