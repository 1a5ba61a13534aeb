package explain

// What a core is in the end. Every way to find one tells its facts by keep, and what it claims and
// rests on besides by rests; nothing else sets these.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// keep adds a fact to the core.
func (f *finder) keep(kind FactKind, operations ...history.OpID) {
	f.core.Facts = append(f.core.Facts, Fact{kind, operations})
}

// rests sets what the core claims, what is left of that with its facts alone, and what of it was
// kept as a whole: what is named, and explicit order and the initial state where least still has
// them.
func (f *finder) rests(claim, least *proof.Weakening, whole ...string) {
	f.core.Claim, f.core.Least, f.core.Besides = claim, least, whole
	if len(least.KeepGiven(f.b.Partition.Edges)) > 0 {
		f.core.Besides = append(f.core.Besides, AllGiven)
	}
	if f.b.Partition.HasInitial && least.From == 0 && !least.AnyStart {
		f.core.Besides = append(f.core.Besides, TheStart)
	}
}

// finish proves the facts, keeps of all order only what the argument uses, and forgets of that what
// it can; then the initial state. Where the argument is shorter with the results that claim keeps
// besides, it is made with them.
func (f *finder) finish(claim, least *proof.Weakening) {
	f.core.Claim, f.core.Least = claim, least
	f.core.Argument = f.proved(least, DefaultNodes)
	if f.core.Argument == nil && claim != least {
		f.core.Argument = f.proved(claim, DefaultNodes)
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
		if next := f.attempt(&try, DefaultNodes); next != nil && next.Size().Steps < f.core.Argument.Size().Steps {
			*claim = try
			f.core.Claim, f.core.Argument = claim, next
		}
	}
	f.core.NoArgument = ""
}

// settle makes do with the argument in hand: the core keeps what that needs.
func (f *finder) settle() {
	claim, argument := &f.inHand.claim, f.inHand.argument
	if weakest, err := Weakest(f.b, claim, argument); err == nil {
		claim = weakest
	}
	f.core.Argument, f.core.NoArgument, f.core.Facts = argument, "", nil
	silent := f.resultSaysNothing()
	for _, i := range RetainedOps(f.b, claim, proof.RetainResponse) {
		f.keep(ResponseFact, i)
		if claim.Of(i) == proof.RetainAll && !silent(i) {
			f.keep(ResultFact, i)
		}
	}
	for _, e := range claim.Order {
		f.keep(EdgeFact, e[0], e[1])
	}
	if claim.SomeOrder {
		f.rests(claim, claim)
	} else {
		f.rests(claim, claim, AllOrder)
	}
	f.doubt("it is what an argument needs that was found on the way")
}

// unordered notes that order and start were kept as a whole.
func (f *finder) unordered(why string) {
	f.doubt(why)
	f.rests(f.core.Claim, f.core.Least, AllOrder)
}
