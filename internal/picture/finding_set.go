package picture

import (
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// Sets from which nothing is removed: an element is lost if an operation that was called after
// another had added or found it does not find it; unexpected if it is found before anything that
// can have added it was called. Where no element is wrong by itself, two are compared.

// fate is what became of an element.
type fate struct {
	x          int32
	start      bool         // it is there at the start
	add        history.OpID // the add called first, -1 for none
	since      history.Rank // it is there after this return
	twice      history.OpID // what lists it twice, -1 for none
	found      []history.OpID
	missed     []history.OpID // reads without it that were called after since
	early      history.OpID   // a read that found it and returned before any add was called, -1
	foundAfter bool           // a read called after one that missed it found it
	order      int            // those of the argument come first
}

// elements lists the elements of which something is wrong.
func (f *finder) elements() *Finding {
	g, ops := model.As[*model.GrowingTheory](f.b), f.b.Partition.Ops
	fates := f.fates(g)
	conflict, _ := f.r.Proof.(*proof.GrowthConflict)
	var wrong []*fate
	for k := range fates {
		t := &fates[k]
		if t.order = 1; conflict != nil && slices.Contains(conflict.Elements, t.x) {
			t.order = 0
		}
		switch {
		case t.twice >= 0, t.early >= 0, len(t.missed) > 0:
			wrong = append(wrong, t)
		}
	}
	if len(wrong) == 0 {
		if conflict == nil || len(conflict.Elements) < 2 {
			conflict = f.incomparable()
		}
		if conflict == nil {
			return nil
		}
		return f.compared(conflict)
	}
	sort.SliceStable(wrong, func(i, j int) bool { return wrong[i].order < wrong[j].order })
	f.p.marked[f.b.Partition.History.Values.Format(g.Values[wrong[0].x])] = true
	found := &Finding{Columns: []string{"element", "added", "found by", "missed by, though it was there", ""}}
	for k, t := range wrong {
		if k == findingRows {
			found.Notes = append(found.Notes, fmt.Sprintf("%s of which something is wrong are not listed.",
				others(len(wrong)-k)))
			break
		}
		row := FindingRow{Wrong: true, Cells: []string{f.element(t.x), f.added(t), f.reads(t.found),
			f.reads(t.missed), t.word()}}
		row.Strip = f.strip(t, g, ops)
		found.Rows = append(found.Rows, row)
	}
	found.Title = f.titleOf(wrong)
	return found
}

// fates follows all elements.
func (f *finder) fates(g *model.GrowingTheory) []fate {
	ops := f.b.Partition.Ops
	fates := make([]fate, len(g.Values))
	called := make([]history.Rank, len(g.Values))
	for x := range fates {
		fates[x] = fate{x: int32(x), add: -1, since: history.Never, twice: -1, early: -1,
			start: g.Has(g.Initial, int32(x))}
		if called[x] = history.Never; fates[x].start {
			fates[x].since, called[x] = -1, -1
		}
	}
	var reads []history.OpID
	for k := range ops {
		i, x := history.OpID(k), g.Element[k]
		if g.Does[k] == model.GrowthReads {
			reads = append(reads, i)
		}
		if x < 0 {
			continue
		}
		switch t := &fates[x]; g.Does[k] {
		case model.GrowthAdds, model.GrowthAddsNew:
			if ops[k].Call < called[x] {
				called[x], t.add = ops[k].Call, i
			}
			t.since = min(t.since, ops[k].Return)
		case model.GrowthFinds:
			t.since = min(t.since, ops[k].Return)
		case model.GrowthRepeated:
			t.twice = i
		}
	}
	for _, i := range reads { // ops are sorted by call
		for x := range fates {
			if t := &fates[x]; g.Has(g.Found[i], int32(x)) {
				if t.early < 0 && called[x] > ops[i].Return {
					t.early = i
				}
				t.found, t.since = append(t.found, i), min(t.since, ops[i].Return)
			}
		}
	}
	for _, i := range reads {
		for x := range fates {
			if t := &fates[x]; t.since < ops[i].Call && !g.Has(g.Found[i], int32(x)) {
				t.missed = append(t.missed, i)
			}
		}
	}
	for x := range fates {
		t := &fates[x]
		t.foundAfter = len(t.missed) > 0 && len(t.found) > 0 &&
			ops[t.found[len(t.found)-1]].Call > ops[t.missed[0]].Call
	}
	return fates
}

// word says what became of an element.
func (t *fate) word() string {
	switch {
	case t.twice >= 0:
		return "listed twice"
	case t.early >= 0:
		return "unexpected"
	case len(t.found) == 0:
		return "lost, never read"
	case t.foundAfter:
		return "missed, found again"
	}
	return "lost"
}

func (f *finder) element(x int32) string {
	g := model.As[*model.GrowingTheory](f.b)
	return escape.Text(clipped(f.b.Partition.History.Values.Format(g.Values[x]), findingText))
}

// added says when an element was added.
func (f *finder) added(t *fate) string {
	switch {
	case t.start:
		return "at the start"
	case t.add < 0:
		return "never"
	}
	return f.number(t.add) + ", " + f.when(t.add)
}

// when says when an operation was open, in the times of the input.
func (f *finder) when(i history.OpID) string {
	b := &f.p.Bars[f.r.Partition.Global(i)]
	from := strconv.FormatInt(b.CallTime, 10)
	if b.Pending {
		return "called at " + from + ", never returned"
	}
	return from + " to " + strconv.FormatInt(b.ReturnTime, 10)
}

// reads counts reads, and names the first.
func (f *finder) reads(list []history.OpID) string {
	switch len(list) {
	case 0:
		return "no read"
	case 1:
		return "read " + f.number(list[0])
	}
	return fmt.Sprintf("%d reads, %s to %s", len(list), f.number(list[0]), f.number(list[len(list)-1]))
}

// titleOf says what is wrong of the first element, and of how many others.
func (f *finder) titleOf(wrong []*fate) string {
	t := wrong[0]
	x, g := f.element(t.x), model.As[*model.GrowingTheory](f.b)
	text := ""
	switch {
	case t.twice >= 0:
		f.ops = append(f.ops, t.twice)
		text = fmt.Sprintf("%s is listed twice by read %s", x, f.number(t.twice))
	case t.early >= 0:
		f.ops = append(f.ops, t.early)
		text = fmt.Sprintf("%s is found by read %s, but nothing that can have added it was called by then", x,
			f.number(t.early))
	default:
		first := t.missed[0]
		f.ops = append(f.ops, first)
		text = fmt.Sprintf("%s is lost: ", x)
		if t.foundAfter {
			text = fmt.Sprintf("%s is missed: ", x)
		}
		switch by := f.had(t, g, first); {
		case by < 0:
			text += "it is there from the start on"
		case g.Does[by] == model.GrowthReads:
			f.ops = append(f.ops, by)
			text += fmt.Sprintf("read %s found it", f.number(by))
		default:
			text += fmt.Sprintf("%s returned", f.op(by))
		}
		text += fmt.Sprintf(", and read %s, called after that, does not find it", f.number(first))
	}
	if n := len(wrong) - 1; n > 0 {
		text += fmt.Sprintf("; and so with %s", counted(n, "other element"))
	}
	return text
}

// had is an operation that had an element, and returned before another was called; -1 for the
// start.
func (f *finder) had(t *fate, g *model.GrowingTheory, before history.OpID) history.OpID {
	ops := f.b.Partition.Ops
	if t.start {
		return -1
	}
	if t.add >= 0 && ops[t.add].Return < ops[before].Call {
		return t.add
	}
	for k := range ops {
		switch does := g.Does[k]; {
		case ops[k].Return >= ops[before].Call:
		case does == model.GrowthReads && g.Has(g.Found[k], t.x),
			g.Element[k] == t.x && (does == model.GrowthAdds || does == model.GrowthAddsNew ||
				does == model.GrowthFinds):
			return history.OpID(k)
		}
	}
	return -1
}

// strip draws when an element was added, found and missed.
func (f *finder) strip(t *fate, g *model.GrowingTheory, ops []history.Op) (strip []Stretch) {
	bar := func(i history.OpID) *Bar { return &f.p.Bars[f.r.Partition.Global(i)] }
	missed := map[history.OpID]bool{}
	for _, i := range t.missed {
		missed[i] = true
	}
	for k := range ops {
		b, what := bar(history.OpID(k)), ""
		switch does := g.Does[k]; {
		case g.Element[k] == t.x && (does == model.GrowthAdds || does == model.GrowthAddsNew):
			what = "added"
		case does == model.GrowthReads && g.Has(g.Found[k], t.x), g.Element[k] == t.x && does == model.GrowthRepeated:
			what = "found"
		case missed[history.OpID(k)]:
			what = "missed"
		default:
			continue
		}
		if n := len(strip); n > 0 && what != "added" && strip[n-1].What == what {
			strip[n-1].To = max(strip[n-1].To, b.To)
			continue
		}
		strip = append(strip, Stretch{From: b.From, To: b.To, What: what})
	}
	return strip
}

// incomparable looks for a read that found one element and not another, where the read that does
// not fit found the other alone; nil if there is none.
func (f *finder) incomparable() *proof.GrowthConflict {
	g, b := model.As[*model.GrowingTheory](f.b), f.failing()
	if b < 0 || g.Does[b] != model.GrowthReads {
		return nil
	}
	for k := range g.Does {
		if g.Does[k] != model.GrowthReads {
			continue
		}
		x, y := int32(-1), int32(-1)
		for e := range int32(len(g.Values)) {
			switch mine, other := g.Has(g.Found[k], e), g.Has(g.Found[b], e); {
			case mine && !other:
				x = e
			case other && !mine:
				y = e
			}
		}
		if x >= 0 && y >= 0 {
			return &proof.GrowthConflict{Rule: proof.GrowthIncomparable, Ops: []history.OpID{history.OpID(k), b},
				Elements: []int32{x, y}}
		}
	}
	return nil
}

// compared shows two elements that reads found in different orders.
func (f *finder) compared(c *proof.GrowthConflict) *Finding {
	g := model.As[*model.GrowingTheory](f.b)
	x, y := f.element(c.Elements[0]), f.element(c.Elements[1])
	found := &Finding{Columns: []string{"operation", "open", x, y}}
	for _, i := range c.Ops {
		if i < 0 {
			continue
		}
		row := FindingRow{Wrong: true, Cells: []string{f.op(i), f.when(i), "", ""}}
		for k, e := range c.Elements {
			switch does := g.Does[i]; {
			case does == model.GrowthReads && g.Has(g.Found[i], e):
				row.Cells[2+k] = "✓ found"
			case does == model.GrowthReads:
				row.Cells[2+k] = "✗ missed"
			case g.Element[i] != e:
			case does == model.GrowthMisses:
				row.Cells[2+k] = "✗ missed"
			case does == model.GrowthFinds:
				row.Cells[2+k] = "✓ found"
			default:
				row.Cells[2+k] = "added"
			}
		}
		found.Rows = append(found.Rows, row)
	}
	found.Title = fmt.Sprintf(
		"Nothing is removed, so one of %s and %s was there first; by these operations neither was", x, y)
	return found
}

// listing writes a read of many elements as "read without 4; 30 elements", where the finding is
// about 4; "" for others.
func (p *Picture) listing(h *history.History, o *history.Op) string {
	list, isList := h.Values.AsList(o.Result)
	if !isList || len(list) < fewElements || o.Pending() || o.Unknown {
		return ""
	}
	text, _ := h.Values.AsString(o.F)
	there := map[string]bool{}
	if len(p.marked) > 0 {
		for _, v := range list {
			there[h.Values.Format(v)] = true
		}
	}
	for _, x := range keys(p.marked) {
		word := " without "
		if there[x] {
			word = " with "
		}
		text += word + x
	}
	return fmt.Sprintf("%s; %d elements", text, len(list))
}
