// Package setsearch decides quasi-linearizability where a factor bounds sets of operations that are
// no classes of the specification (Round-Up, Definition 3): sets may overlap, and may be chosen by
// value. The engine is called "search", as the other searches are.
package setsearch

// What: ρ′ and ρ″ are built in step: the t-th step puts an operation on the t-th place of ρ′, and
// one on that of ρ″. Places are counted in every class and in every set that has a bound.
//
// Source: Definitions 3 and 4 of Round-Up; Wing and Gong (JPDC'93) for the search.
//
// Which pending operations take effect is chosen first, since it decides how many drains there can
// be. Where removals of unknown results may have found nothing, the last ones need not be used.
//
// Invariant: what can follow a configuration depends on its key alone: which operations are in ρ′,
// which in ρ″, the state, and the places of those that are in only one of the two.
//
// Cost: exponential, in the pending operations, too. Nothing here knows the discipline of an
// object, so it is for small histories.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/sets"
	"github.com/linsat/linsat/quasi"
)

// Engine decides questions that bound sets. It has no state and may be shared.
type Engine struct{}

// New returns the engine.
func New() *Engine { return &Engine{} }

var _ engine.Decider = (*Engine)(nil)

// Name is "search".
func (*Engine) Name() string { return "search" }

// Check decides small partitions of a specification with classes under a factor that bounds sets.
// It answers Unsupported for any other question. A refutation has no proof.
func (*Engine) Check(ctx context.Context, p *engine.Task, m *engine.Budget) (engine.Answer, error) {
	if why := unsupported(p); why != "" {
		return engine.Answer{Cause: engine.Unsupported, Detail: why}, nil
	}
	r := &run{Account: engine.Account{Ctx: ctx, Budget: m, Limit: math.MaxInt64}, whole: p.Instance, question: p.Quasi}
	defer r.Close()
	var pending []history.OpID
	for i := range p.Instance.Partition.Ops {
		if p.Instance.Partition.Ops[i].Pending() {
			pending = append(pending, history.OpID(i))
		}
	}
	for choice := range uint64(1) << len(pending) {
		if !r.Look() {
			break
		}
		found, err := r.choose(pending, choice)
		if errors.Is(err, errMany) {
			a := r.answer()
			a.Cause, a.Detail = engine.Unsupported, errMany.Error()
			return a, nil
		}
		if err != nil {
			return engine.Answer{}, err
		}
		if found {
			a := r.answer()
			a.Verdict, a.Witness, a.Rearranged, a.Drains = engine.Linearizable, r.numbered(r.before),
				r.numbered(r.after), len(r.before)-r.entered
			return a, nil
		}
	}
	a := r.answer()
	if a.Cause = r.Cause; a.Cause == engine.NoCause {
		a.Verdict = engine.NotLinearizable
	}
	return a, nil
}

// errMany says that there are more operations and drains than places are kept for.
var errMany = fmt.Errorf("bounds on sets of operations are searched up to %d operations of one object, drains included",
	maxOperations)

// unsupported returns why the engine cannot decide a question, or "".
func unsupported(p *engine.Task) string {
	pending := 0
	for i := range p.Instance.Partition.Ops {
		if p.Instance.Partition.Ops[i].Pending() {
			pending++
		}
	}
	switch {
	case p.Quasi == nil || len(p.Quasi.Sets) == 0:
		return "this search is for factors that bound sets of operations"
	case p.Quasi.Causal:
		return "no causality where sets of operations are bounded"
	case pending > maxPending:
		return fmt.Sprintf("bounds on sets of operations are searched up to %d pending operations", maxPending)
	case p.Instance.Partition.Len() > maxOperations:
		return errMany.Error()
	}
	return ""
}

// run is a search in progress.
type run struct {
	engine.Account
	whole    *model.Instance
	question *quasi.Question
	nodes    int64
	bytes    int64 // of dead

	// For one choice of the pending operations:
	bound         *model.Instance // with drains
	own           int             // operations without the drains
	entered       int             // of them, those that take effect
	length        int             // of each sequence, with the drains that cannot be left out
	object        []model.ObjectID
	least         []int // by object: drains that cannot be left out
	drained       []int // by object: drains in ρ′
	machine       model.Machine
	group         []int   // operation → its class and object
	counted       [][]int // operation → the families that count its place
	limits        []int32 // family → its bound
	needs         [][]history.OpID
	included      []bool
	first, second []bool     // in ρ′, in ρ″
	firstAt       [][]uint16 // operation → its places in ρ′, by counted family
	secondAt      [][]uint16
	firstCount    []uint16 // family → places filled in ρ′
	secondCount   []uint16
	before, after []history.OpID
	dead          map[string]bool
}

func (r *run) answer() engine.Answer {
	return engine.Answer{Effort: engine.Effort{Steps: r.Steps, Nodes: r.nodes}}
}

// choose searches with one choice of the pending operations.
func (r *run) choose(pending []history.OpID, choice uint64) (bool, error) {
	p := r.whole.Partition
	r.own = p.Len()
	out := map[history.OpID]bool{}
	for k, i := range pending {
		out[i] = choice>>k&1 == 0
	}
	var order []history.OpID
	for i := range history.OpID(r.own) {
		if !out[i] {
			order = append(order, i)
		}
	}
	var left []history.Value
	r.length = len(order)
	if r.least = nil; r.question.Drain {
		var most []int
		r.least, most = r.whole.LeftOver(order)
		left = r.whole.Keys(most)
		for _, n := range r.least {
			r.length += n
		}
	}
	r.bound, r.entered = r.whole, len(order)
	if len(order)+len(left) > maxOperations {
		return false, errMany
	}
	if len(left) > 0 {
		var err error
		if r.bound, err = r.whole.Spec.Bind(p.Draining(left)); err != nil {
			return false, err
		}
	}
	n := r.own + len(left)
	r.included = make([]bool, n)
	for i := range n {
		r.included[i] = !out[history.OpID(i)]
	}
	var keys []history.Value
	r.object, keys = r.bound.Objects()
	r.drained = make([]int, len(keys))
	if err := r.families(len(keys)); err != nil {
		return false, err
	}
	r.order()
	r.machine = r.bound.NewMachine()
	r.first, r.second = make([]bool, n), make([]bool, n)
	r.firstAt, r.secondAt = make([][]uint16, n), make([][]uint16, n)
	r.firstCount, r.secondCount = make([]uint16, len(r.limits)), make([]uint16, len(r.limits))
	r.before, r.after = nil, nil
	r.dead = map[string]bool{}
	r.Grow(-r.bytes)
	r.bytes = 0
	return r.place(r.machine.Init()), nil
}

// families numbers what has places: each class, and each set, of each object.
func (r *run) families(objects int) error {
	b := r.bound
	classes := len(r.question.Factor) + 1
	r.limits = make([]int32, objects*(classes+len(r.question.Sets)))
	r.group, r.counted = make([]int, len(r.object)), make([][]int, len(r.object))
	for i, o := range r.object {
		c := classes - 1
		if b.Class != nil && b.Class[i] >= 0 {
			c = int(b.Class[i])
		}
		f := int(o)*classes + c
		r.group[i], r.counted[i] = f, []int{f}
		if c < len(r.question.Factor) {
			r.limits[f] = r.question.Factor[c]
		}
	}
	for k, s := range r.question.Sets {
		in, err := sets.Members(b, s.Operations)
		if err != nil {
			return err
		}
		for i, o := range r.object {
			if f := objects*(classes+k) + int(o); in[i] {
				r.limits[f] = s.Bound
				r.counted[i] = append(r.counted[i], f)
			}
		}
	}
	return nil
}

// order lists which included operations come before each in ρ′.
func (r *run) order() {
	p := r.bound.Partition
	r.needs = make([][]history.OpID, len(r.included))
	for j := range r.included {
		for i := range r.included {
			if r.included[i] && i != j && (j >= r.own && (i < r.own || i < j && r.object[i] == r.object[j]) ||
				max(i, j) < r.own && p.Precedes(history.OpID(i), history.OpID(j))) {
				r.needs[j] = append(r.needs[j], history.OpID(i))
			}
		}
	}
	for _, e := range p.Edges {
		if r.included[e.Before] {
			r.needs[e.After] = append(r.needs[e.After], e.Before)
		}
	}
}

// place fills the next place of ρ′ and of ρ″, and all that follow. ρ″ has led to state s.
func (r *run) place(s model.State) bool {
	if len(r.before) >= r.length && r.complete() {
		return true
	}
	r.nodes++
	key := r.key(s)
	if r.dead[key] || !r.Look() {
		return false
	}
	for e := range r.included {
		if !r.included[e] || r.first[e] || !r.ready(e) {
			continue
		}
		at := fill(r.counted[e], r.firstCount)
		r.first[e], r.firstAt[e] = true, at
		if e >= r.own {
			r.drained[r.object[e]]++
		}
		if !r.second[e] || r.near(e) {
			r.before = append(r.before, history.OpID(e))
			if r.apply(s, r.group[e]) {
				return true
			}
			r.before = r.before[:len(r.before)-1]
		}
		if e >= r.own {
			r.drained[r.object[e]]--
		}
		r.first[e], r.firstAt[e] = false, nil
		empty(r.counted[e], r.firstCount)
	}
	if r.Cause == engine.NoCause {
		r.dead[key] = true
		size := int64(len(key)) + entryBytes
		r.bytes += size
		r.Grow(size)
	}
	return false
}

// complete reports whether both sequences have the same operations, all those of the partition and
// enough drains.
func (r *run) complete() bool {
	for e, in := range r.included {
		if r.first[e] != r.second[e] || in && e < r.own && !r.first[e] {
			return false
		}
	}
	for o, n := range r.least {
		if r.drained[o] < n {
			return false
		}
	}
	return true
}

// numbered numbers the drains of an order without gaps, those of one object after those of another.
func (r *run) numbered(order []history.OpID) []history.OpID {
	number := make([]history.OpID, len(r.included))
	next := history.OpID(r.own)
	for e := range r.included {
		if number[e] = history.OpID(e); e >= r.own && r.first[e] {
			number[e] = next
			next++
		}
	}
	for k, e := range order {
		order[k] = number[e]
	}
	return order
}

// apply fills the next place of ρ″, whose place in ρ′ is of the group, and all that follow.
func (r *run) apply(s model.State, group int) bool {
	for e := range r.included {
		if !r.included[e] || r.second[e] || r.question.Meaning == quasi.Slots && r.group[e] != group {
			continue
		}
		if !r.Step() {
			return false
		}
		at := fill(r.counted[e], r.secondCount)
		r.second[e], r.secondAt[e] = true, at
		if (!r.first[e] || r.near(e)) && !r.late() {
			r.after = append(r.after, history.OpID(e))
			for _, t := range r.machine.Step(s, history.OpID(e), nil) {
				if (e < r.own || t != s) && r.place(t) {
					return true
				}
			}
			r.after = r.after[:len(r.after)-1]
		}
		r.second[e], r.secondAt[e] = false, nil
		empty(r.counted[e], r.secondCount)
	}
	return false
}

// ready reports whether all that must precede e is in ρ′.
func (r *run) ready(e int) bool {
	for _, i := range r.needs[e] {
		if !r.first[i] {
			return false
		}
	}
	return true
}

// fill gives an operation the next place of each family that counts it.
func fill(families []int, count []uint16) []uint16 {
	at := make([]uint16, len(families))
	for k, f := range families {
		count[f]++
		at[k] = count[f]
	}
	return at
}

func empty(families []int, count []uint16) {
	for _, f := range families {
		count[f]--
	}
}

// near reports whether the places of e in ρ′ and ρ″ are within all bounds.
func (r *run) near(e int) bool {
	for k, f := range r.counted[e] {
		if far(int(r.firstAt[e][k])-int(r.secondAt[e][k]), r.limits[f]) {
			return false
		}
	}
	return true
}

// late reports whether some operation that is in only one sequence has missed its places in the
// other.
func (r *run) late() bool {
	for e, in := range r.included {
		if !in || r.first[e] == r.second[e] {
			continue
		}
		at, count := r.firstAt[e], r.secondCount
		if r.second[e] {
			at, count = r.secondAt[e], r.firstCount
		}
		for k, f := range r.counted[e] {
			if past := int(count[f]) + 1 - int(at[k]); past > 0 && far(past, r.limits[f]) {
				return true
			}
		}
	}
	return false
}

// far reports whether a move is over the bound.
func far(move int, bound int32) bool {
	return bound != quasi.Unbounded && max(move, -move) > int(bound)
}

// key is all that what follows depends on.
func (r *run) key(s model.State) string {
	key := []byte{byte(s), byte(s >> 8), byte(s >> 16), byte(s >> 24)}
	for e, in := range r.included {
		if !in {
			continue
		}
		switch {
		case r.first[e] && r.second[e]:
			key = append(key, 3)
		case r.first[e]:
			key = placed(append(key, 1), r.firstAt[e])
		case r.second[e]:
			key = placed(append(key, 2), r.secondAt[e])
		default:
			key = append(key, 0)
		}
	}
	return string(key)
}

// placed appends places to a key.
func placed(key []byte, at []uint16) []byte {
	for _, place := range at {
		key = binary.LittleEndian.AppendUint16(key, place)
	}
	return key
}
