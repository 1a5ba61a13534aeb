package picture

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/wide"
)

// Finding is what a violation comes to, at a glance: a sentence, and a table of accounts, elements
// or values in which the wrong ones are marked. It says only what follows from the intervals of the
// operations and from what they returned, whatever the argument is. In all texts "#12" names an
// operation; nothing else is escaped than in sentences.
type Finding struct {
	Title   string
	Columns []string
	Rows    []FindingRow
	Notes   []string
	// Operations are those that it is about, positions in History.Ops.
	Operations []history.OpID
	// Explains lists an operation that never returned and one that found its effect, which nothing
	// else can have left.
	Explains [][2]history.OpID
}

// FindingRow is a line of the table.
type FindingRow struct {
	Cells []string
	Wrong bool
	Maybe bool // wrong if the rest is right
	// Strip shows along the history when something was added, found and missed.
	Strip []Stretch
}

// Stretch is a part of the axis, from one place to another.
type Stretch struct {
	From, To int32
	What     string // "added", "found", "missed"
}

// find looks for what the violation of r comes to; nil where there is no such table.
func (p *Picture) find(r *result.Result, hl *Highlight) *Finding {
	if r.Verdict != engine.NotLinearizable || !r.Plain() || r.Partition == nil || r.Drains > 0 {
		return nil
	}
	b := r.Instance()
	if b == nil {
		return nil
	}
	f := &finder{p: p, r: r, b: b}
	for _, g := range hl.Operations {
		if i := f.local(g); i >= 0 {
			f.core = append(f.core, i)
		}
	}
	var found *Finding
	_, register := b.Axiomatic().(*model.RegisterTheory)
	switch name := b.Spec.Info().Name; {
	case name == "bank":
		found = f.ledger()
	case model.As[*model.GrowingTheory](b) != nil:
		found = f.elements()
	case register && slices.Contains([]string{"register", "cas-register", "kv", "set"}, name):
		found = f.values()
	}
	if found == nil {
		return nil
	}
	for _, i := range inorder.Distinct(f.ops) {
		found.Operations = append(found.Operations, r.Partition.Global(i))
	}
	for k, e := range found.Explains {
		found.Explains[k] = [2]history.OpID{r.Partition.Global(e[0]), r.Partition.Global(e[1])}
	}
	return found
}

// finder looks for a Finding. Operations are named by their places in the partition.
type finder struct {
	p    *Picture
	r    *result.Result
	b    *model.Instance
	core []history.OpID
	ops  []history.OpID // that the finding is about
}

// local is the place in the partition of an operation of the history, -1 if it is not there.
func (f *finder) local(g history.OpID) history.OpID {
	if f.r.Partition.Index == nil {
		return g
	}
	if k, ok := slices.BinarySearch(f.r.Partition.Index, g); ok {
		return history.OpID(k)
	}
	return -1
}

// op names an operation in few words, and notes that the finding is about it.
func (f *finder) op(i history.OpID) string {
	f.ops = append(f.ops, i)
	return f.plain(i)
}

// plain names an operation in few words.
func (f *finder) plain(i history.OpID) string {
	b := &f.p.Bars[f.r.Partition.Global(i)]
	text := b.Text
	if short := f.p.brief(f.b.Partition.History, &f.b.Partition.Ops[i]); short != "" {
		text = short
	}
	text = clipped(text, findingText) + " (#" + f.r.Partition.ID(i)
	if b.Pending {
		text += ", never returned"
	}
	return escape.Text(text + ")")
}

// number names an operation by its number.
func (f *finder) number(i history.OpID) string { return escape.Text("#" + f.r.Partition.ID(i)) }

// some lists operations, all but a few by their number.
func (f *finder) some(ops []history.OpID) string {
	var texts []string
	for _, i := range ops[:min(len(ops), findingOps)] {
		texts = append(texts, f.op(i))
	}
	if rest := len(ops) - len(texts); rest > 0 {
		texts = append(texts, others(rest))
	}
	return listed(texts, " and ")
}

// failing is the operation that cannot be placed, -1 if it is not known.
func (f *finder) failing() history.OpID {
	if f.r.Failure == nil {
		return -1
	}
	return f.r.Failure.Op
}

// Words of findings.

func last(is bool) int {
	if is {
		return 1
	}
	return 0
}

func clipped(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func others(n int) string {
	if n == 1 {
		return "1 other"
	}
	return fmt.Sprintf("%d others", n)
}

// are adds the verb to a list of so many.
func are(text string, n int) string {
	if n == 1 {
		return text + " is"
	}
	return text + " are"
}

// listed joins items: "1, 2 or 3".
func listed(items []string, word string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + word + items[len(items)-1]
}

func capital(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}

// signed writes a change: "+3".
func signed(n wide.Int) string {
	switch zero := (wide.Int{}); {
	case n == zero:
		return "0"
	case n.Less(zero):
		return "−" + strings.TrimPrefix(n.String(), "-")
	}
	return "+" + n.String()
}
