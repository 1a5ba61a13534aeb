package words

import (
	"fmt"
	"slices"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wide"
)

// Evidence puts the evidence of an engine into English, for a partition of which there is
// no argument; the verifier has accepted it. It returns the sentences and the operations that they
// name, by position in the partition. name gives the full text of an operation.
func Evidence(b *model.Instance, evidence proof.Proof,
	name func(op history.OpID) string) (sentences []claim.Sentence, operations []history.OpID, err error) {
	return (&witnessed{b: b, name: name}).tell(evidence)
}

func (w *witnessed) tell(evidence proof.Proof) (sentences []claim.Sentence, operations []history.OpID, err error) {
	b := w.b
	w.claims = []claim.Claim{claim.Certified{}}
	text, more := "", []claim.Sentence(nil)
	switch e := evidence.(type) {
	case *proof.CollectionConflict:
		text = w.collection(e)
	case *proof.RegisterConflict:
		text = w.cells(e)
	case *proof.SumConflict:
		text, err = w.sum(e)
	case *proof.LogConflict:
		text, err = w.log(e)
	case *proof.HoldConflict:
		text, err = w.holds(e)
	case *proof.GrowthConflict:
		text = w.growth(e)
		more = grownWrong(b)
	case *proof.DualBound:
		text = w.prices(e)
	case *proof.DependencyCycles:
		text = w.transactions(e)
	}
	if err != nil {
		return nil, nil, err
	}
	judge := claim.Of(b, w.view)
	if !judge.All(w.claims) {
		w.claims, w.ops = []claim.Claim{claim.Certified{}}, nil
		text = w.stated(evidence)
	}
	sentences = []claim.Sentence{claim.Say("CONTRADICTION: "+text+".", w.claims[0], w.claims[1:]...)}
	for _, s := range more {
		if judge.All(s.Claims()) {
			sentences = append(sentences, s)
		}
	}
	return sentences, inorder.Distinct(w.ops), nil
}

// stated is the sentence about evidence whose own words do not hold of the whole partition.
func (w *witnessed) stated(evidence proof.Proof) string {
	var names []string
	for _, i := range evidence.Operations(w.b) {
		names = append(names, w.op(i))
	}
	if len(names) == 1 {
		return names[0] + " does not fit the others"
	}
	return listed(names) + " do not fit each other"
}

// witnessed tells one piece of evidence.
type witnessed struct {
	b    *model.Instance
	name func(op history.OpID) string
	ids  bool // values are named with an operation on them
	ops  []history.OpID
	// claims are what the sentence says of the partition, or of a view of it.
	claims []claim.Claim
	view   int32
}

// claim notes what the sentence says of the partition. Not inlined: it has many callers.
//
//go:noinline
func (w *witnessed) claim(claims ...claim.Claim) { w.claims = append(w.claims, claims...) }

// op names an operation, and the state at the start or the end where that stands in its place.
func (w *witnessed) op(i history.OpID) string {
	switch {
	case i == proof.Initial:
		return "the start"
	case i < 0 || int(i) >= w.b.Partition.Len():
		return "the end"
	}
	w.ops = append(w.ops, i)
	return w.name(i)
}

// listed joins items, the first ones of many.
func listed(items []string) string {
	if rest := len(items) - maxListed; rest > 1 {
		items = append(items[:maxListed:maxListed], fmt.Sprintf("%d others", rest))
	}
	return join(items)
}

// values names values of a collection, by the operations that put them in or else find them.
func (w *witnessed) values(t *model.CollectionTheory, values []int32) string {
	n := &valueNames{w: &proof.Window{Partition: w.b.Partition}}
	text := map[int32]string{}
	for i := range t.Value {
		if v := t.Value[i]; v >= 0 && slices.Contains(values, v) {
			if _, known := text[v]; !known {
				text[v] = n.content(t, history.OpID(i))
				if w.ids {
					text[v] += " (#" + w.b.Partition.ID(history.OpID(i)) + ")"
				}
			}
			w.ops = append(w.ops, history.OpID(i))
		}
	}
	var items []string
	for _, v := range values {
		item, known := text[v]
		if !known {
			item = "an item that is there at the start"
		}
		items = append(items, item)
	}
	return listed(items)
}

func (w *witnessed) collection(e *proof.CollectionConflict) string {
	t := w.b.Taken()
	switch e.Rule {
	case proof.RemovedTwice:
		w.claim(claim.TakenOut{Removals: []history.OpID{e.Op, e.Other}}, claim.PutInAtMost{Of: e.Op, Times: 1})
		return fmt.Sprintf("%s and %s both take out %s, which is put in once at most", w.op(e.Op), w.op(e.Other),
			w.values(t, e.Values))
	case proof.NeverInserted:
		w.claim(claim.NeverPutIn{Removal: e.Op})
		return fmt.Sprintf("%s: nothing puts in %s", w.op(e.Op), w.values(t, e.Values))
	case proof.Overdrawn:
		w.claim(claim.Overdrawn{By: e.Op})
		return fmt.Sprintf("by the return of %s, %s was taken out more often than it can have been put in", w.op(e.Op),
			w.values(t, e.Values))
	case proof.Disordered:
		w.claim(claim.WrongWayRound{First: e.Op, Second: e.Other})
		return fmt.Sprintf("%s returned before %s was called, but what is done to %s has to come in the other order",
			w.op(e.Op), w.op(e.Other), w.values(t, e.Values))
	case proof.Covered:
		w.claim(claim.Occupied{Op: e.Op, Values: e.Values})
		return fmt.Sprintf("%s found nothing, but at every moment while it was open something was there: one of %s",
			w.op(e.Op), w.values(t, e.Values))
	case proof.Outranked:
		w.claim(claim.Occupied{Op: e.Op, Values: e.Values})
		return fmt.Sprintf(
			"at every moment at which %s can have taken effect, something that goes before it was there: one of %s",
			w.op(e.Op), w.values(t, e.Values))
	case proof.Blocked:
		w.claim(claim.NoneFirst{Values: e.Values})
		return fmt.Sprintf(
			"none of %s can have been pushed first: each has an operation that was open only while others of them "+
				"were certainly there", w.values(t, e.Values))
	case proof.Overtaken:
		w.claim(claim.Ahead{Value: e.Values[0], Via: e.Via, Others: e.Values[1:]})
		first := w.values(t, e.Values[:1])
		ahead := fmt.Sprintf("%s went in before %s", w.values(t, e.Values[1:]), first)
		if e.Via >= 0 {
			via := w.values(t, []int32{e.Via})
			ahead = fmt.Sprintf("%s went in before %s, which was at the front before %s", w.values(t, e.Values[1:]),
				via, first)
		}
		them := "all of them"
		if len(e.Values) == 2 {
			them = w.values(t, e.Values[1:])
		}
		return fmt.Sprintf("%s; but %s was at the front before %s can have left", ahead, first, them)
	}
	w.claim(claim.EachFirst{A: e.Values[0], B: e.Values[1]})
	x, y := w.values(t, e.Values[:1]), w.values(t, e.Values[1:])
	return fmt.Sprintf("%s was at the front before %s was there for the last time, and %s before %s was", x, y, y, x)
}

func (w *witnessed) cells(e *proof.RegisterConflict) string {
	op := func(k int) string { return w.op(e.Ops[k]) }
	before := func(a, b int) claim.Claim { return claim.Before{A: e.Ops[a], B: e.Ops[b]} }
	switch e.Rule {
	case proof.RegisterNoMode:
		w.claim(claim.Impossible{Op: e.Ops[0]})
		return op(0) + " contradicts itself"
	case proof.RegisterUnwritten:
		w.claim(claim.NeverLeft{By: e.Ops[0], Mode: -1})
		return op(0) + " must find a value that nothing leaves behind"
	case proof.RegisterCircle:
		w.claim(claim.OnlyThrough{Op: e.Ops[0], Finds: e.Ops[0]})
		return fmt.Sprintf("what %s must find, only it can have brought about", op(0))
	case proof.RegisterTwoTakers:
		w.claim(claim.TakesAway{A: e.Ops[0], B: e.Ops[1]}, claim.LeftOnce{Finds: e.Ops[0]})
		return fmt.Sprintf("%s and %s both take away one value, which is left behind once only", op(0), op(1))
	case proof.RegisterBackwards:
		w.claim(before(1, 0))
		through := claim.OnlyThrough{Op: e.Ops[0], Finds: e.Ops[1]}
		if holds, err := claim.Of(w.b, 0).Holds(through); err != nil || !holds {
			return fmt.Sprintf(
				"what %s and %s find and leave can only come of one write, and %s comes first then, yet it was "+
					"called after the other returned", op(0), op(1), op(0))
		}
		w.claim(through)
		return fmt.Sprintf(
			"%s must find what %s leads to, since nothing else does, yet it returned before that was called", op(1),
			op(0))
	case proof.RegisterEntangled:
		w.claim(before(0, 3), before(2, 1))
		return fmt.Sprintf(
			"what %s and %s find and leave can only come of one write, what %s and %s of another, and nothing comes "+
				"in between the operations of one write; but %s precedes %s, and %s precedes %s",
			op(0), op(1), op(2), op(3), op(0), op(3), op(2), op(1))
	}
	w.claim(before(0, 1), before(1, 2), claim.LeftOnce{Finds: e.Ops[2]}, claim.LeavesOrFinds{Op: e.Ops[0],
		Finds: e.Ops[2]}, claim.FindsAnother{Op: e.Ops[1], Finds: e.Ops[2]})
	return fmt.Sprintf(
		"%s finds a value that is left behind once only, and it is there from %s on; but %s lies in between and "+
			"finds another", op(2), op(0), op(1))
}

// sum says what a counter was, what certainly changed it, and what else may have.
func (w *witnessed) sum(e *proof.SumConflict) (string, error) {
	parts, err := verify.SumOf(w.b, e)
	if err != nil {
		return "", err
	}
	w.view = e.View
	if parts.Skipped {
		w.claim(claim.OneWay{As: e.After})
		return w.skipped(e, parts), nil
	}
	w.claim(claim.Sum{After: e.After, By: e.Op, Inside: parts.Certain, Maybe: parts.Free})
	for _, x := range parts.Certain {
		w.claim(claim.Before{A: x, B: e.Op}, claim.Before{A: e.After, B: x})
	}
	t := parts.Theory
	total, low, high := parts.Before, wide.Int{}, wide.Int{}
	for _, x := range parts.Certain {
		total = total.Add(t.Delta[x])
	}
	for _, x := range parts.Free {
		if d := t.Delta[x]; d < 0 {
			low = low.Add(d)
		} else {
			high = high.Add(d)
		}
	}
	from := "it"
	if parts.View != nil {
		from = parts.View.What
	}
	from += " is " + parts.Before.String()
	if e.After >= 0 {
		from += " after " + w.op(e.After)
	} else {
		from += " at the start"
	}
	free := "nothing else can come before"
	if len(parts.Free) > 0 {
		free = fmt.Sprintf("of %s that may come before, none, some or all add from %s to %s",
			some(len(parts.Free), "operation"), low.String(), high.String())
	}
	return fmt.Sprintf(
		"%s; %s that certainly come before %s make that %s; %s, which never makes the %d that it observed",
		from, some(len(parts.Certain), "operation"), w.op(e.Op), total.String(), free, parts.Observed), nil
}

// skipped says what an observation leaves out.
func (w *witnessed) skipped(e *proof.SumConflict, parts verify.SumParts) string {
	t := parts.Theory
	way, to := "up", wide.Of(t.Observed[e.After]).Add(t.Delta[e.After])
	if t.Delta[e.After] < 0 {
		way = "down"
	}
	text := fmt.Sprintf("%s takes the counter from %d to %s, and %s", w.op(e.After), t.Observed[e.After],
		to.String(), w.op(e.Op))
	if parts.Observed == t.Observed[e.After] {
		return fmt.Sprintf("%s takes it away from %d, too, though nothing brings it back: it only goes %s", text,
			parts.Observed, way)
	}
	return fmt.Sprintf("%s found %d, which it never is: it only goes %s", text, parts.Observed, way)
}

// log says how two operations contradict each other about the entries of a log, or their number.
func (w *witnessed) log(e *proof.LogConflict) (string, error) {
	parts, err := verify.LogOf(w.b, e)
	if err != nil {
		return "", err
	}
	second := w.op(e.Second)
	first, start := "the initial contents", "the log begins with "+logEntries(parts.Left)
	if e.First >= 0 {
		first = w.op(e.First)
		start = fmt.Sprintf("%s leaves %s, and returned before %s was called", first, logEntries(parts.Left), second)
	}
	between := "between them"
	if e.First < 0 {
		between = "by then"
	}
	count := claim.Appended{First: e.First, Second: e.Second, Count: parts.Appends}
	switch parts.Rule {
	case verify.LogSamePlace:
		w.claim(claim.OneOffset{A: e.First, B: e.Second, Offset: parts.Offset})
		return fmt.Sprintf("%s and %s append at one offset, %d", first, second, parts.Offset), nil
	case verify.LogContents:
		w.claim(claim.Differ{A: e.First, B: e.Second, Offset: parts.Offset})
		return fmt.Sprintf("%s and %s differ about the entry at offset %d, which never changes", first, second,
			parts.Offset), nil
	case verify.LogUnwritten:
		w.claim(claim.NotAppended{By: e.Second, Offset: parts.Offset})
		return fmt.Sprintf("%s finds an entry at offset %d that no append can have put there", second, parts.Offset),
			nil
	case verify.LogMissing:
		w.claim(claim.Before{A: e.First, B: e.Second}, claim.NotFound{Read: e.Second, Append: e.First})
		return fmt.Sprintf("%s returned before %s was called, which does not find what it appended", first, second), nil
	case verify.LogTooShort:
		w.claim(claim.Before{A: e.First, B: e.Second}, count)
		return fmt.Sprintf("%s; %s certainly took effect %s, and %s finds no more than %s", start,
			some(int(parts.Appends), "append"), between, second, logEntries(parts.Found)), nil
	}
	count.AtMost = true
	w.claim(claim.Before{A: e.First, B: e.Second}, count)
	return fmt.Sprintf("%s; at most %s can have taken effect %s, and %s finds %s", start, some(int(parts.Appends), "append"),
		between, second, logEntries(parts.Found)), nil
}

func logEntries(n int64) string { return Count(int(n), "entry", "entries") }

// some counts what there may be none of.
func some(n int, form string) string {
	if n == 0 {
		return "no " + form
	}
	return Count(n, form)
}

func (w *witnessed) prices(e *proof.DualBound) string {
	if len(e.Prices) == 0 {
		return "the operations that returned do not fit together, even if those that never returned may take effect " +
			"as often as one likes"
	}
	var kinds []string
	for _, x := range e.Prices {
		kinds = append(kinds, w.op(x.Op))
	}
	return fmt.Sprintf(
		"the operations that never returned are too few: what returned needs more of %s, and of others like them, "+
			"than had been called", listed(kinds))
}
