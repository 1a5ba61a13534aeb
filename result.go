package linsat

import (
	"time"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/spec"
	"github.com/linsat/linsat/verdict"
)

// Result is what Check found out. The zero value claims nothing. Package report puts it into words
// and pictures, with the argument for a violation.
type Result struct {
	Verdict Verdict
	Cause   verdict.Cause // why the verdict is Unknown
	Detail  string        // more about the cause, or ""

	Spec    spec.Spec
	Engines []string        // the engines that answered, by number of partitions, most first
	Quasi   *quasi.Question // nil for plain linearizability
	Least   *Least          // the least bound, where it was asked for
	// Partitions is how many partitions the history has, and PartitionVerdicts the verdict on each,
	// in the order of their first operations. Under First, or when a limit was reached, some are
	// Unknown.
	Partitions        int
	PartitionVerdicts []PartitionVerdict
	// Certified reports whether the verifier confirmed the verdict; Uncertified says why not.
	Certified   bool
	Uncertified string
	Effort      verdict.Effort
	Took        time.Duration // of Check, without reading

	// Witness of a linearizable history: positions in History.Ops of the operations that take
	// effect, in an order that proves it. Under a quasi factor it is ρ′ of the only partition; the
	// numbers of drains follow those of the operations.
	Witness []history.OpID
	// Rearranged is ρ″, in the same numbering, and Drains the number of operations that draining
	// added.
	Rearranged []history.OpID
	Drains     int

	// Unplaced of a violation: the operation that ends the shortest prefix of the history without a
	// linearization, or -1 if it is not known. It takes effect nowhere between its call and its
	// return.
	Unplaced history.OpID
	// Core of a violation: the completed operations that it rests on. A history of these and any of
	// the others is a violation, too. Where the reason is a count of all operations these are all
	// that returned up to Unplaced. It is nil if they are not known.
	Core []history.OpID

	all *result.Result // what Certify and package report need besides; nil: it claims nothing
}

func init() {
	result.Of = func(public any) *result.Result {
		switch r := public.(type) {
		case Result:
			return r.whole()
		case *Result:
			return r.whole()
		case OpsResult:
			return r.whole()
		}
		return nil
	}
}

// whole is all that was found out. It must not be changed.
func (r *Result) whole() *result.Result {
	if r == nil || r.all == nil {
		return &result.Result{}
	}
	return r.all
}

// PartitionVerdict is the verdict on one partition of a history.
type PartitionVerdict struct {
	Verdict Verdict
	Cause   verdict.Cause // why it is Unknown
	Detail  string        // more about the cause, or ""
	Engine  string        // that answered, or ""
	By      string        // the engine and, after a slash, its technique that decided: "search/few"

	part *model.Partition
}

// Name is the partition's key, object or element, "" if the history is not split.
func (v *PartitionVerdict) Name() string {
	if v == nil || v.part == nil {
		return ""
	}
	return v.part.Name
}

// Operations lists the operations of the partition, as positions in History.Ops.
func (v *PartitionVerdict) Operations() []history.OpID {
	if v == nil || v.part == nil {
		return nil
	}
	all := make([]history.OpID, len(v.part.Ops)-v.part.Drains)
	for i := range all {
		all[i] = v.part.Global(history.OpID(i))
	}
	return all
}

// Least is what is known of the least quasi bound: it is at least Low and at most High, which is
// quasi.Unbounded if no bound is known to suffice.
type Least struct {
	Low, High int32
	// Certified reports whether the verifier confirmed that no bound below Low suffices.
	Certified bool
}

// Settled reports whether the least bound is known.
func (l *Least) Settled() bool { return l != nil && l.Low == l.High }

// public is the part of a result that users see.
func public(r *result.Result) Result {
	p := Result{
		Verdict: r.Verdict, Cause: r.Cause, Detail: r.Detail, Spec: r.Spec, Engines: r.Engines, Quasi: r.Quasi,
		Partitions: r.Partitions, Certified: r.Certified, Uncertified: r.Uncertified,
		Effort: r.Effort, Took: r.Took, Witness: r.Witness, Rearranged: r.Rearranged, Drains: r.Drains,
		Unplaced: -1, all: r,
	}
	for i := range r.PartitionVerdicts {
		v := &r.PartitionVerdicts[i]
		p.PartitionVerdicts = append(p.PartitionVerdicts, PartitionVerdict{Verdict: v.Verdict, Cause: v.Cause,
			Detail: v.Detail, Engine: v.Engine, By: v.By, part: r.PartitionVerdicts[i].Partition})
	}
	if l := r.Least; l != nil {
		p.Least = &Least{Low: l.Low, High: l.High, Certified: l.Certified}
	}
	if r.Verdict == engine.NotLinearizable {
		if r.Failure != nil {
			p.Unplaced = r.Partition.Global(r.Failure.Op)
		}
		p.Core = r.RestsOn()
	}
	return p
}
