// Package result holds all that a check found out. The root shows users a part of it; package
// report, the command and tests read the rest.
package result

import (
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/quasi"
)

// Result is what a check found out. The zero value claims nothing.
type Result struct {
	Verdict engine.Verdict
	Cause   engine.Cause // why the verdict is Unknown
	Detail  string       // more about the cause, or ""

	Spec       model.Spec
	Engines    []string        // the engines that answered, by number of partitions, most first
	Quasi      *quasi.Question // nil for plain linearizability
	Least      *Least          // the least bound, where it was asked for
	Partitions int             // how many partitions the history has
	Drains     int             // operations that draining added
	// Certified reports whether the verifier confirmed the verdict; Uncertified says why not.
	Certified   bool
	Uncertified string
	Effort      engine.Effort
	Took        time.Duration // of Check, without reading

	// Witness of a linearizable history: positions in History.Ops of the operations that take
	// effect, in an order that proves it. Under a quasi factor it is ρ′ of the only partition; the
	// numbers of drains follow those of the operations.
	Witness []history.OpID
	// Rearranged is ρ″, in the same numbering.
	Rearranged []history.OpID

	// PartitionVerdicts holds the verdict on every partition, in the order of their first
	// operations, or of a linearizable history perhaps one on all of it. Under First, or when a
	// limit was reached, some are Unknown.
	PartitionVerdicts []PartitionVerdict
	// Asked lists what each engine said, if all were asked to the end.
	Asked []Asked
	// SMT names the SMT solver that was asked about a partition that stayed undecided, or "".
	SMT string

	// Partition is the one that is not linearizable: the first in the order of PartitionVerdicts,
	// or any if First was given. If there is none, it is one that stayed undecided; nil for a
	// linearizable history.
	Partition *model.Partition
	// Bound is the specification bound to Partition, or Bind does that when it is needed: Instance
	// returns it.
	Bound *model.Instance
	Bind  func() *model.Instance
	// Failure of a violation, in positions of Partition, if an engine knows it.
	Failure *engine.Failure
	// Reached and Given are, of a violation that was not explained, how far an engine came, and the
	// evidence that it gave, which is not verified.
	Reached history.Rank
	Given   proof.Proof
	// Unlocated says why there is no Failure, where that is not for lack of time.
	Unlocated string
	// Proof of a violation in Partition that the verifier confirmed, so that Certified is set; else
	// nil. It is the proof of Core if there is one, else that of an engine or of trying all orders.
	Proof proof.Proof
	// Core of a violation: facts that refute Partition; nil if none was found.
	Core *explain.Core
	// MoreCores are, where they were asked for, further cores that share no fact with it or each
	// other.
	MoreCores []*explain.Core
	NoCore    string              // explain.Reasons.NoCore
	Held      *proof.HoldConflict // explain.Reasons.Held
	// OldReads shows the answer to the question how old reads may be, where it is certified; that
	// question has no partitions, proofs or cores.
	OldReads *stale.Certificate
	// Furthest holds configurations in which the fewest completed operations are left, of all that
	// an Exhaustion tried.
	Furthest []engine.Configuration

	// Others are the explanations of further partitions that are not linearizable, where they were
	// asked for: results that differ from this one in what is about Partition.
	Others []Result

	Partitioning model.Partitioning // how the history was split
}

// PartitionVerdict is what was found out about one partition.
type PartitionVerdict struct {
	Partition *model.Partition
	Verdict   engine.Verdict
	Cause     engine.Cause // why it is Unknown
	Detail    string       // more about the cause, or ""
	Engine    string       // that answered, or ""
	By        string       // engine and, after a slash, the technique that decided: "search/few"
	// Witness and Rearranged of a linearizable one, replayed, in positions of the partition.
	Witness, Rearranged []history.OpID
	Drains              int
}

// Asked is an engine under All, and of how many partitions it gave the verdict (NoCause), or none
// for the same cause, or was not asked at all, and why not.
type Asked struct {
	Engine     string
	Cause      engine.Cause
	Not        string
	Partitions int
}

// Least is what is known of the least bound: it lies between Low and High. Both are equal once it
// is settled; quasi.Unbounded stands for "no bound helps".
type Least struct {
	Low, High int32
	// Refuted is the partition that is not quasi-linearizable at Low-1, bound to its specification,
	// and Below the answer that says so, to the question Asked; nil where Low is 0.
	Refuted *model.Instance
	Below   *engine.Answer
	Asked   *quasi.Question
	// Certified reports whether the verifier confirmed that refutation.
	Certified bool
}

// Settled reports whether the least bound is known.
func (l *Least) Settled() bool { return l.Low == l.High }

// Instance is the specification bound to Partition, nil without one.
func (r *Result) Instance() *model.Instance {
	if r.Bound == nil && r.Bind != nil {
		return r.Bind()
	}
	return r.Bound
}

// Explained is a violation with reasons.
func (r Result) Explained(e explain.Reasons) Result {
	r.Failure, r.Unlocated, r.Certified, r.Uncertified = e.Failure, e.Unlocated, e.Certified, e.Uncertified
	r.Proof, r.Core, r.MoreCores, r.Furthest, r.Held = e.Proof, e.Core, e.MoreCores, e.Furthest, e.Held
	r.NoCore = e.NoCore
	return r
}

// IsAbout reports whether the partitions of the result, if it has some, are of a history with the
// operations of h.
func (r *Result) IsAbout(h *history.History) bool {
	of := r.Partition
	if of == nil && len(r.PartitionVerdicts) > 0 {
		of = r.PartitionVerdicts[0].Partition
	}
	if of == nil || of.History == nil || of.History == h {
		return true
	}
	mine, theirs := of.History.Values, h.Values
	if theirs == nil || mine.Len() != theirs.Len() || !slices.Equal(of.History.Ops, h.Ops) {
		return false
	}
	for v := range history.Value(mine.Len()) {
		if mine.Format(v) != theirs.Format(v) {
			return false
		}
	}
	return true
}

// DecidedBy lists the engines and techniques that the verdict comes from, as "search/few": of a
// violation the one that refuted the first refuted partition, else by number of partitions, most
// first.
func (r *Result) DecidedBy() []string {
	of := map[string]int{}
	for i := range r.PartitionVerdicts {
		switch v := &r.PartitionVerdicts[i]; v.Verdict {
		case engine.NotLinearizable:
			return []string{v.By}
		case engine.Linearizable:
			of[v.By]++
		}
	}
	return ByNumber(of)
}

// ByNumber lists names, those that stand for most first.
func ByNumber(of map[string]int) []string {
	names := slices.Sorted(maps.Keys(of))
	sort.SliceStable(names, func(i, j int) bool { return of[names[i]] > of[names[j]] })
	return names
}

// RestsOn lists the completed operations that a violation rests on, as positions in History.Ops: a
// history of these and any of the others is a violation, too. Where the reason is a count or a sum
// of all operations, or depends on what the others are, these are all that returned in the shortest
// prefix that is a violation. It is nil if they are not known.
func (r *Result) RestsOn() []history.OpID {
	var weakening *proof.Weakening
	var core []history.OpID
	switch {
	case r.OldReads != nil && r.OldReads.Core != nil:
		return r.OldReads.Core.Operations
	case r.Core != nil:
		weakening = r.Core.Least
	case r.Proof == nil:
		return nil
	case r.Proof.Kind() == proof.KindExhaustion, r.Proof.Kind() == proof.KindPairing,
		r.Proof.Kind() == proof.KindSaturation, r.Proof.Kind() == proof.KindClausal:
		weakening = r.Proof.Refutes()
	case r.Proof.Kind() == proof.KindCollectionConflict:
		for _, i := range r.Proof.Operations(r.Instance()) {
			if r.Partition.Ops[i].Pending() { // what needs it to take effect is not named
				return r.prefix()
			}
			core = append(core, r.Partition.Global(i))
		}
		return core
	default:
		return r.prefix()
	}
	cut := weakening.Cut
	if r.Failure != nil && r.Core == nil && r.Plain() && weakening.Retain == nil {
		// the prefix that ends there is a violation
		cut = min(cut, r.Failure.Cut)
	}
	for i := range r.Partition.Ops {
		kept := weakening.Of(history.OpID(i))
		if r.Partition.Ops[i].Return <= cut && !r.Partition.Ops[i].Pending() && (kept == proof.RetainAll ||
			kept == proof.RetainResponse) {
			core = append(core, r.Partition.Global(history.OpID(i)))
		}
	}
	return core
}

// Plain reports whether the question is that of linearizability, be it as a factor of which all
// bounds are 0. Then the proof and the reasons of a violation are those of linearizability.
func (r *Result) Plain() bool { return r.Quasi == nil || r.Quasi.Plain() }

// prefix lists what returned in the shortest prefix that is a violation; nil if that is not known.
func (r *Result) prefix() []history.OpID {
	if r.Failure == nil {
		return nil
	}
	var ops []history.OpID
	for i := range r.Partition.Ops {
		if r.Partition.Ops[i].Return <= r.Failure.Cut {
			ops = append(ops, r.Partition.Global(history.OpID(i)))
		}
	}
	return ops
}

// Of returns all that is behind a linsat.Result, a pointer to one or a linsat.OpsResult, nil for
// anything else. Package linsat sets it. What it returns must not be changed.
var Of func(public any) *Result
