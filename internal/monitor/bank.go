package monitor

// Banks: a linearization by a beam of configurations, in which transfers of unknown outcome are
// counted.
//
// What: walks over the returns of a bank and keeps a few configurations: the balances, which of the
// open operations have not taken effect, and how many transfers of unknown outcome of each kind
// (from, to, amount) have. Transfers take effect as late as possible: when they return, or before a
// read that shows them. A read says all balances, so what comes before it is a sum of vectors: some
// of the open transfers, and what these leave is supplied by few of unknown outcome (bank_ways.go).
// Configurations that have used few are kept, since what was used without need is missing later, or
// has to be paid back. Where all of them die, the walk goes back and keeps more from there on.
//
// Source: ours; the configurations are those of Lowe (CCPE'17), the beam that goes back is that of
// counter_beam.go.
//
// Why it is only for yes: which configurations are kept, and how many are supplied at once, is a
// guess. The order that is found is replayed by the verifier. Violations are found by the sums of
// accounts (sums.go) or by the search.
//
// Invariants: left holds open operations; balances are never below zero without overdraft; weight
// is the weighted sum of balances, modulo 2^64.
//
// Cost: configurations of a return × open reads × sets of open transfers.

import (
	"context"
	"slices"
	"sort"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
)

// stepID numbers the operations that took effect on the way to some configuration.
type stepID int32

// bankState is a configuration.
type bankState struct {
	// balances are shared and never changed. As long as they are not known, they are three numbers
	// for each account: what came in so far, and the least and the most that it had at first.
	balances []int64
	weight   uint64
	left     opSet   // open operations that have not taken effect
	used     []int32 // operations without return that have, by kind; shared
	usage    uint64  // a hash of used
	uses     int32   // their number
	path     stepID  // the last operation that took effect, in steps
}

// bankKey is what configurations share of which one is kept. Usage is 0 until the walk goes back.
type bankKey struct {
	weight, usage uint64
	left          opSet
}

// bankOpen is an open operation that returns.
type bankOpen struct {
	op     history.OpID
	slot   uint8
	does   model.BankAction
	move   bankMove // of transfers
	weight uint64   // of the balances that a read found
	found  []int64
}

// bankMove is a transfer; weight is what it adds to that of balances.
type bankMove struct {
	from, to model.AccountID
	amount   int64
	weight   uint64
}

// bankList holds configurations of one moment.
type bankList struct {
	all  []bankState
	last map[bankKey]int32
}

func (l *bankList) reset() {
	clear(l.last)
	l.all = l.all[:0]
}

// bankMark is a beam that was kept.
type bankMark struct {
	layer, called, steps int
	beam                 []bankState
	open                 []bankOpen
	free                 []uint8
	avail                []int32
}

// bankWalk is a walk in progress.
type bankWalk struct {
	*engine.Account
	bank    *model.Bank
	ops     []history.Op
	returns []history.OpID
	weights []uint64 // by account
	kinds   bankKinds

	layer, called int
	open          []bankOpen // by return
	free          []uint8
	beam          []bankState
	seen, goals   bankList // in which due has not taken effect, and in which it has
	due           bankOpen
	steps         []beamStep
	trace         []history.OpID // what takes effect in the successor that is made
	kept          []bankMark
	width, widest int
	most          int  // transfers of unknown outcome that are used before one read
	apart         bool // configurations that have used others are kept apart
	ways          bankWays
}

// bankUpTo looks for a linearization of a bank by a beam that gets so wide, or leaves it open.
func bankUpTo(widest int) func(context.Context, *engine.Problem, *model.BankTheory, *engine.Budget) engine.Answer {
	return func(ctx context.Context, p *engine.Problem, t *model.BankTheory, m *engine.Budget) engine.Answer {
		return checkBank(ctx, p.Instance, t, m, widest)
	}
}

func checkBank(ctx context.Context, b *model.Instance, t *model.BankTheory, m *engine.Budget,
	widest int) engine.Answer {
	if len(b.Partition.Edges) > 0 {
		return engine.Answer{Cause: engine.Unsupported, Detail: "explicit order"}
	}
	bank := t.Moves()
	if bank == nil {
		return engine.Answer{Cause: engine.Unsupported, Detail: "transfers that may have been refused"}
	}
	account := &engine.Account{Ctx: ctx, Budget: m, Limit: bankSteps + bankEach*int64(b.Partition.Len())}
	defer account.Close()
	w := newBankWalk(bank, b.Partition.Ops, account)
	w.widest, account.Footprint = widest, w.bytes
	a := engine.Answer{Cause: engine.Undecided, Detail: tooManySums}
	if w.walk() {
		a = engine.Answer{Verdict: engine.Linearizable, Witness: w.witness()}
	} else if account.Cause != engine.NoCause && account.Cause != engine.Steps {
		a = engine.Answer{Cause: account.Cause}
	}
	a.Effort.Steps = account.Steps
	return a
}

func newBankWalk(bank *model.Bank, ops []history.Op, account *engine.Account) *bankWalk {
	w := &bankWalk{Account: account, bank: bank, ops: ops, weights: make([]uint64, bank.Accounts),
		width: bankWidth, most: 1}
	random := uint64(1)
	for a := range w.weights { // of a generator by Lehmer
		random *= 0xda942042e4dd58b5
		w.weights[a] = random ^ random>>29
	}
	var byReturn []ranked
	for i := range ops {
		if !ops[i].Pending() {
			byReturn = append(byReturn, ranked{ops[i].Return, int32(i)})
		}
	}
	sortRanked(byReturn, nil)
	w.returns = make([]history.OpID, len(byReturn))
	for k, r := range byReturn {
		w.returns[k] = history.OpID(r.what)
	}
	w.kinds = w.kindsOf()
	for k := range 64 * beamWords {
		w.free = append(w.free, uint8(64*beamWords-1-k))
	}
	start := bankState{balances: bank.Initial, used: make([]int32, len(w.kinds.moves)), path: -1}
	if start.balances == nil {
		start.balances = make([]int64, 3*bank.Accounts)
		for a := range bank.Accounts {
			start.balances[2*bank.Accounts+a] = bankNoMost
		}
	} else {
		start.weight = w.weigh(bank.Initial)
	}
	w.beam = []bankState{start}
	w.seen.last, w.goals.last = map[bankKey]int32{}, map[bankKey]int32{}
	return w
}

// weigh returns the weight of balances.
func (w *bankWalk) weigh(balances []int64) uint64 {
	sum := uint64(0)
	for a, n := range balances {
		sum += uint64(n) * w.weights[a]
	}
	return sum
}

// move returns the transfer that an operation is.
func (w *bankWalk) move(op history.OpID) bankMove {
	m := bankMove{w.bank.From[op], w.bank.To[op], w.bank.Amount[op], 0}
	m.weight = uint64(m.amount) * (w.weights[m.to] - w.weights[m.from])
	return m
}

// bytes estimates the memory of the walk.
func (w *bankWalk) bytes() int64 {
	states := cap(w.beam) + cap(w.seen.all) + cap(w.goals.all)
	for k := range w.kept {
		states += len(w.kept[k].beam)
	}
	return int64(len(w.ops)+cap(w.steps))*8 + int64(states)*int64(96+4*len(w.kinds.moves)+8*w.bank.Accounts)
}

// witness returns the order of a configuration in which everything has taken effect.
func (w *bankWalk) witness() []history.OpID {
	order := []history.OpID{}
	for at := w.beam[0].path; at >= 0; at = w.steps[at].before {
		order = append(order, w.steps[at].op)
	}
	slices.Reverse(order)
	return order
}

// walk walks to the end and reports whether it came there.
func (w *bankWalk) walk() bool {
	front, level := 0, 0
	for w.layer < len(w.returns) {
		if w.layer%beamStretch == 0 {
			w.keep()
		}
		if w.layer > front {
			level, w.width, w.most, w.apart = 0, bankWidth, 1, false
		}
		more, ok := w.pass()
		switch {
		case !ok:
			return false
		case more:
			continue
		}
		front = max(front, w.layer+beamStretch)
		if level++; !w.back(level) {
			return false
		}
	}
	return true
}

// keep keeps the beam.
func (w *bankWalk) keep() {
	if n := len(w.kept); n > 0 && w.kept[n-1].layer == w.layer {
		return
	}
	if len(w.kept) == beamKept {
		w.kept = append(w.kept[:0], w.kept[1:]...)
	}
	w.kept = append(w.kept, bankMark{w.layer, w.called, len(w.steps), slices.Clone(w.beam), slices.Clone(w.open),
		slices.Clone(w.free), slices.Clone(w.kinds.avail)})
}

// back goes back by more stretches at each level, to go on with a beam that is wider. It returns
// false if the beam is as wide as it may get.
func (w *bankWalk) back(level int) bool {
	w.width *= beamWider
	w.most = min(level, bankMost)
	w.apart = level%2 == 0
	if w.width > w.widest {
		return false
	}
	at := max(0, len(w.kept)-1<<level)
	s := &w.kept[at]
	w.kept = w.kept[:at+1]
	w.layer, w.called, w.steps = s.layer, s.called, w.steps[:s.steps]
	w.beam, w.open, w.free = append(w.beam[:0], s.beam...), append(w.open[:0], s.open...), append(w.free[:0], s.free...)
	copy(w.kinds.avail, s.avail)
	return true
}

// call opens what is called before a return. It returns false if too many are open.
func (w *bankWalk) call(rank history.Rank) bool {
	for ; w.called < len(w.ops) && w.ops[w.called].Call <= rank; w.called++ {
		i := history.OpID(w.called)
		if w.ops[i].Pending() {
			w.kinds.call(i)
			continue
		}
		if len(w.free) == 0 {
			return false
		}
		o := bankOpen{op: i, slot: w.free[len(w.free)-1], does: w.bank.Does[i]}
		w.free = w.free[:len(w.free)-1]
		switch o.does {
		case model.BankReads:
			o.found, o.weight = w.bank.Found[i], w.weigh(w.bank.Found[i])
		case model.BankMoves, model.BankRefuses:
			o.move = w.move(i)
		}
		w.open = inorder.Insert(w.open, o, func(x, y bankOpen) int {
			return int(w.ops[x.op].Return - w.ops[y.op].Return)
		})
		for k := range w.beam {
			if s := &w.beam[k]; w.idle(s, &o) {
				s.path = w.write(s.path, i)
			} else {
				s.left.flip(o.slot)
			}
		}
	}
	return true
}

// idle reports whether an operation can take effect at once without changing anything.
func (w *bankWalk) idle(s *bankState, o *bankOpen) bool {
	known := w.known(s)
	switch o.does {
	case model.BankReads:
		return known && s.weight == o.weight && slices.Equal(s.balances, o.found)
	case model.BankRefuses:
		return known && w.declines(s.balances, &o.move)
	case model.BankMoves:
		return o.move.weight == 0 && (w.bank.Overdraft || known && s.balances[o.move.from] >= o.move.amount)
	}
	return true
}

// known reports whether a configuration knows the balances.
func (w *bankWalk) known(s *bankState) bool { return len(s.balances) == w.bank.Accounts }

// write appends an operation to the steps after a path.
func (w *bankWalk) write(path stepID, op history.OpID) stepID {
	w.steps = append(w.steps, beamStep{op, path})
	return stepID(len(w.steps) - 1)
}

// pass passes the next return. more reports whether a configuration survives it, ok whether the
// search may go on.
func (w *bankWalk) pass() (more, ok bool) {
	if !w.call(w.ops[w.returns[w.layer]].Return) {
		return false, false
	}
	w.due = w.open[0]
	if slices.ContainsFunc(w.beam, func(s bankState) bool { return s.left.has(w.due.slot) }) {
		most := w.most
		for ; ; w.most++ {
			if !w.reach() {
				return false, false
			}
			if len(w.goals.all) > 0 || w.most >= bankMost {
				break
			}
		}
		w.most = most
		if len(w.goals.all) == 0 {
			return false, true
		}
		w.narrow()
	}
	w.open = w.open[:copy(w.open, w.open[1:])]
	w.free = append(w.free, w.due.slot)
	w.layer++
	return true, true
}

// narrow makes the best of the goals the beam: those that have used least.
func (w *bankWalk) narrow() {
	all := w.goals.all
	if len(all) > w.width {
		sort.SliceStable(all, func(i, j int) bool { return all[i].uses < all[j].uses })
		all = all[:w.width]
	}
	w.beam = append(w.beam[:0], all...)
}

// reach finds configurations in which due has taken effect. It returns false if the search has to
// stop.
func (w *bankWalk) reach() bool {
	w.seen.reset()
	w.goals.reset()
	for k := range w.beam {
		w.trace = w.trace[:0]
		w.put(w.beam[k])
	}
	for k := 0; k < len(w.seen.all) && k <= beamExpanded*w.width; k++ {
		s, tried := w.seen.all[k], w.ways.tried
		w.expand(&s)
		if !w.Spend(1 + int64(w.ways.tried-tried)/bankTried) {
			return false
		}
	}
	return true
}

// put keeps a configuration, with the trace, unless one like it has used no more.
func (w *bankWalk) put(s bankState) {
	n := len(w.trace)
	w.settle(&s)
	l := &w.goals
	if s.left.has(w.due.slot) {
		l = &w.seen
	}
	key := bankKey{weight: s.weight, left: s.left}
	if w.apart {
		key.usage = s.usage
	}
	at, some := l.last[key]
	if !some || s.uses < l.all[at].uses {
		for _, op := range w.trace {
			s.path = w.write(s.path, op)
		}
		if some && l == &w.goals {
			l.all[at] = s
		} else {
			l.last[key] = int32(len(l.all))
			l.all = append(l.all, s)
		}
	}
	w.trace = w.trace[:n]
}
