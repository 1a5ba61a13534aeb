package verify

// Exhaustion: the verifier tries every ρ′ and ρ″ again.
//
// What: for every choice of the pending operations, ρ′ and ρ″ are built together in all possible
// ways. A step puts an operation on the next place of its class in ρ′ and an operation of the same
// class on that place in ρ″. Under slots, ρ″ has the pattern of classes of ρ′, so ρ′ grows in its
// own order. Under classes, only the order within a class counts in ρ′, and ρ″ is what grows: total
// orders of the classes that extend the intervals always combine into one ρ′. (In a cycle a₁ ≤ b₁ →
// a₂ ≤ b₂ → … → a₁, where ≤ is the order within a class and → says that one returned before the
// other was called, bᵢ returns before aᵢ₊₁ is called, and that is no later than bᵢ₊₁ returns, since
// bᵢ₊₁ does not come before aᵢ₊₁: returns grow around the cycle.) With explicit order that does not
// hold, and causality is a property of ρ′ as a whole; then each ρ′ is listed, with what the
// removals of unknown results took, and the same search continues with it as the only order. So it
// is where a bounded set of operations has several classes.
//
// Source: the definition (docs/quasi.md). The code is independent of the engines.
//
// What may be forgotten: results and responses, provided that the class of the operation stays the
// same. ρ′ and ρ″ of the history are then ρ′ and ρ″ of the weakened history: the operations that
// became pending take effect, and there can be as many drains, since a removal whose result is
// unknown took something or nothing. The future cannot be forgotten: the content of an operation
// called later may be moved to an earlier place.
//
// Drains: those beyond what is left over at least may be left out. In ρ′ those of one object come
// in their order, so the ones that are left out are its last ones.
//
// Invariant: the result of visit depends on the key alone: which operations are in ρ′ and in ρ″,
// the place of those that are in only one of them, and the state.
//
// Cost: exponential. Every key, and every operation appended to a listed ρ′, counts as a node.

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/internal/verify/base"
	"github.com/linsat/linsat/quasi"
)

// ErrRearranged is the error of Exhausted and Paired if ρ′ and ρ″ exist.
var ErrRearranged = errors.New("the history is quasi-linearizable: it can be rearranged within the bounds")

// Forgettable says of every operation of b's partition whether its result and its response can be
// forgotten under r: whether that only ever turns a violation into linearizable.
func Forgettable(b *model.Instance, r *quasi.Question) ([]bool, error) {
	weakening := &proof.Weakening{Cut: history.Never, Retain: slices.Repeat([]proof.Retained{proof.RetainResponse},
		b.Partition.Len())}
	weak, err := base.Weakened(b, weakening)
	if err != nil {
		return nil, err
	}
	can := make([]bool, b.Partition.Len())
	for i := range can {
		can[i] = equalAt(b.Class, weak.Class, i)
	}
	for _, set := range r.Sets { // places in a set depend on what else is in it
		in, err := sets.Members(b, set.Operations)
		if err != nil {
			return nil, err
		}
		still, err := sets.Members(weak, set.Operations)
		if err != nil {
			return nil, err
		}
		for i := range can {
			can[i] = can[i] && in[i] == still[i]
		}
	}
	return can, nil
}

// equalAt reports whether two slices hold the same at i, or are both nil.
func equalAt[T comparable](x, y []T, i int) bool {
	return x == nil && y == nil || x != nil && y != nil && x[i] == y[i]
}

// Exhausted checks by trying everything that b's partition is not quasi-linearizable under r after
// forgetting what the weakening forgets, visiting at most so many nodes. It returns how many it
// visited; ErrTooLarge at the limit, ErrRearranged if ρ′ and ρ″ exist, and another error where the
// weakening forgets more than responses and results that can be forgotten.
func Exhausted(ctx context.Context, b *model.Instance, r *quasi.Question, weakening *proof.Weakening,
	limit int) (nodes int, err error) {
	if weakening.From != 0 || weakening.AnyStart || weakening.SomeOrder || weakening.Cut != history.Never {
		return 0,
			base.Faultf("", "cut, from, start, order: under a quasi factor only results and responses can be forgotten")
	}
	weak, err := base.Weakened(b, weakening)
	if err != nil {
		return 0, err
	}
	for i := range b.Partition.Ops {
		switch {
		case weakening.Of(history.OpID(i)) == proof.RetainNothing:
			return 0, base.Faultf(base.Op(b.Partition, history.OpID(i)), "under a quasi factor it cannot be left out")
		case !equalAt(b.Class, weak.Class, i):
			return 0, base.Faultf(base.Op(b.Partition, history.OpID(i)),
				"its result cannot be forgotten: its class depends on it")
		}
	}
	s, err := newExhaustion(weak, r, limit)
	if err != nil {
		return 0, err
	}
	if err := s.bySets(b); err != nil {
		return 0, err
	}
	s.ctx = ctx
	found, err := s.choose(0)
	if err == nil && found {
		err = ErrRearranged
	}
	return s.nodes, err
}

// exhaustion is a search in progress. Its operations are those of the partition and, from own on,
// the drains. The machine knows more operations: each unknown removal with each of the results that
// it may have had.
type exhaustion struct {
	ctx     context.Context
	b       *model.Instance // the partition, bound with drains and guesses
	r       *quasi.Question
	own, n  history.OpID
	machine model.Machine
	limit   int
	nodes   int
	pending []int32

	object  []model.ObjectID
	keys    []history.Value
	drains  [][]history.OpID // by object, as many as any choice needs
	least   []int            // by object: drains that cannot be left out
	group   []int32          // class and object, as a number
	bound   []int32          // by group
	members [][]history.OpID // by group
	guesses map[history.OpID][]history.OpID

	included []bool
	acts     []history.OpID   // whose result it has: itself, unless it is a guess
	before   [][]history.OpID // what must precede it in ρ′, as far as it counts
	tried    map[string]bool

	first, second []int32 // place in the class in ρ′ and in ρ″, 0 while it has none
	count         []int32 // by group: places filled
	left          int     // operations of the partition without a place in ρ″
	dead          map[string]bool
	sets          setPlaces
}

func newExhaustion(b *model.Instance, r *quasi.Question, limit int) (*exhaustion, error) {
	s := &exhaustion{r: r, own: history.OpID(b.Partition.Len()), limit: limit,
		tried: map[string]bool{}}
	for i := range b.Partition.Ops {
		if b.Partition.Ops[i].Pending() {
			s.pending = append(s.pending, int32(i))
		}
	}
	if len(s.pending) > maxOptional || b.Partition.Len() > maxRelaxed {
		return nil, base.ErrTooLarge
	}
	var most []history.Value
	if r.Drain {
		most = s.mostDrained(b)
	}
	s.n = s.own + history.OpID(len(most))
	if s.n > maxRelaxed {
		return nil, base.ErrTooLarge
	}
	part := b.Partition
	if len(most) > 0 {
		part = part.Draining(most)
	}
	if r.Causal && b.Items.Delta != nil {
		all := make([]history.OpID, s.own)
		for i := range all {
			all[i] = history.OpID(i)
		}
		part, s.guesses = guesses(b, part, int(s.own), all)
	}
	s.b = b
	if part != b.Partition {
		var err error
		if s.b, err = b.Spec.Bind(part); err != nil {
			return nil, err
		}
	}
	s.machine = s.b.Judge()
	s.object, s.keys = s.b.Objects()
	s.drains = make([][]history.OpID, len(s.keys))
	for i := s.own; i < s.n; i++ {
		s.drains[s.object[i]] = append(s.drains[s.object[i]], i)
	}
	s.classify()
	s.included, s.acts = make([]bool, s.n), make([]history.OpID, s.n)
	for i := range s.acts {
		s.acts[i] = history.OpID(i)
		s.included[i] = history.OpID(i) < s.own && !part.Ops[i].Pending()
	}
	s.first, s.second = make([]int32, s.n), make([]int32, s.n)
	return s, nil
}

// mostDrained lists the objects of all drains that any choice of the pending operations can need:
// each insertion that takes effect may need one.
func (s *exhaustion) mostDrained(b *model.Instance) []history.Value {
	var order []history.OpID
	for i := range b.Partition.Ops {
		if !b.Partition.Ops[i].Pending() || b.Items.Delta != nil && b.Items.Delta[i] > 0 {
			order = append(order, history.OpID(i))
		}
	}
	_, most := b.LeftOver(order)
	return b.Keys(most)
}

// stored lists the initial contents of every object.
func stored(h *history.History, p *model.Partition) []history.Value {
	if !p.HasInitial {
		return nil
	}
	list, _ := h.Values.AsList(p.Initial)
	return slices.Clone(list)
}

// classify finds the groups: places are counted by class and object.
func (s *exhaustion) classify() {
	numbers := map[[2]model.ObjectID]int32{}
	s.group = make([]int32, s.n)
	for i := range s.n {
		c := model.ObjectID(class(s.b, s.r, i))
		g, known := numbers[[2]model.ObjectID{s.object[i], c}]
		if !known {
			g = int32(len(s.members))
			numbers[[2]model.ObjectID{s.object[i], c}] = g
			s.members = append(s.members, nil)
			bound := int32(0)
			if int(c) < len(s.r.Factor) {
				bound = min(s.r.Factor[c], int32(s.n))
			}
			s.bound = append(s.bound, bound)
		}
		s.group[i] = g
		s.members[g] = append(s.members[g], i)
	}
	s.count = make([]int32, len(s.members))
}

// choose tries all choices of the pending operations from the k-th on.
func (s *exhaustion) choose(k int) (bool, error) {
	if k < len(s.pending) {
		for _, in := range []bool{false, true} {
			s.included[s.pending[k]] = in
			if found, err := s.choose(k + 1); found || err != nil {
				return found, err
			}
		}
		return false, nil
	}
	var body []history.OpID
	for i := range s.own {
		if s.included[i] {
			body = append(body, i)
		}
	}
	clear(s.included[s.own:])
	s.left = len(body)
	if s.r.Drain {
		var most []int
		s.least, most = s.b.LeftOver(body)
		for o, n := range most {
			for _, d := range s.drains[o][:n] {
				s.included[d] = true
			}
		}
	}
	if s.r.Causal && s.b.Items.Delta != nil || s.r.Meaning == quasi.Classes && len(s.b.Partition.Edges) > 0 ||
		s.sets.across {
		clear(s.tried)
		there := map[item]int{}
		for o := range s.keys {
			for _, v := range stored(s.b.Partition.History, s.b.Partition) {
				there[item{model.ObjectID(o), v}]++
			}
		}
		return s.list(body, nil, there)
	}
	s.follow(func(a, b history.OpID) bool { return s.precedes(a, b) })
	return s.visit(s.machine.Init())
}

// item is a value in an object.
type item struct {
	object model.ObjectID
	value  history.Value
}

// precedes reports whether a comes before b in every ρ′ that has both. Drains come last, and as
// they are alike, in their order.
func (s *exhaustion) precedes(a, b history.OpID) bool {
	if b >= s.own {
		return a < s.own || a < b && s.object[a] == s.object[b]
	}
	if a >= s.own {
		return false
	}
	if s.b.Partition.Precedes(a, b) {
		return true
	}
	return slices.Contains(s.b.Partition.Edges, history.Edge{Before: a, After: b})
}

// follow sets what precedes what, and clears all places. Under classes, only operations of the same
// class count.
func (s *exhaustion) follow(precedes func(a, b history.OpID) bool) {
	s.before = make([][]history.OpID, s.n)
	for b := range s.n {
		for a := range s.n {
			if s.included[a] && s.included[b] && a != b && precedes(a, b) && (s.r.Meaning == quasi.Slots ||
				s.group[a] == s.group[b]) {
				s.before[b] = append(s.before[b], a)
			}
		}
	}
	clear(s.first)
	clear(s.second)
	clear(s.count)
	s.sets.clear()
	s.dead = map[string]bool{}
}

// list tries every ρ′ that begins with order, if causality counts with everything that its unknown
// removals may have found. there counts the values present after order.
func (s *exhaustion) list(body, order []history.OpID, there map[item]int) (bool, error) {
	if s.nodes++; s.nodes > s.limit {
		return false, base.ErrTooLarge
	}
	if err := context.Cause(s.ctx); err != nil {
		return false, err
	}
	if len(order) == len(body) {
		return s.listed(order)
	}
next:
	for _, i := range body {
		for _, j := range body {
			if i == j && slices.Contains(order, i) || i != j && s.precedes(j, i) && !slices.Contains(order, j) {
				continue next
			}
		}
		acts := []history.OpID{i}
		if s.guesses[i] != nil {
			acts = s.guesses[i]
		}
		for _, act := range acts {
			o, change := &s.b.Partition.Ops[act], 0
			it := item{s.object[i], o.Arg}
			if s.r.Causal && s.b.Items.Delta != nil {
				if change = int(s.b.Items.Delta[act]); change < 0 {
					it.value = o.Result
				}
			}
			if change < 0 && there[it] == 0 {
				continue
			}
			there[it] += change
			s.acts[i] = act
			found, err := s.list(body, append(order, i), there)
			s.acts[i] = i
			there[it] -= change
			if found || err != nil {
				return found, err
			}
		}
	}
	return false, nil
}

// listed looks for a ρ″ to ρ′. Under classes, another ρ′ with the same order in every class is the
// same question.
func (s *exhaustion) listed(order []history.OpID) (bool, error) {
	at := make([]int32, s.n)
	for k, i := range order {
		at[i] = int32(k)
	}
	for i := s.own; i < s.n; i++ {
		at[i] = int32(len(order)) // in their own order
	}
	if s.sets.across {
		s.sets.clear()
		for i := range s.n {
			if s.included[i] && i >= s.own {
				order = append(order, i)
			}
		}
		for _, i := range order {
			s.sets.place(i, 0)
		}
	}
	if s.r.Meaning == quasi.Classes {
		var key []byte
		for g := range s.members {
			for _, i := range order {
				if s.group[i] == int32(g) {
					key = binary.AppendUvarint(key, uint64(s.acts[i]))
					if s.sets.across {
						key = s.sets.key(key, i, true)
					}
				}
			}
			key = append(key, '|')
		}
		if s.tried[string(key)] {
			return false, nil
		}
		s.tried[string(key)] = true
	}
	s.follow(func(a, b history.OpID) bool { return at[a] < at[b] || s.precedes(a, b) })
	return s.visit(s.machine.Init())
}

// key returns all that the rest of the search depends on.
func (s *exhaustion) key(state model.State) string {
	key := make([]byte, (2*s.n+7)/8, (2*s.n+7)/8+16)
	for i := range s.n {
		if s.first[i] != 0 {
			key[i/4] |= 1 << (2 * (i % 4))
		}
		if s.second[i] != 0 {
			key[i/4] |= 2 << (2 * (i % 4))
		}
		if (s.first[i] == 0) != (s.second[i] == 0) {
			key = binary.AppendUvarint(key, uint64(s.first[i]+s.second[i]))
			key = s.sets.key(key, i, s.first[i] != 0)
		}
	}
	return string(binary.AppendUvarint(key, uint64(state)))
}

// visit reports whether the current configuration can be completed.
func (s *exhaustion) visit(state model.State) (bool, error) {
	if s.left == 0 && s.drained() {
		return true, nil
	}
	key := s.key(state)
	if s.dead[key] {
		return false, nil
	}
	if s.nodes++; s.nodes > s.limit {
		return false, base.ErrTooLarge
	}
	if err := context.Cause(s.ctx); err != nil {
		return false, err
	}
	for e := range s.n {
		if !s.included[e] || s.first[e] != 0 || s.waits(e) {
			continue
		}
		g := s.group[e]
		place := s.count[g] + 1
		if s.second[e] != 0 && place-s.second[e] > s.bound[g] {
			continue
		}
		s.first[e], s.count[g] = place, place
		s.sets.enter(e, false)
		for _, f := range s.members[g] {
			if !s.included[f] || s.second[f] != 0 || s.first[f] != 0 && place-s.first[f] > s.bound[g] ||
				s.first[f] == 0 && s.late(f, place) {
				continue
			}
			s.second[f] = place
			s.sets.enter(f, true)
			if f < s.own {
				s.left--
			}
			found, err := false, error(nil)
			if (s.first[f] == 0 || s.sets.near(f)) && (s.second[e] == 0 || s.sets.near(e)) {
				found, err = s.fill(g, place, f, state)
			}
			if f < s.own {
				s.left++
			}
			s.sets.leave(f, true)
			s.second[f] = 0
			if found || err != nil {
				return found, err
			}
		}
		s.sets.leave(e, false)
		s.first[e], s.count[g] = 0, place-1
	}
	s.dead[key] = true
	return false, nil
}

// drained reports whether, all operations of the partition being in ρ″, ρ′ has the same operations
// and enough drains.
func (s *exhaustion) drained() bool {
	for i := range s.n {
		if (s.first[i] == 0) != (s.second[i] == 0) {
			return false
		}
	}
	for o, n := range s.least {
		if n > 0 && s.first[s.drains[o][n-1]] == 0 {
			return false
		}
	}
	return true
}

// waits reports whether an operation that must have a place in ρ′ before i has none yet.
func (s *exhaustion) waits(i history.OpID) bool {
	return slices.ContainsFunc(s.before[i], func(j history.OpID) bool { return s.first[j] == 0 })
}

// late reports whether so many operations of its class must still come before f in ρ′, from the
// place after this one on, that f cannot have this place in ρ″.
func (s *exhaustion) late(f history.OpID, place int32) bool {
	own := place + 1
	for _, j := range s.before[f] {
		if s.first[j] == 0 && s.group[j] == s.group[f] {
			if own++; own-place > s.bound[s.group[f]] {
				break
			}
		}
	}
	return own-place > s.bound[s.group[f]]
}

// fill continues with operation f at a place of group g in ρ″, unless another operation has missed
// its last place by then.
func (s *exhaustion) fill(g, place int32, f history.OpID, state model.State) (bool, error) {
	for _, i := range s.members[g] {
		if (s.first[i] == 0) != (s.second[i] == 0) && place+1-s.first[i]-s.second[i] > s.bound[g] {
			return false, nil
		}
	}
	for _, t := range s.machine.Step(state, s.acts[f], nil) {
		if f >= s.own && t == state {
			continue // a drain must remove something
		}
		if found, err := s.visit(t); found || err != nil {
			return found, err
		}
	}
	return false, nil
}
