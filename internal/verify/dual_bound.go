package verify

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify/base"
)

// Refutations by prices of pending operations.
//
// What: the verifier takes from a refutation only the prices. It builds a relaxed history of its
// own, in which every kind of pending operation that is called may be used without limit, for its
// price, and computes the least cost of each configuration (completed open operations that took
// effect, and state). If at some return that exceeds the prices of all pending operations called by
// then, no linearization is in that configuration, because it uses no operation twice. The
// partition is refuted when no configuration is left.
//
// What is tried between two returns, and why it is enough:
//
//   - A completed operation that cannot change any state (the verifier applies it in all) takes
//     effect as soon as it is legal: it could be moved there in any linearization.
//   - A return is passed as soon as its operation took effect, and everything else waits:
//     operations take effect just before something needs them.
//   - Of open operations of one kind (equal EquivID) the one that returns first comes first: two
//     others could be exchanged.
//   - Pending operations are used just before some completed operation, and only where it acts
//     otherwise in the state that they lead to: otherwise they could be left out, for less. If it
//     keeps the state, there as here, it comes first.
//   - Pending operations that cannot change any state are left out.
//
// Cost: configurations × open operations, and kinds × states² for the least prices between states.

// No sum of prices overflows: a price is at most maxPrice, and what costs unpayable is not paid.
const (
	maxPrice  = int64(1) << 36
	unpayable = int64(1) << 60
)

// DualBound checks that r refutes b's partition. It returns nil or what is wrong; ErrTooLarge
// beyond its limits, and the cause where ctx ended it.
func DualBound(ctx context.Context, b *model.Instance, r *proof.DualBound) error {
	if r == nil {
		return base.Faultf("", "no prices")
	}
	if len(b.Partition.Edges) > 0 {
		return base.Faultf("", "the partition has %d explicit edges", len(b.Partition.Edges))
	}
	j := &priceJudge{ctx: ctx, bound: b, ops: b.Partition.Len(), machine: b.Judge()}
	j.maxWork = maxPriceWork + maxPriceWorkEach*int64(j.ops)
	if err := j.enumerate(); err != nil {
		return err
	}
	if err := j.classify(r); err != nil {
		return err
	}
	return j.walk()
}

type priceJudge struct {
	ctx     context.Context
	maxWork int64
	bound   *model.Instance
	machine model.Machine
	ops     int
	kinds   int
	states  int
	effects [][]model.State // state × kind: where it leads
	// Of every kind: it changes no state; it leads to the same from everywhere; else, where it is
	// legal.
	idle, same []bool
	legal      [][]model.State

	price  []int64 // by kind, of pending operations
	called []bool  // by kind: a pending one was
	// state × state: the least price of a way by pending operations that were called
	least   []int64
	worth   int64 // of what was called
	open    []opened
	configs costTable // of the time before the next return
	sizes   [65][]int32
	passed  costTable // of the time after it
	before  costTable // of the time after the last one
	work    int64
}

// costTable is configurations with their least cost.
type costTable struct {
	all   []config
	costs []int64
	slots []int32 // number plus one
}

func (t *costTable) reset() {
	t.all, t.costs = t.all[:0], t.costs[:0]
	clear(t.slots)
}

// place finds where the number of c is, or is to be put.
func (t *costTable) place(c config) *int32 {
	h := (c.done ^ uint64(uint32(c.state))*0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd
	for k := int(h>>32) & (len(t.slots) - 1); ; k = (k + 1) & (len(t.slots) - 1) {
		if i := t.slots[k]; i == 0 || t.all[i-1] == c {
			return &t.slots[k]
		}
	}
}

// lower notes a configuration that can be had for a cost, and says which it is and whether it is
// new.
func (t *costTable) lower(c config, cost int64) (number int32, added bool) {
	if 2*len(t.all) >= len(t.slots) {
		t.slots = make([]int32, max(64, 2*len(t.slots)))
		for i := range t.all {
			*t.place(t.all[i]) = int32(i) + 1
		}
	}
	slot := t.place(c)
	if *slot == 0 {
		t.all, t.costs = append(t.all, c), append(t.costs, cost)
		*slot = int32(len(t.all))
		return *slot - 1, true
	}
	t.costs[*slot-1] = min(t.costs[*slot-1], cost)
	return *slot - 1, false
}

// config is a configuration: the bits of open operations that took effect, and the state.
type config struct {
	done  uint64
	state model.State
}

// opened is an operation that is open.
type opened struct {
	op   history.OpID
	kind int32
	bit  uint64
	ret  history.Rank
}

// enumerate finds all states and what every kind of operation does there.
func (j *priceJudge) enumerate() error {
	first := []history.OpID{} // by kind, an operation
	for i := range j.ops {
		k := int(j.bound.EquivID[i])
		for len(first) <= k {
			first = append(first, -1)
		}
		if first[k] < 0 {
			first[k] = history.OpID(i)
		}
	}
	j.kinds = len(first)
	number := []model.State{j.machine.Init()}
	if number[0] >= maxPriceStates {
		return base.Faultf("", "states: %w", base.ErrTooLarge)
	}
	seen := map[model.State]bool{number[0]: true}
	var arena []model.State
	for at := 0; at < len(number); at++ {
		s := number[at]
		for int(s) >= j.states {
			j.effects = append(j.effects, make([][]model.State, j.kinds)...)
			if j.states++; len(j.effects) > maxPriceEffects+maxPriceEffectsEach*j.ops {
				return base.Faultf("", "states and kinds: %w", base.ErrTooLarge)
			}
		}
		if err := context.Cause(j.ctx); err != nil {
			return err
		}
		for k, op := range first {
			if op < 0 {
				continue
			}
			from := len(arena)
			arena = j.machine.Step(s, op, arena)
			to := arena[from:len(arena):len(arena)]
			j.effects[int(s)*j.kinds+k] = to
			for _, t := range to {
				if t < 0 || t >= maxPriceStates {
					return base.Faultf("", "states: %w", base.ErrTooLarge)
				}
				if !seen[t] {
					seen[t] = true
					number = append(number, t)
				}
			}
		}
	}
	j.idle, j.same, j.legal = make([]bool, j.kinds), make([]bool, j.kinds), make([][]model.State, j.kinds)
	slices.Sort(number)
	for k := range j.kinds {
		j.idle[k], j.same[k] = true, true
		for _, s := range number {
			to := j.effect(s, int32(k))
			j.same[k] = j.same[k] && slices.Equal(to, j.effect(number[0], int32(k)))
			if len(to) > 1 || len(to) == 1 && to[0] != s {
				j.idle[k] = false
			}
			if len(to) > 0 {
				j.legal[k] = append(j.legal[k], s)
			}
		}
	}
	return nil
}

func (j *priceJudge) effect(s model.State, kind int32) []model.State {
	return j.effects[int(s)*j.kinds+int(kind)]
}

// classify takes the prices.
func (j *priceJudge) classify(r *proof.DualBound) error {
	j.price, j.called = make([]int64, j.kinds), make([]bool, j.kinds)
	for _, x := range r.Prices {
		op := x.Op
		if op < 0 || int(op) >= j.ops || !j.bound.Partition.Ops[op].Pending() {
			return base.Faultf(base.Op(j.bound.Partition, op), "only a pending operation has a multiplier")
		}
		k := j.bound.EquivID[op]
		if j.price[k] != 0 || x.Multiplier <= 0 || x.Multiplier > maxPrice {
			return base.Faultf(base.Op(j.bound.Partition, op),
				"its kind has two multipliers, or one that is not from 1 to %d: %d", maxPrice, x.Multiplier)
		}
		j.price[k] = x.Multiplier
	}
	j.least = make([]int64, j.states*j.states)
	for i := range j.least {
		j.least[i] = unpayable
	}
	for s := range j.states {
		j.least[s*j.states+s] = 0
	}
	return nil
}

// walk goes from return to return. It returns nil if there is no way to the end.
func (j *priceJudge) walk() error {
	ops := j.bound.Partition.Ops
	var returns []history.OpID
	for i := range ops {
		if !ops[i].Pending() {
			returns = append(returns, history.OpID(i))
		}
	}
	slices.SortFunc(returns, func(a, b history.OpID) int { return cmp.Compare(ops[a].Return, ops[b].Return) })
	j.passed.lower(config{0, j.machine.Init()}, 0)
	next := 0
	for _, ret := range returns {
		for ; next < len(ops) && ops[next].Call <= ops[ret].Return; next++ {
			if err := j.call(history.OpID(next)); err != nil {
				return err
			}
		}
		if !j.between(ret) {
			if err := context.Cause(j.ctx); err != nil {
				return err
			}
			return base.Faultf(base.Op(j.bound.Partition, ret), "configurations at its return: %w", base.ErrTooLarge)
		}
		if len(j.passed.all) == 0 {
			return nil
		}
		j.open = slices.DeleteFunc(j.open, func(o opened) bool { return o.op == ret })
	}
	return base.Faultf("", "the multipliers do not exclude %d ways through all %d returns",
		len(j.passed.all), len(returns))
}

// call takes in an operation that is called.
func (j *priceJudge) call(op history.OpID) error {
	k := j.bound.EquivID[op]
	if j.bound.Partition.Ops[op].Pending() {
		if !j.idle[k] {
			if j.worth += j.price[k]; j.worth > unpayable {
				return base.Faultf(base.Op(j.bound.Partition, op),
					"the multipliers of what is called by then add up to too much")
			}
			if !j.called[k] {
				j.called[k] = true
				if j.offer(k); j.work > j.maxWork {
					return base.Faultf(base.Op(j.bound.Partition, op), "ways between states: %w", base.ErrTooLarge)
				}
			}
		}
		return nil
	}
	free := ^uint64(0)
	for _, o := range j.open {
		free &^= o.bit
	}
	if free == 0 {
		return base.Faultf(base.Op(j.bound.Partition, op),
			"more than 64 completed operations are open when it is called: %w", base.ErrTooLarge)
	}
	j.open = append(j.open, opened{op, k, free & -free, j.bound.Partition.Ops[op].Return})
	for k := len(j.open) - 1; k > 0 && j.open[k-1].ret > j.open[k].ret; k-- {
		j.open[k-1], j.open[k] = j.open[k], j.open[k-1]
	}
	return nil
}

// offer takes a kind of pending operation into the least prices.
func (j *priceJudge) offer(kind int32) {
	sources := map[model.State][]model.State{}
	var targets []model.State
	for _, s := range j.legal[kind] {
		for _, t := range j.effect(s, kind) {
			if t == s {
				continue
			}
			if sources[t] == nil {
				targets = append(targets, t)
			}
			sources[t] = append(sources[t], s)
		}
	}
	n := j.states
	for _, t := range targets {
		on := j.least[int(t)*n : (int(t)+1)*n]
		for s := range n {
			row := j.least[s*n : (s+1)*n]
			j.work += int64(len(sources[t]))
			in := unpayable
			for _, m := range sources[t] {
				in = min(in, row[m])
			}
			if in += j.price[kind]; in >= row[t] {
				continue
			}
			j.work += int64(n)
			for u, more := range on {
				row[u] = min(row[u], in+more)
			}
		}
	}
}

// between finds what is possible between the last return and that of ret, and passes it. It says
// false if that is too much.
func (j *priceJudge) between(ret history.OpID) bool {
	j.configs.reset()
	for k := range j.sizes {
		j.sizes[k] = j.sizes[k][:0]
	}
	var bit uint64
	for _, o := range j.open {
		if o.op == ret {
			bit = o.bit
		}
	}
	j.work += int64(len(j.passed.all))
	j.before, j.passed = j.passed, j.before
	j.passed.reset()
	for k, c := range j.before.all {
		j.reach(c, j.before.costs[k], bit)
	}
	for size := range j.sizes {
		// masks grow: none is added or made cheaper on the way
		for k := 0; k < len(j.sizes[size]); k++ {
			i := j.sizes[size][k]
			j.leave(j.configs.all[i], j.configs.costs[i], bit)
			if len(j.configs.all)+len(j.passed.all) > maxPriceConfigs || j.work > j.maxWork || j.ctx.Err() != nil {
				return false
			}
		}
	}
	return true
}

// reach notes a configuration that can be had for a cost.
func (j *priceJudge) reach(c config, cost int64, ret uint64) {
	if cost > j.worth {
		return
	}
	for _, o := range j.open {
		if j.idle[o.kind] && c.done&o.bit == 0 && len(j.effect(c.state, o.kind)) > 0 {
			c.done |= o.bit
		}
	}
	if c.done&ret != 0 {
		c.done &^= ret
		j.passed.lower(c, cost)
		return
	}
	if i, added := j.configs.lower(c, cost); added {
		size := bits.OnesCount64(c.done)
		j.sizes[size] = append(j.sizes[size], i)
	}
}

// leave tries everything that may come next in a configuration.
func (j *priceJudge) leave(c config, cost int64, ret uint64) {
	prices := j.least[int(c.state)*j.states : (int(c.state)+1)*j.states]
	for i, o := range j.open {
		j.work += int64(1 + i)
		if c.done&o.bit != 0 || j.waits(i, c.done) {
			continue
		}
		here := j.effect(c.state, o.kind)
		for _, t := range here {
			j.reach(config{c.done | o.bit, t}, cost, ret)
		}
		if j.same[o.kind] {
			continue
		}
		j.work += int64(len(j.legal[o.kind]))
		for _, s := range j.legal[o.kind] {
			if s == c.state || prices[s] >= unpayable {
				continue
			}
			for _, t := range j.effect(s, o.kind) {
				if !slices.Contains(here, t) && (t != s || !slices.Contains(here, c.state)) {
					j.reach(config{c.done | o.bit, t}, cost+prices[s], ret)
				}
			}
		}
	}
}

// waits reports whether an operation of the same kind returns before open operation i and has not
// taken effect.
func (j *priceJudge) waits(i int, done uint64) bool {
	for _, o := range j.open[:i] {
		if o.kind == j.open[i].kind && done&o.bit == 0 {
			return true
		}
	}
	return false
}
