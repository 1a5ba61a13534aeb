package explain

// Cores: which facts of a history already refute it.
//
// What: facts are forgotten as long as what is left is still refuted: all explicit order; the
// future, a prefix instead of the whole; the past, any state at a late moment instead of everything
// before it; all operations of a value of a collection; that an operation returned; what it
// returned; what was given before what; that one returned before another was called; the initial
// state. Forgetting is monotone, so one pass of deletion, in halves, quarters and so on, leaves a
// minimal set.
//
// Who decides: for parts, the engines that the caller gives; for windows with a forgotten past or
// forgotten order, a search over cells (cellsearch.go) or the prover, which is complete on the few
// operations that are left by then. What nobody decides within the budget is kept, and the core is
// not called minimal.
//
// Minimal is not always clearest: of collections with known values the whole values are kept or
// forgotten, not single responses ("some removal that was called too late" says less than "the
// removal of 1"), and the argument may use a result that is not a fact, of an operation whose
// response is one, where it is shorter for it.
//
// Invariants: claim is refuted after every step. The facts refute by themselves: Least forgets
// everything else but what Besides names.

import (
	"cmp"
	"context"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
)

// Decide reports whether a part is linearizable; Unknown if that takes too long. It must be sound.
type Decide func(ctx context.Context, b *model.Instance) engine.Verdict

// Core is a reason for a no: what is left when as much as possible is forgotten.
type Core struct {
	// Claim is what the argument refutes.
	Claim *proof.Weakening
	// Least keeps the facts and what Besides names, and no more; it is refuted, too. Claim may keep
	// more results.
	Least *proof.Weakening
	// Facts are those that Least keeps: without any of them it is not refuted any more, if Minimal.
	Facts []Fact
	// Besides says what else the core rests on, which was not forgotten piece by piece: "all order
	// in time".
	Besides []string
	Minimal bool
	// NotMinimal says why it may not be minimal.
	NotMinimal string
	// Argument proves the claim; nil if none was found, NoArgument says why.
	Argument   *proof.Node
	NoArgument string
	// Calls counts the questions to the engines, Proofs those to the prover.
	Calls, Proofs int
}

// Proof returns the argument with what it refutes, nil where there is none.
func (c *Core) Proof() proof.Proof {
	if c.Argument == nil {
		return nil
	}
	return &proof.Argument{Weakening: c.Claim, Tree: c.Argument}
}

// FactKind is what can be forgotten one by one.
type FactKind uint8

// The kinds of facts.
const (
	ValueFact    FactKind = iota // all operations of a value
	EmptyFact                    // an operation that found a collection empty
	ResponseFact                 // that the operation returned
	ResultFact                   // what it returned
	EdgeFact                     // that the first returned before the second was called
	GivenFact                    // that the history gives the first before the second
	InitialFact                  // the initial state that the history states
)

// What Besides can name.
const (
	AllResponses = "all responses"
	AllOrder     = "all order in time"
	AllGiven     = "the given order"
	TheStart     = "the initial state"
)

// Fact is something that a core keeps. Operations are positions in the part.
type Fact struct {
	Kind       FactKind
	Operations []int32
}

// noAxioms is why there is no argument for a part without a theory.
const noAxioms = "the specification has no axioms for this part"

type finder struct {
	ctx    context.Context
	b      *model.Instance
	decide Decide
	core   Core
	base   []proof.Retained // what is forgotten from the start
	// the last claim that was proved, for when there is no time for a better one
	inHand *proved
}

// proved is a claim with its argument.
type proved struct {
	claim    proof.Weakening
	argument *proof.Node
}

// Find looks for a minimal core of b's part, which is not linearizable. failure, if an engine found
// one, saves the search for the shortest prefix. The facts in without, and others about their
// operations, are not used. It returns nil if nothing is refuted without them, or if that could not
// be decided.
func Find(ctx context.Context, b *model.Instance, failure *engine.Failure, without []Fact, decide Decide) (*Core, error) {
	f := &finder{ctx: ctx, b: b, decide: decide, base: make([]proof.Retained, b.Partition.Len())}
	f.core.Minimal = true
	if c, ok := b.Theory.(*model.CountingTheory); ok && nearEnds(c) {
		f.doubt("a start that explains the rest may lie beyond the numbers of 64 bits")
	}
	claim := &proof.Weakening{Cut: history.Never}
	if !f.leaveOut(without, claim) {
		return nil, nil
	}
	claim.Retain = slices.Clone(f.base)
	if b.Theory == nil && len(without) == 0 && f.fewValues(claim) {
		f.future(claim)
		f.leaveValues(claim)
		f.core.Claim, f.core.Least, f.core.NoArgument = claim, claim, noAxioms
		return &f.core, nil
	}
	if failure == nil && len(without) == 0 && f.twoObservations(claim) {
		f.finish(claim, f.responses(claim))
		if f.core.Argument == nil {
			f.settle()
		}
		return &f.core, nil
	}
	if failure != nil && len(without) == 0 {
		claim.Cut = failure.Cut
		if !f.refuted(claim) { // the engine's word is not taken for granted
			claim.Cut = history.Never
			failure = nil
		}
	}
	if failure == nil || len(without) > 0 {
		if !f.refuted(claim) {
			return nil, nil
		}
		f.future(claim)
	}
	f.given(claim)
	_, collection := b.Theory.(*model.CollectionTheory)
	switch {
	case b.Theory == nil:
		if !f.byView(claim) {
			f.withoutAxioms(claim)
			f.core.Claim, f.core.Least, f.core.NoArgument = claim, claim, noAxioms
		}
	case model.Derived(b.Theory):
		if !f.byDerived(claim) {
			f.withoutAxioms(claim)
			f.core.Claim, f.core.Least, f.core.NoArgument = claim, claim, "no short argument was found"
		}
	case collection:
		f.finish(claim, f.values(claim))
	default:
		f.past(claim)
		f.proved(claim, searchNodes)
		f.finish(claim, f.responses(claim))
	}
	if f.core.Argument == nil && f.inHand != nil {
		f.settle()
	}
	return &f.core, nil
}

// settle makes do with the argument in hand: the core keeps what that needs.
func (f *finder) settle() {
	claim, argument := &f.inHand.claim, f.inHand.argument
	if weakest, err := Weakest(f.b, claim, argument); err == nil {
		claim = weakest
	}
	f.core.Claim, f.core.Least, f.core.Argument, f.core.NoArgument, f.core.Facts, f.core.Besides = claim, claim, argument, "", nil, nil
	silent := f.resultSaysNothing()
	for _, i := range RetainedOps(f.b, claim, proof.RetainResponse) {
		f.core.Facts = append(f.core.Facts, Fact{ResponseFact, []int32{i}})
		if claim.Of(i) == proof.RetainAll && !silent(i) {
			f.core.Facts = append(f.core.Facts, Fact{ResultFact, []int32{i}})
		}
	}
	for _, e := range claim.Order {
		f.core.Facts = append(f.core.Facts, Fact{EdgeFact, []int32{e[0], e[1]}})
	}
	if !claim.SomeOrder {
		f.core.Besides = append(f.core.Besides, AllOrder)
	}
	f.besidesStart(claim)
	f.doubt("it is what an argument needs that was found on the way")
}

// leaveOut makes the base, and the claim to start from, do without some facts. It reports whether
// that can be done.
func (f *finder) leaveOut(without []Fact, claim *proof.Weakening) bool {
	_, collection := f.b.Theory.(*model.CollectionTheory)
	for _, fact := range without {
		switch fact.Kind {
		case InitialFact:
			if collection || f.b.Theory == nil || f.fromInit() {
				return false
			}
			claim.AnyStart = true
		case GivenFact:
			if !claim.SomeGiven {
				claim.SomeGiven = true
				for _, e := range f.b.Partition.Edges {
					claim.Given = append(claim.Given, [2]int32{e.Before, e.After})
				}
			}
			claim.Given = slices.DeleteFunc(claim.Given, func(e [2]int32) bool { return e == [2]int32{fact.Operations[0], fact.Operations[1]} })
		}
		for _, i := range fact.Operations {
			f.base[i] = max(f.base[i], proof.RetainCall)
		}
	}
	if values := f.wholeValues(); values != nil {
		try := *claim
		try.Retain = values
		if f.canLeave(&try) {
			f.base = values
		}
	}
	return true
}

// wholeValues is the base that leaves out, for every operation on a value that the base weakens,
// all operations on that value, and the weakened operations that found nothing; nil where the part
// has no values.
func (f *finder) wholeValues() []proof.Retained {
	t, ok := f.b.Theory.(*model.CollectionTheory)
	switch {
	case !ok && f.b.Values == nil:
		return nil
	case !ok:
		t = f.b.Contents()
	}
	type value struct{ object, v int32 }
	gone := map[value]bool{}
	for i, k := range f.base {
		if k != proof.RetainAll && t.Value[i] >= 0 {
			gone[value{t.Object[i], t.Value[i]}] = true
		}
	}
	values := slices.Clone(f.base)
	for i := range values {
		// it would see that values are missing
		counts := len(gone) > 0 && f.b.Counts != nil && f.b.Counts[i]
		if counts || t.Value[i] >= 0 && gone[value{t.Object[i], t.Value[i]}] || t.Value[i] == model.Nothing && values[i] != proof.RetainAll {
			values[i] = proof.RetainNothing
		}
	}
	return values
}

// canLeave reports whether operations may be left out as a claim says.
func (f *finder) canLeave(claim *proof.Weakening) bool {
	var err error
	if f.b.Theory == nil {
		_, _, err = verify.Left(f.b, claim)
	} else {
		_, err = verify.Window(f.b, claim)
	}
	return err == nil
}

// given forgets all explicit order, if it does not matter.
func (f *finder) given(claim *proof.Weakening) {
	if len(claim.KeepGiven(f.b.Partition.Edges)) == 0 {
		return
	}
	minimal, reason := f.core.Minimal, f.core.NotMinimal
	try := *claim
	try.SomeGiven, try.Given = true, nil
	if f.refuted(&try) {
		*claim = try
	}
	// what is given is tried one by one at the end
	f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
}

// refuted reports whether the claim is refuted, as far as can be told.
func (f *finder) refuted(claim *proof.Weakening) bool {
	if f.ctx.Err() != nil {
		f.doubt("the time was up")
		return false
	}
	if claim.From > 0 || claim.AnyStart || claim.SomeOrder || claim.View != 0 {
		if w, err := verify.Window(f.b, claim); err == nil {
			if yes, known := explains(f.ctx, w); known {
				return !yes
			}
			if (w.Unknown || claim.View != 0) && len(w.Part.Ops)-count(w.Gone) > maxWindow {
				f.doubt("some facts could not be tried within the limits")
				return false
			}
		}
		return f.proved(claim, searchNodes) != nil
	}
	weak, _, err := Weaken(f.b, claim)
	if err != nil {
		f.doubt("some facts cannot be forgotten alone: " + err.Error())
		return false
	}
	f.core.Calls++
	switch f.decide(f.ctx, weak) {
	case engine.NotLinearizable:
		return true
	case engine.Unknown:
		f.doubt("some facts could not be tried within the limits")
	}
	return false
}

// proved asks the prover.
func (f *finder) proved(claim *proof.Weakening, nodes int) *proof.Node {
	f.core.Proofs++
	proof, err := Prove(f.ctx, f.b, claim, nodes)
	switch {
	case err != nil:
		return nil
	case proof.Argument == nil && proof.Cause != engine.Undecided:
		f.doubt("some facts could not be tried within the limits")
		f.core.NoArgument = "the prover stopped: " + proof.Cause.String()
		if proof.Detail != "" {
			f.core.NoArgument = proof.Detail
		}
	}
	f.hold(claim, proof.Argument)
	return proof.Argument
}

// hold remembers a claim that was proved.
func (f *finder) hold(claim *proof.Weakening, argument *proof.Node) {
	if argument != nil {
		f.inHand = &proved{*claim, argument}
		f.inHand.claim.Retain, f.inHand.claim.Order = slices.Clone(claim.Retain), slices.Clone(claim.Order)
	}
}

// attempt asks the prover for something that the core can do without.
func (f *finder) attempt(claim *proof.Weakening, nodes int) *proof.Node {
	f.core.Proofs++
	proof, err := Prove(f.ctx, f.b, claim, nodes)
	if err != nil {
		return nil
	}
	return proof.Argument
}

func (f *finder) doubt(why string) { f.core.Minimal, f.core.NotMinimal = false, why }

// future finds the shortest prefix by bisection over the returns.
func (f *finder) future(claim *proof.Weakening) {
	var cuts []int32
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; !o.Pending() && claim.Retain[i] != proof.RetainNothing {
			cuts = append(cuts, o.Return)
		}
	}
	slices.Sort(cuts)
	low, high := -1, len(cuts)-1 // refuted at high
	for high-low > 1 {
		middle := low + (high-low)/2
		try := *claim
		try.Cut = cuts[middle]
		if f.refuted(&try) {
			high = middle
		} else {
			low = middle
		}
	}
	if high >= 0 {
		claim.Cut = cuts[high]
	}
}

// past finds the latest moment from which on the window is refuted whatever the state was then:
// from the end backwards in growing steps, then by bisection.
func (f *finder) past(claim *proof.Weakening) {
	if _, collection := f.b.Theory.(*model.CollectionTheory); collection || len(claim.KeepGiven(f.b.Partition.Edges)) > 0 {
		return
	}
	var moments []int32
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; o.Return < claim.Cut && f.base[i] == proof.RetainAll {
			moments = append(moments, o.Return+1)
		}
	}
	slices.Sort(moments)
	minimal, reason := f.core.Minimal, f.core.NotMinimal
	at := func(k int) bool {
		try := *claim
		try.From = moments[k]
		return f.refuted(&try)
	}
	bad, good := len(moments), -1 // not refuted from bad on; refuted at good
	for step := 1; bad > 0; step *= 2 {
		k := max(0, bad-step)
		if at(k) {
			good = k
			break
		}
		if bad = k; step > maxOperations {
			break
		}
	}
	if good >= 0 {
		for bad-good > 1 {
			if k := good + (bad-good)/2; at(k) {
				good = k
			} else {
				bad = k
			}
		}
		claim.From = moments[good]
	}
	// A moment that could not be decided costs length, not minimality of the facts that are kept.
	f.core.Minimal, f.core.NotMinimal, f.core.NoArgument = minimal, reason, ""
}

// values forgets all operations of values of a collection, with what it holds of them at the start,
// then of operations that found nothing. It returns the claim of the facts alone.
func (f *finder) values(claim *proof.Weakening) (least *proof.Weakening) {
	weak, left, err := Weaken(f.b, claim)
	if err != nil {
		f.doubt("some facts cannot be forgotten alone: " + err.Error())
		return claim
	}
	t := weak.Theory.(*model.CollectionTheory)
	type value struct{ object, v int32 }
	groups := map[value][]int32{}
	var keys []value
	var single []int32 // operations that found nothing
	for k, i := range left {
		v := value{t.Object[k], t.Value[k]}
		switch {
		case v.v == model.Anything && !weak.Partition.Ops[k].Pending():
			return f.responses(claim) // it may have taken any of the values: none can be left out
		case v.v == model.Nothing:
			single = append(single, i)
		}
		if v.v < 0 {
			continue
		}
		if groups[v] == nil {
			keys = append(keys, v)
		}
		groups[v] = append(groups[v], i)
	}
	f.drop(len(keys), func(k int) {
		for _, i := range groups[keys[k]] {
			claim.Retain[i] = proof.RetainNothing
		}
	}, claim)
	f.drop(len(single), func(k int) { claim.Retain[single[k]] = proof.RetainNothing }, claim)
	for _, k := range keys {
		if claim.Retain[groups[k][0]] != proof.RetainNothing {
			f.core.Facts = append(f.core.Facts, Fact{ValueFact, groups[k]})
		}
	}
	for _, i := range single {
		if claim.Retain[i] == proof.RetainAll {
			f.core.Facts = append(f.core.Facts, Fact{EmptyFact, []int32{i}})
		}
	}
	return claim
}

// responses forgets that operations returned, then what they returned. It returns the claim of the
// facts alone; in the other, results stay with which the argument is shorter.
func (f *finder) responses(claim *proof.Weakening) (least *proof.Weakening) {
	ops := f.completed(claim)
	f.drop(len(ops), func(k int) { claim.Retain[ops[k]] = proof.RetainCall }, claim)
	ops = slices.DeleteFunc(ops, func(i int32) bool { return claim.Retain[i] != proof.RetainAll })
	for _, i := range ops {
		f.core.Facts = append(f.core.Facts, Fact{ResponseFact, []int32{i}})
	}
	if claim.View == 0 {
		ops = slices.DeleteFunc(ops, f.resultSaysNothing())
	}
	facts := *claim
	facts.Retain = slices.Clone(claim.Retain)
	f.drop(len(ops), func(k int) { facts.Retain[ops[k]] = proof.RetainResponse }, &facts)
	var spare []int32
	for _, i := range ops {
		if facts.Retain[i] == proof.RetainAll {
			f.core.Facts = append(f.core.Facts, Fact{ResultFact, []int32{i}})
		} else {
			spare = append(spare, i)
		}
	}
	if len(spare) > maxResults {
		*claim = facts
		return claim
	}
	var first *proof.Node
	if len(spare) > 0 {
		first = f.attempt(claim, finalNodes)
	}
	for _, i := range spare {
		claim.Retain[i] = proof.RetainResponse
		if first != nil {
			if other := f.attempt(claim, searchNodes); other != nil && other.Size().Steps <= first.Size().Steps {
				continue
			}
			claim.Retain[i] = proof.RetainAll
		}
	}
	return &facts
}

// resultSaysNothing tells of an operation whether forgetting its result would make no difference (a
// lock's).
func (f *finder) resultSaysNothing() func(i int32) bool {
	forgotten := &proof.Weakening{Cut: history.Never, Retain: make([]proof.Retained, f.b.Partition.Len())}
	for i := range forgotten.Retain {
		forgotten.Retain[i] = proof.RetainResponse
	}
	weak, _, err := Weaken(f.b, forgotten)
	if err != nil {
		return func(int32) bool { return false }
	}
	with, ok := f.b.Theory.(*model.RegisterTheory)
	without, also := weak.Theory.(*model.RegisterTheory)
	if !ok || !also || with.Values != without.Values {
		return func(int32) bool { return false }
	}
	return func(i int32) bool { return sameModes(with.Of(i), without.Of(i)) }
}

// results forgets what operations returned, for specifications without axioms: forgetting responses
// or order makes the judge's search too long.
func (f *finder) results(claim *proof.Weakening) {
	ops := f.completed(claim)
	f.drop(len(ops), func(k int) { claim.Retain[ops[k]] = proof.RetainResponse }, claim)
	for _, i := range ops {
		if claim.Retain[i] == proof.RetainAll {
			f.core.Facts = append(f.core.Facts, Fact{ResultFact, []int32{i}})
		}
	}
	f.core.Besides = []string{AllResponses, AllOrder}
	f.besidesStart(claim)
}

// completed lists the operations that returned in the window of the claim, of which everything is
// kept, the latest first.
func (f *finder) completed(claim *proof.Weakening) []int32 {
	var ops []int32
	for i := range f.b.Partition.Ops {
		if o := &f.b.Partition.Ops[i]; claim.Retain[i] == proof.RetainAll && o.Return <= claim.Cut && !o.Pending() && o.Return >= claim.From {
			ops = append(ops, int32(i))
		}
	}
	slices.SortFunc(ops, func(x, y int32) int { return cmp.Compare(f.b.Partition.Ops[x].Return, f.b.Partition.Ops[y].Return) })
	return ops
}

// drop forgets as many of n facts as it can, given how to forget one: in blocks of half of them, a
// quarter, and so on down to one. forget changes claim.Keep.
func (f *finder) drop(n int, forget func(k int), claim *proof.Weakening) {
	kept := make([]int, n)
	for k := range kept {
		kept[k] = k
	}
	for size := max(1, n/2); n > 0; size /= 2 {
		if f.ctx.Err() != nil {
			f.doubt("the time was up")
			return
		}
		for at := 0; at < len(kept); {
			end := min(at+size, len(kept))
			before := slices.Clone(claim.Retain)
			for _, k := range kept[at:end] {
				forget(k)
			}
			if f.refuted(claim) {
				kept = slices.Delete(kept, at, end)
				continue
			}
			claim.Retain = before
			at = end
		}
		if size <= 1 {
			break
		}
	}
}

// finish proves the facts, keeps of all order only what the argument uses, and forgets of that what
// it can; then the initial state. Where the argument is shorter with the results that claim keeps
// besides, it is made with them.
func (f *finder) finish(claim, least *proof.Weakening) {
	f.core.Claim, f.core.Least = claim, least
	f.core.Argument = f.proved(least, finalNodes)
	if f.core.Argument == nil && claim != least {
		f.core.Argument = f.proved(claim, finalNodes)
	} else {
		f.core.Claim = least
	}
	if f.core.Argument == nil {
		if f.core.NoArgument == "" {
			f.core.NoArgument = "the axioms do not refute it"
		}
		f.unordered("no argument was found, so the order was not reduced")
		return
	}
	f.core.NoArgument = ""
	if f.core.Claim != least || !f.order(least) {
		f.unordered("the order could not be reduced")
		return
	}
	switch {
	case !f.b.Partition.HasInitial || least.AnyStart:
	case least.From == 0:
		f.start(least)
	case f.fromInit(): // which says what may be there after a past that is forgotten
		f.core.Besides = append(f.core.Besides, TheStart)
	}
	if claim != least {
		try := *claim
		try.SomeOrder, try.Order, try.SomeGiven, try.Given, try.AnyStart = true, least.Order, least.SomeGiven, least.Given, least.AnyStart
		if next := f.attempt(&try, finalNodes); next != nil && next.Size().Steps < f.core.Argument.Size().Steps {
			*claim = try
			f.core.Claim, f.core.Argument = claim, next
		}
	}
	f.core.NoArgument = ""
}

// besidesStart notes that explicit order and the initial state were kept as a whole.
func (f *finder) besidesStart(claim *proof.Weakening) {
	if len(claim.KeepGiven(f.b.Partition.Edges)) > 0 {
		f.core.Besides = append(f.core.Besides, AllGiven)
	}
	if f.b.Partition.HasInitial && claim.From == 0 && !claim.AnyStart {
		f.core.Besides = append(f.core.Besides, TheStart)
	}
}

// unordered notes that order and start were kept as a whole.
func (f *finder) unordered(why string) {
	f.doubt(why)
	f.core.Besides = []string{AllOrder}
	f.besidesStart(f.core.Least)
}

// order keeps of all order only what the argument uses, and forgets of that what it can: what is
// given first, then the longest spans of time. It reports whether it could.
func (f *finder) order(least *proof.Weakening) bool {
	p := f.b.Partition
	try := *least
	try.SomeOrder, try.Order = true, usedOrder(f.core.Argument, proof.RT)
	if len(least.KeepGiven(p.Edges)) > 0 {
		try.SomeGiven, try.Given = true, usedOrder(f.core.Argument, proof.EDGE)
	}
	next := f.proved(&try, finalNodes)
	if next == nil {
		return false
	}
	*least, f.core.Argument = try, next
	length := func(e [2]int32) int32 { return p.Ops[e[1]].Call - p.Ops[e[0]].Return }
	slices.SortFunc(least.Order, func(x, y [2]int32) int { return cmp.Compare(length(y), length(x)) })
	for _, list := range []func(*proof.Weakening) *[][2]int32{
		func(c *proof.Weakening) *[][2]int32 { return &c.Given },
		func(c *proof.Weakening) *[][2]int32 { return &c.Order },
	} {
		for k := 0; k < len(*list(least)); {
			try := *least
			*list(&try) = slices.Delete(slices.Clone(*list(least)), k, k+1)
			if !f.adopt(least, &try) {
				k++
			}
		}
	}
	for _, e := range least.Given {
		f.core.Facts = append(f.core.Facts, Fact{GivenFact, []int32{e[0], e[1]}})
	}
	for _, e := range least.Order {
		f.core.Facts = append(f.core.Facts, Fact{EdgeFact, []int32{e[0], e[1]}})
	}
	return true
}

// adopt takes a weaker claim over if it is refuted and can be proved.
func (f *finder) adopt(least, weaker *proof.Weakening) bool {
	if !f.refuted(weaker) {
		return false
	}
	next := f.proved(weaker, finalNodes)
	if next == nil {
		f.doubt("some facts could not be tried within the limits")
		return false
	}
	*least, f.core.Argument = *weaker, next
	return true
}

// nearEnds reports whether counters are so large, or change by so much, that they may come from
// beyond int64.
func nearEnds(c *model.CountingTheory) bool {
	far := func(x int64) bool { return x > 1<<60 || x < -1<<60 }
	return slices.ContainsFunc(c.Init, far) || slices.ContainsFunc(c.Delta, far) || slices.ContainsFunc(c.Observed, far)
}

// fromInit reports whether the theory says nothing of other initial states.
func (f *finder) fromInit() bool {
	t, ok := f.b.Theory.(*model.RegisterTheory)
	return ok && t.FromInit
}

// start forgets the initial state that the history states, or makes it a fact. What a collection
// holds cannot be forgotten as a whole: that it matters shows where other contents explain what is
// left.
func (f *finder) start(least *proof.Weakening) {
	if t, ok := f.b.Theory.(*model.CollectionTheory); f.fromInit() {
		f.doubt("other initial states could not be tried")
	} else if !ok {
		try := *least
		try.AnyStart = true
		if f.adopt(least, &try) {
			return
		}
	} else if !f.otherContents(least, t) {
		f.doubt("not all other initial contents could be tried")
	}
	f.core.Facts = append(f.core.Facts, Fact{InitialFact, nil})
}

// usedOrder lists the facts of order that an argument names by an axiom: RT for real time, EDGE for
// what is given.
func usedOrder(a *proof.Node, axiom proof.Axiom) [][2]int32 {
	seen := map[[2]int32]bool{}
	var order [][2]int32
	a.Each(func(s *proof.Step) {
		if s.Axiom == axiom && len(s.Args) == 2 {
			if e := [2]int32{s.Args[0], s.Args[1]}; !seen[e] {
				seen[e] = true
				order = append(order, e)
			}
		}
	})
	return order
}

func count(flags []bool) int {
	n := 0
	for _, f := range flags {
		if f {
			n++
		}
	}
	return n
}

func sortedEdges(edges []history.Edge) []history.Edge {
	slices.SortFunc(edges, func(x, y history.Edge) int {
		return cmp.Or(cmp.Compare(x.After, y.After), cmp.Compare(x.Before, y.Before))
	})
	return slices.Compact(edges)
}
