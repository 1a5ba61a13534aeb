package picture

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/wide"
)

// Banks: what every account had by one read (or at the start), what the transfers make of it that
// certainly come between, what those add that may, and what a later read found. An account is wrong
// if the verifier refutes the history by it alone (verify.Sum), so a mark is never a guess.

// theTotal is what the view of the total describes.
const theTotal = "the total"

// account is a line of the ledger.
type account struct {
	view            int32
	what            string // "account a", or theTotal
	before, after   wide.Int
	certain, free   []history.OpID
	delta           []int64
	wrong           bool
	could           []int64 // sums that are possible, ascending; nil if they were not followed
	least, greatest int64
	exact           bool // least and greatest are numbers of 64 bits
}

// name is the account by itself.
func (a *account) name() string { return strings.TrimPrefix(a.what, "account ") }

// ledger compares two reads of a bank.
func (f *finder) ledger() *Finding {
	bank := model.As[*model.BankTheory](f.b)
	if bank == nil {
		return nil
	}
	views := bank.Sums()
	at := slices.IndexFunc(views, func(v int32) bool { return f.b.View(v).What == theTotal })
	if at < 0 {
		return nil
	}
	total := f.b.View(views[at]).Theory.(*model.CountingTheory)
	pairs := f.readPairs(total)
	for _, named := range []bool{true, false} { // an account that is wrong, else the total
		for _, pair := range pairs {
			var lines []account
			for _, v := range views {
				if line, ok := f.account(v, pair[0], pair[1]); ok {
					lines = append(lines, line)
				}
			}
			if slices.ContainsFunc(lines, func(a account) bool { return a.wrong && (a.what != theTotal) == named }) {
				return f.told(pair[0], pair[1], lines)
			}
		}
	}
	return f.twoTotals(total)
}

// readPairs lists two reads, the first of which returned before the second was called, those of the
// argument first. The first one may be the start.
func (f *finder) readPairs(total *model.CountingTheory) (pairs [][2]history.OpID) {
	ops := f.b.Partition.Ops
	if sum, ok := f.r.Proof.(*proof.SumConflict); ok {
		pairs = append(pairs, [2]history.OpID{sum.After, sum.Op})
	}
	var reads, later []history.OpID
	for i := range ops {
		if total.Observes[i] {
			reads = append(reads, history.OpID(i))
		}
	}
	for _, i := range append(slices.Clone(f.core), f.failing()) {
		if i >= 0 && total.Observes[i] && !slices.Contains(later, i) {
			later = append(later, i)
		}
	}
	slices.SortStableFunc(reads, func(a, b history.OpID) int { return int(ops[b].Return - ops[a].Return) })
	for _, b := range later {
		for _, a := range later {
			if f.b.Partition.Precedes(a, b) {
				pairs = append(pairs, [2]history.OpID{a, b})
			}
		}
	}
	for _, b := range later {
		n := 0
		for _, a := range reads {
			if f.b.Partition.Precedes(a, b) && n < findingReads {
				pairs = append(pairs, [2]history.OpID{a, b})
				n++
			}
		}
		pairs = append(pairs, [2]history.OpID{proof.Initial, b})
	}
	return pairs
}

// account adds up one account, or the total, between two reads.
func (f *finder) account(view int32, from, to history.OpID) (a account, ok bool) {
	conflict := &proof.SumConflict{After: from, Op: to, View: view}
	parts, err := verify.SumOf(f.b, conflict)
	if err != nil || parts.Skipped {
		return a, false
	}
	a = account{view: view, what: parts.View.What, before: parts.Before, after: wide.Of(parts.Observed),
		certain: parts.Certain, free: parts.Free, delta: parts.Theory.Delta}
	a.wrong = verify.Sum(f.b, conflict) == nil
	a.sums()
	return a, true
}

// sums follows what the account can have.
func (a *account) sums() {
	sum := a.before.Plus(a.net())
	var low, high wide.Int
	for _, i := range a.free {
		low, high = low.Add(min(a.delta[i], 0)), high.Add(max(a.delta[i], 0))
	}
	least, fits := sum.Plus(low).Int64()
	greatest, fit := sum.Plus(high).Int64()
	a.least, a.greatest, a.exact = least, greatest, fits && fit
	at, fitted := sum.Int64()
	if !a.exact || !fitted {
		return
	}
	there := map[int64]bool{at: true}
	for _, i := range a.free {
		for _, n := range keys(there) {
			there[n+a.delta[i]] = true
		}
		if len(there) > findingStates {
			return
		}
	}
	a.could = keys(there)
}

func keys[K cmp.Ordered](there map[K]bool) []K {
	all := make([]K, 0, len(there))
	for n := range there {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// net is what certainly changes the account.
func (a *account) net() (sum wide.Int) {
	for _, i := range a.certain {
		sum = sum.Add(a.delta[i])
	}
	return sum
}

// possible says what the account can have.
func (a *account) possible() string {
	switch n := len(a.could); {
	case !a.exact:
		return "?"
	case n == 1:
		return strconv.FormatInt(a.could[0], 10)
	case n > 0 && n <= findingSums:
		var texts []string
		for _, x := range a.could {
			texts = append(texts, strconv.FormatInt(x, 10))
		}
		return listed(texts, " or ")
	}
	return fmt.Sprintf("%d to %d", a.least, a.greatest)
}

// off is by how much the account differs from the nearest number that it can have; 0 if that is not
// known.
func (a *account) off() int64 {
	found, fits := a.after.Int64()
	if !fits || len(a.could) == 0 {
		return 0
	}
	nearest := a.could[0]
	for _, n := range a.could {
		if distance(n, found) < distance(nearest, found) {
			nearest = n
		}
	}
	return found - nearest
}

func distance(a, b int64) int64 { return max(a, b) - min(a, b) }

// difference writes by how much an account is off: "1 more".
func difference(d int64) string {
	switch {
	case d > 0:
		return fmt.Sprintf("%d more", d)
	case d < 0:
		return fmt.Sprintf("%d less", -d)
	}
	return "wrong"
}

// told writes the table.
func (f *finder) told(from, to history.OpID, lines []account) *Finding {
	var wrong, rest []account
	var named []string
	for _, a := range lines {
		switch {
		case !a.wrong:
			rest = append(rest, a)
			continue
		case a.what != theTotal:
			f.p.marked[a.name()] = true
			named = append(named, escape.Text(a.what))
		}
		wrong = append(wrong, a)
	}
	for _, list := range [][]account{wrong, rest} {
		compare := func(a, b account) int {
			return last(a.what == theTotal) - last(b.what == theTotal)
		}
		sort.SliceStable(list, func(i, j int) bool { return compare(list[i], list[j]) < 0 })
	}
	f.ops = append(f.ops, to)
	first := "at the start"
	if from >= 0 {
		f.ops = append(f.ops, from)
		first = "read " + f.number(from)
	}
	if len(named) == 0 {
		return f.unbalanced(first, to, wrong[0], rest)
	}
	a := &wrong[0]
	found := &Finding{Columns: []string{"account", first, "transfers between", "may come too", "can have",
		"read " + f.number(to), ""}}
	found.Title = fmt.Sprintf("%s has %s in read %s, but can only have %s", capital(named[0]), a.after.String(),
		f.number(to), a.possible())
	if more := named[1:]; len(more) > 0 {
		found.Title += fmt.Sprintf("; %s wrong as well", are(listed(more[:min(len(more), findingOps)], " and "),
			len(more)))
	}
	for k, a := range append(wrong, rest...) {
		if k == findingRows {
			found.Notes = append(found.Notes, others(len(wrong)+len(rest)-k)+" are not listed.")
			break
		}
		row := FindingRow{Wrong: a.wrong, Cells: []string{f.label(&a), a.before.String(), "–", "–", a.possible(),
			a.after.String(), ""}}
		if len(a.certain) > 0 {
			row.Cells[2] = fmt.Sprintf("%s (%s)", signed(a.net()), counted(len(a.certain), "transfer"))
		}
		if len(a.free) > 0 {
			row.Cells[3] = counted(len(a.free), "transfer")
		}
		if a.wrong {
			row.Cells[6] = difference(a.off())
		}
		found.Rows = append(found.Rows, row)
	}
	if len(a.certain) > 0 {
		found.Notes = append(found.Notes, fmt.Sprintf("On %s, certainly in between: %s.", named[0], f.some(a.certain)))
	}
	if len(a.free) > 0 {
		found.Notes = append(found.Notes,
			fmt.Sprintf("None, some or all of these may be: %s; no choice of them makes %s.", f.some(a.free),
				a.after.String()))
	} else {
		found.Notes = append(found.Notes, "No other transfer on it can be in between.")
	}
	return found
}

// label is the account as the table names it.
func (f *finder) label(a *account) string {
	if a.what == theTotal {
		return "total"
	}
	return escape.Text(a.name())
}

// unbalanced is the table of a total that is wrong, where no account is by itself: what changed,
// and what explains most of it.
func (f *finder) unbalanced(first string, to history.OpID, total account, rest []account) *Finding {
	found := &Finding{Columns: []string{"account", first, "read " + f.number(to), "change", ""}}
	changed := total.after.Minus(total.before)
	found.Title = fmt.Sprintf("The total is %s in read %s, and was %s", total.after.String(), f.number(to),
		total.before.String())
	found.Rows = append(found.Rows, FindingRow{Wrong: true, Cells: []string{"total", total.before.String(),
		total.after.String(), signed(changed), "transfers do not change it"}})
	chosen, left := f.simplest(rest)
	var off []int
	quiet := 0
	for k, a := range rest {
		change := a.after.Minus(a.before)
		if left[k] != 0 {
			off = append(off, k)
		}
		if change == (wide.Int{}) && left[k] == 0 || len(found.Rows) == findingRows {
			quiet++
			continue
		}
		f.p.marked[a.name()] = true
		row := FindingRow{Maybe: left[k] != 0, Cells: []string{f.label(&a), a.before.String(), a.after.String(),
			signed(change), ""}}
		if left[k] != 0 {
			row.Cells[4] = difference(left[k]) + " than these transfers make"
		}
		found.Rows = append(found.Rows, row)
	}
	said := "no transfer"
	if len(chosen) > 0 {
		said = f.some(chosen)
	}
	if len(off) == 1 {
		found.Title += fmt.Sprintf(": %s has %s than transfers make", escape.Text(rest[off[0]].what),
			difference(left[off[0]]))
	}
	found.Notes = append(found.Notes, fmt.Sprintf("The fewest accounts differ if this came in between: %s.", said))
	if quiet > 0 {
		found.Notes = append(found.Notes,
			fmt.Sprintf("%s not listed.", capital(are(counted(quiet, "other account"), quiet))))
	}
	return found
}

// simplest chooses transfers that may come between two reads, at most two beside those that
// certainly do, so that the fewest accounts are left with a difference; and returns what is left.
func (f *finder) simplest(lines []account) (chosen []history.OpID, left []int64) {
	left = make([]int64, len(lines))
	adds := map[history.OpID][]int64{} // what a transfer that may come in between adds, by account
	var sure []history.OpID
	for k := range lines {
		a := &lines[k]
		before, fits := a.before.Plus(a.net()).Int64()
		after, fit := a.after.Int64()
		if fits && fit {
			left[k] = after - before
		}
		sure = append(sure, a.certain...)
		for _, i := range a.free {
			if adds[i] == nil {
				adds[i] = make([]int64, len(lines))
			}
			adds[i][k] = a.delta[i]
		}
	}
	sure = inorder.Distinct(sure)
	var free []history.OpID
	for i := range adds {
		free = append(free, i)
	}
	slices.Sort(free)
	free = free[:min(len(free), findingFree)]
	without := func(d []int64, i history.OpID) []int64 {
		out := slices.Clone(d)
		for k := range out {
			out[k] -= adds[i][k]
		}
		return out
	}
	wrong := func(d []int64) (n int) {
		for _, x := range d {
			if x != 0 {
				n++
			}
		}
		return n
	}
	best := left
	for k, i := range free {
		one := without(left, i)
		if wrong(one) < wrong(best) {
			best, chosen = one, []history.OpID{i}
		}
		for _, j := range free[:k] {
			if two := without(one, j); wrong(two) < wrong(best) {
				best, chosen = two, []history.OpID{j, i}
			}
		}
	}
	return append(sure, chosen...), best
}

// twoTotals compares two reads of which neither is known to come first.
func (f *finder) twoTotals(total *model.CountingTheory) *Finding {
	var reads []history.OpID
	for _, i := range append(slices.Clone(f.core), f.failing()) {
		if i >= 0 && total.Observes[i] {
			reads = append(reads, i)
		}
	}
	for k, b := range reads {
		for _, a := range reads[:k] {
			if total.Observed[a] != total.Observed[b] {
				return f.sideBySide(a, b, total)
			}
		}
	}
	return nil
}

// sideBySide shows the balances that two reads found.
func (f *finder) sideBySide(a, b history.OpID, total *model.CountingTheory) *Finding {
	f.ops = append(f.ops, a, b)
	one, other := wide.Of(total.Observed[a]), wide.Of(total.Observed[b])
	found := &Finding{Columns: []string{"account", "read " + f.number(a), "read " + f.number(b), "difference"}}
	found.Title = fmt.Sprintf("The total is %s in read %s and %s in read %s: transfers do not change it", one.String(),
		f.number(a), other.String(), f.number(b))
	found.Rows = append(found.Rows, FindingRow{Wrong: true, Cells: []string{"total", one.String(), other.String(),
		signed(other.Minus(one))}})
	values := f.b.Partition.History.Values
	left, right := balances(values, f.b.Partition.Ops[a].Result), balances(values, f.b.Partition.Ops[b].Result)
	var names []string
	for name := range left {
		names = append(names, name)
	}
	for name := range right {
		if _, both := left[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if one, other := wide.Of(left[name]), wide.Of(right[name]); one != other && len(found.Rows) < findingRows {
			f.p.marked[name] = true
			found.Rows = append(found.Rows, FindingRow{Cells: []string{escape.Text(name), one.String(), other.String(),
				signed(other.Minus(one))}})
		}
	}
	return found
}

// balances are those that a read found, by account.
func balances(t *history.Values, v history.Value) map[string]int64 {
	pairs, _ := t.AsMap(v)
	all := map[string]int64{}
	for k := 0; k+1 < len(pairs); k += 2 {
		if n, isInt := t.AsInt(pairs[k+1]); isInt {
			all[accountName(t, pairs[k])] = n
		}
	}
	return all
}

// accountName is the name of an account, as the specification has it.
func accountName(t *history.Values, v history.Value) string {
	if s, isString := t.AsString(v); isString {
		return s
	}
	return t.Format(v)
}

// brief writes a transfer as "a → b: 3", and a read with the accounts that are marked, or
// its first ones; a read of a set as listing does; "" for others.
func (p *Picture) brief(h *history.History, o *history.Op) string {
	switch p.spec {
	case "set":
		return p.listing(h, o)
	case "bank":
	default:
		return ""
	}
	t := h.Values
	name, _ := t.AsString(o.F)
	if arg, isMap := t.AsMap(o.Arg); isMap && len(arg) == 6 {
		field := map[string]history.Value{}
		for k := 0; k < len(arg); k += 2 {
			key, _ := t.AsString(arg[k])
			field[key] = arg[k+1]
		}
		from, to, amount := field["from"], field["to"], field["amount"]
		if from == history.Nil || to == history.Nil || amount == history.Nil {
			return ""
		}
		text := fmt.Sprintf("%s → %s: %s", accountName(t, from), accountName(t, to), t.Format(amount))
		if !o.Pending() && o.Result == history.False {
			text += " refused"
		}
		return text
	}
	pairs, isMap := t.AsMap(o.Result)
	if !isMap || o.Pending() || o.Unknown || o.Arg != history.Nil {
		return ""
	}
	var marked, rest []string
	for k := 0; k+1 < len(pairs); k += 2 {
		account := accountName(t, pairs[k])
		text := account + ": " + t.Format(pairs[k+1])
		if p.marked[account] {
			marked = append(marked, text)
		} else {
			rest = append(rest, text)
		}
	}
	shown := append(marked, rest...)
	if most := max(len(marked), 3); len(shown) > most {
		shown = append(shown[:most:most], "…")
	}
	return name + " " + strings.Join(shown, ", ")
}
