package words

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/claim"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// growth says how the operations of a set that only grows contradict each other.
func (w *witnessed) growth(e *proof.GrowthConflict) string {
	op := func(k int) string { return w.op(e.Ops[k]) }
	element := func(k int) string {
		return w.b.Partition.History.Values.Format(model.As[*model.GrowingTheory](w.b).Values[e.Elements[k]])
	}
	has := func(k, x int) claim.Claim { return claim.Has{Op: e.Ops[k], Element: e.Elements[x]} }
	lacks := func(k, x int) claim.Claim { return claim.Lacks{Op: e.Ops[k], Element: e.Elements[x]} }
	switch e.Rule {
	case proof.GrowthTwice:
		w.claim(claim.Repeats{Op: e.Ops[0], Element: e.Elements[0]})
		return fmt.Sprintf("%s lists %s twice", op(0), element(0))
	case proof.GrowthUnadded:
		w.claim(has(0, 0), claim.NotAdded{By: e.Ops[0], Element: e.Elements[0]})
		return fmt.Sprintf("%s has %s, and nothing that can have added it was called before that returned",
			op(0), element(0))
	case proof.GrowthLost:
		w.claim(has(0, 0), lacks(1, 0), claim.Before{A: e.Ops[0], B: e.Ops[1]})
		if e.Ops[0] == proof.Initial {
			return fmt.Sprintf("%s is in the set from the start on, and %s does not find it", element(0), op(1))
		}
		return fmt.Sprintf("%s is in the set once %s returned; %s was called after that and does not find it",
			element(0), op(0), op(1))
	case proof.GrowthAddedTwice:
		w.claim(has(0, 0), lacks(0, 0), has(1, 0), lacks(1, 0))
		return fmt.Sprintf("%s and %s both found %s absent, and nothing removes it", op(0), op(1), element(0))
	case proof.GrowthIncomparable:
		w.claim(has(0, 0), lacks(0, 1), has(1, 1), lacks(1, 0))
		return fmt.Sprintf(
			"%s finds %s and not %s, %s finds %s and not %s; but one of the two was there first, and nothing is removed",
			op(0), element(0), element(1), op(1), element(1), element(0))
	}
	text := fmt.Sprintf("%s finds %s and not %s, so %s was there first; but %s has %s, and returned before ", op(0),
		element(0), element(1), element(0), op(1), element(1))
	w.claim(has(0, 0), lacks(0, 1), has(1, 1))
	if e.Rule == proof.GrowthTooEarly {
		w.claim(claim.NotAdded{By: e.Ops[1], Element: e.Elements[0]})
		return text + fmt.Sprintf("anything was called that can have added %s", element(0))
	}
	w.claim(claim.Before{A: e.Ops[1], B: e.Ops[2]}, lacks(2, 0))
	return text + fmt.Sprintf("%s was called, which does not find %s", op(2), element(0))
}

// grownFate is what became of an element, as far as reads of the whole set tell.
type grownFate struct {
	since      history.Rank // it is certainly there after this return; Never if that is not known
	called     history.Rank // of the add called first
	early      bool         // a read found it that returned before that
	twice      bool
	read       bool         // a read found it
	lost, seen history.Rank // last call of a read that misses it; that finds it
}

// grownWrong lists all elements of which something is wrong, in the words of Jepsen's checkers of
// sets.
func grownWrong(b *model.Instance) (sentences []claim.Sentence) {
	g, ops := model.As[*model.GrowingTheory](b), b.Partition.Ops
	fates := make([]grownFate, len(g.Values))
	for x := range fates {
		fates[x] = grownFate{since: history.Never, called: history.Never, lost: -1, seen: -1}
		if g.Has(g.Initial, int32(x)) {
			fates[x].since, fates[x].called = -1, -1
		}
	}
	for i := range ops {
		if x := g.Element[i]; x >= 0 {
			f := &fates[x]
			switch g.Does[i] {
			case model.GrowthAdds, model.GrowthAddsNew:
				f.called, f.since = min(f.called, ops[i].Call), min(f.since, ops[i].Return)
			case model.GrowthFinds:
				f.since = min(f.since, ops[i].Return)
			case model.GrowthRepeated:
				f.twice = true
			}
		}
	}
	for i := range ops {
		if g.Does[i] != model.GrowthReads {
			continue
		}
		for x := range fates {
			f := &fates[x]
			switch {
			case g.Has(g.Found[i], int32(x)):
				f.early = f.early || f.called > ops[i].Return
				f.read, f.seen, f.since = true, max(f.seen, ops[i].Call), min(f.since, ops[i].Return)
			case f.since < ops[i].Call:
				f.lost = max(f.lost, ops[i].Call)
			}
		}
	}
	for _, kind := range []struct {
		what  string
		wrong func(f *grownFate) bool
		claim func(elements []int32) claim.Claim
	}{
		{"Lost after a read had found them", func(f *grownFate) bool {
			return f.lost > f.seen && f.read
		}, func(x []int32) claim.Claim { return claim.Fate{Is: claim.Lost, Elements: x} }},
		{"Lost, and never read", func(f *grownFate) bool {
			return f.lost >= 0 && !f.read
		}, func(x []int32) claim.Claim { return claim.Fate{Is: claim.NeverRead, Elements: x} }},
		{"Missed by a read and found by a later one", func(f *grownFate) bool {
			return f.lost >= 0 && f.lost < f.seen
		}, func(x []int32) claim.Claim { return claim.Fate{Is: claim.FoundAgain, Elements: x} }},
		{"Unexpected: read before anything added them", func(f *grownFate) bool {
			return f.early
		}, func(x []int32) claim.Claim { return claim.Fate{Is: claim.ReadEarly, Elements: x} }},
		{"Listed twice", func(f *grownFate) bool {
			return f.twice
		}, func(x []int32) claim.Claim { return claim.Fate{Is: claim.ListedTwice, Elements: x} }},
	} {
		var elements []history.Value
		var numbers []int32
		for x := range fates {
			if kind.wrong(&fates[x]) {
				elements, numbers = append(elements, g.Values[x]), append(numbers, int32(x))
			}
		}
		if len(elements) > 0 {
			text := fmt.Sprintf("%s (%d): %s.", kind.what, len(elements),
				valueRuns(b.Partition.History.Values, elements))
			sentences = append(sentences, claim.Say(text, kind.claim(numbers)))
		}
	}
	return sentences
}

// valueRuns lists values, successive integers as "3..7".
func valueRuns(values *history.Values, list []history.Value) string {
	var numbers []int64
	var items []string
	for _, v := range list {
		if n, isInt := values.AsInt(v); isInt {
			numbers = append(numbers, n)
		} else {
			items = append(items, values.Format(v))
		}
	}
	sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
	sort.Strings(items)
	var runs []string
	for k := 0; k < len(numbers); {
		end := k
		for end+1 < len(numbers) && numbers[end] < math.MaxInt64 && numbers[end+1] == numbers[end]+1 {
			end++
		}
		switch {
		case end < k+2:
			runs, end = append(runs, fmt.Sprint(numbers[k])), k
		default:
			runs = append(runs, fmt.Sprintf("%d..%d", numbers[k], numbers[end]))
		}
		k = end + 1
	}
	runs = append(runs, items...)
	if rest := len(runs) - maxRuns; rest > 0 {
		runs = append(runs[:maxRuns], fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(runs, ", ")
}
