package explain

// The finished core. Every way of finding one records its facts with keep, and with rests the
// weakening that it refutes and what it rests on besides; nothing else sets these.

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/proof"
)

// keep adds a fact to the core. Not inlined: it has many callers.
//
//go:noinline
func (f *finder) keep(kind FactKind, operations ...history.OpID) {
	f.core.Facts = append(f.core.Facts, Fact{kind, operations})
}

// rests sets the weakening that the core refutes, the one that retains its facts alone, and what
// was kept as a whole: what the caller names, and explicit order and the initial state where least
// still has them.
func (f *finder) rests(weakening, least *proof.Weakening, whole ...string) {
	f.core.Weakening, f.core.Least, f.core.Besides = weakening, least, whole
	if len(least.KeepGiven(f.b.Partition.Edges)) > 0 {
		f.core.Besides = append(f.core.Besides, AllGiven)
	}
	if f.b.Partition.HasInitial && least.From == 0 && !least.AnyStart {
		f.core.Besides = append(f.core.Besides, TheStart)
	}
}

// finish concludes the core, and tries facts again that could not be tried within the limits.
func (f *finder) finish(weakening, least *proof.Weakening) {
	f.conclude(weakening, least)
	f.again()
}

// conclude proves that the facts are refuted, retains only the order that the argument uses, drops
// as much of that as it can, and then the initial state. If the argument is shorter with the
// additional results that weakening retains, it is built with them.
func (f *finder) conclude(weakening, least *proof.Weakening) {
	f.core.Weakening, f.core.Least = weakening, least
	f.core.Argument = f.proved(least, DefaultNodes)
	if f.core.Argument == nil && weakening != least {
		f.core.Argument = f.proved(weakening, DefaultNodes)
	} else {
		f.core.Weakening = least
	}
	if f.core.Argument == nil {
		if f.core.NoArgument == "" {
			f.core.NoArgument = "the axioms do not refute it"
		}
		f.unordered("no argument was found, so the order was not reduced")
		return
	}
	f.core.NoArgument = ""
	if f.core.Weakening != least || !f.order(least) {
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
	if weakening != least {
		try := *weakening
		try.SomeOrder, try.Order, try.SomeGiven, try.Given, try.AnyStart = true, least.Order, least.SomeGiven,
			least.Given, least.AnyStart
		if next := f.attempt(&try, DefaultNodes); next != nil && next.Size().Steps < f.core.Argument.Size().Steps {
			*weakening = try
			f.core.Weakening, f.core.Argument = weakening, next
		}
	}
	f.core.NoArgument = ""
}

// settle falls back on the argument found so far: the core keeps what that argument needs.
func (f *finder) settle() {
	weakening, argument := &f.inHand.weakening, f.inHand.argument
	if weakest, err := Weakest(f.b, weakening, argument); err == nil {
		weakening = weakest
	}
	f.core.Argument, f.core.NoArgument, f.core.Facts = argument, "", nil
	silent := f.resultSaysNothing()
	for _, i := range RetainedOps(f.b, weakening, proof.RetainResponse) {
		f.keep(ResponseFact, i)
		if weakening.Of(i) == proof.RetainAll && !silent(i) {
			f.keep(ResultFact, i)
		}
	}
	for _, e := range weakening.Order {
		f.keep(EdgeFact, e[0], e[1])
	}
	if weakening.SomeOrder {
		f.rests(weakening, weakening)
	} else {
		f.rests(weakening, weakening, AllOrder)
	}
	f.doubt("it is what an argument needs that was found on the way")
}

// unordered records that the order and the initial state were kept as a whole.
func (f *finder) unordered(why string) {
	f.doubt(why)
	f.rests(f.core.Weakening, f.core.Least, AllOrder)
}
