package picture

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/inorder"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/words"
)

// Highlight is what the drawings show as the reason for a verdict. The zero value shows nothing.
type Highlight struct {
	// Operations of the core, positions in History.Ops; all others are dimmed.
	Operations []history.OpID
	// Edges of the core: the first operation returned before the second was called.
	Edges [][2]history.OpID
	// Given order of the core: the history itself puts the first operation before the second.
	Given [][2]history.OpID
	// Links are why transactions come before one another.
	Links []Link
	// Sentences of the explanation; "#12" in them refers to the operation that History.ID calls 12.
	Sentences []string
	// Fails is the operation that cannot be placed, a position in History.Ops; meaningless unless
	// HasFails is set.
	Fails    history.OpID
	HasFails bool
	// From and To are the ranks (of Op.Call and Op.Return) that enclose all that matters; both 0
	// for the extent of Operations.
	From, To history.Rank
}

// Link says that one operation comes before another, whatever their times, and why in a word: ww,
// wr, rw, session or time; On is the object that it is about, or "".
type Link struct {
	From, To history.OpID
	Why, On  string
}

// Empty reports whether there is nothing to show.
func (hl *Highlight) Empty() bool { return len(hl.Operations) == 0 && !hl.HasFails }

// FailureHighlight returns the highlight of a violation of which only Result.Failure is known: the
// operation that cannot be placed, and the open operations that were tried before it.
func FailureHighlight(r *result.Result) Highlight {
	f := r.Failure
	if f == nil || r.Partition == nil || r.Verdict != engine.NotLinearizable {
		return Highlight{}
	}
	hl := Highlight{Fails: r.Partition.Global(f.Op), HasFails: true}
	hl.Operations = append(hl.Operations, hl.Fails)
	for _, c := range f.Frontier {
		for _, i := range c.Linearized {
			hl.Operations = append(hl.Operations, r.Partition.Global(i))
		}
		for _, x := range c.Refusals {
			hl.Operations = append(hl.Operations, r.Partition.Global(x.Op))
		}
	}
	hl.Operations = inorder.Distinct(hl.Operations)
	return hl
}

// CoreHighlight returns the highlight of a violation with a core: the operations of its facts, the
// order that the explanation uses, and the explanation in sentences, with all operations that it
// names. Without a core it is that of the evidence, and FailureHighlight.
func CoreHighlight(r *result.Result) Highlight {
	var hl Highlight
	var operations []history.OpID // positions in the partition
	_, displaced := r.Proof.(*proof.Displacement)
	switch {
	case displaced, !r.Plain() && r.Core == nil:
		hl.Sentences, operations = words.QuasiSentences(r)
	case r.Verdict == engine.NotLinearizable && (r.Core == nil || len(r.Core.Facts) == 0):
		hl = FailureHighlight(r)
		if words.NamesOperations(r) {
			_, operations = words.EvidenceSentences(r)
		}
		hl.Sentences = words.Reasons(r)
	case r.Core == nil || len(r.Core.Facts) == 0:
		return FailureHighlight(r)
	default:
		hl.Sentences = words.Reasons(r)
		if r.Failure != nil {
			hl.Fails, hl.HasFails = r.Partition.Global(r.Failure.Op), true
		}
	}
	if r.Core != nil {
		for _, f := range r.Core.Facts {
			operations = append(operations, f.Operations...)
			switch f.Kind {
			case explain.EdgeFact:
				hl.Edges = append(hl.Edges, [2]history.OpID{r.Partition.Global(f.Operations[0]),
					r.Partition.Global(f.Operations[1])})
			case explain.GivenFact:
				hl.Given = append(hl.Given, [2]history.OpID{r.Partition.Global(f.Operations[0]),
					r.Partition.Global(f.Operations[1])})
			}
		}
	}
	for _, i := range operations {
		hl.Operations = append(hl.Operations, r.Partition.Global(i))
	}
	hl.Operations = append(hl.Operations, named(hl.Sentences, r.Partition)...)
	hl.Operations = inorder.Distinct(hl.Operations)
	return hl
}

// named returns the operations of a partition that sentences refer to, as positions in the history.
func named(sentences []string, p *model.Partition) (operations []history.OpID) {
	var ids map[string]int32
	for _, s := range sentences {
		if !strings.Contains(s, "#") {
			continue
		}
		if ids == nil {
			ids = make(map[string]int32, p.Len())
			for i := range p.Ops {
				if g := p.Global(history.OpID(i)); g >= 0 {
					ids[p.History.ID(g)] = int32(g)
				}
			}
		}
		for _, span := range spans(s, ids) {
			if span.Op > 0 {
				operations = append(operations, history.OpID(span.Op-1))
			}
		}
	}
	return operations
}

// Span is a piece of a sentence: plain text, or the name of an operation.
type Span struct {
	Text string `json:"t"`
	// Op is a position in History.Ops plus one, 0 in plain text.
	Op int32 `json:"o,omitempty"`
}

// Spans splits a sentence at the operations that it refers to as "#id". References to unknown
// operations stay text.
func (p *Picture) Spans(sentence string) []Span { return spans(sentence, p.ids) }

func spans(sentence string, ids map[string]int32) []Span {
	var out []Span
	plain := 0
	for at := 0; at < len(sentence); at++ {
		if sentence[at] != '#' {
			continue
		}
		id := sentence[at+1:]
		if quoted, err := strconv.QuotedPrefix(id); err == nil && id[0] == '"' {
			id = quoted
		} else if end := strings.IndexFunc(id, endsID); end >= 0 {
			id = id[:end]
		}
		for id != "" {
			if op, ok := ids[id]; ok {
				if plain < at {
					out = append(out, Span{Text: sentence[plain:at]})
				}
				out = append(out, Span{Text: "#" + id, Op: op + 1})
				plain = at + 1 + len(id)
				at = plain - 1
				break
			}
			id = strings.TrimRightFunc(id[:len(id)-1], unicode.IsPunct)
		}
	}
	if plain < len(sentence) {
		out = append(out, Span{Text: sentence[plain:]})
	}
	return out
}

func endsID(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("()[]{},;<>\"", r) }

// idsOf maps the names of operations to their positions.
func idsOf(h *history.History) map[string]int32 {
	ids := make(map[string]int32, len(h.Ops))
	for i := range h.Ops {
		ids[h.ID(history.OpID(i))] = int32(i)
	}
	return ids
}

// within marks the operations of the partition that a result is about; nil for all.
func within(h *history.History, p *model.Partition) []bool {
	if p == nil || p.Index == nil {
		return nil
	}
	inside := make([]bool, len(h.Ops))
	for _, g := range p.Index {
		inside[g] = true
	}
	return inside
}
