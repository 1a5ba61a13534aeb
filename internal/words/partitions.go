package words

import (
	"fmt"
	"io"
	"strings"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/result"
)

// PartitionTitle names one partition of several in words.
func PartitionTitle(p *model.Partition, info model.Info) string {
	if title := p.Title(info); title != "" {
		return title
	}
	return "the operations without a key"
}

// partitions lists the partitions that are not linearizable, or undecided.
func (s Style) partitions(w io.Writer, r *result.Result) {
	if r.Partitions < 2 {
		return
	}
	info := r.Spec.Info()
	var bad, open []string
	for i := range r.PartitionVerdicts {
		p := &r.PartitionVerdicts[i]
		part := p.Partition
		switch p.Verdict {
		case engine.NotLinearizable:
			bad = append(bad, fmt.Sprintf("%s (%s)", PartitionTitle(part, info), Count(part.Len(), "operation")))
		case engine.Unknown:
			open = append(open, fmt.Sprintf("%s (%s; %s)", PartitionTitle(part, info), Count(part.Len(), "operation"),
				CauseText(p.Cause, p.Detail)))
		}
	}
	not := "not linearizable"
	if r.Quasi != nil {
		not = "not quasi-linearizable"
	}
	s.listed(w, not, bad)
	s.listed(w, "undecided", open)
	if len(bad) > 1 {
		escape.Fprintf(w, "  why %s is not:\n", PartitionTitle(r.Partition, info))
	}
}

// listed prints a list on one line; the end of a very long one is left out.
func (s Style) listed(w io.Writer, what string, items []string) {
	if len(items) == 0 {
		return
	}
	more := ""
	if n := len(items) - maxPartitions; s.Witness >= 0 && n > 1 {
		items, more = items[:maxPartitions], fmt.Sprintf(", … and %d more (--witness -1 or --format json lists all)", n)
	}
	escape.Fprintf(w, "  %s: %s%s\n", what, strings.Join(items, ", "), more)
}

// asked prints which engines agree, which had no answer, and which do not take the question, if all
// were asked to the end.
func (s Style) asked(w io.Writer, r *result.Result) {
	var agree, silent, without, notAsked []string
	for _, a := range r.Asked {
		of := ""
		if r.Partitions > 1 && a.Partitions < r.Partitions {
			of = fmt.Sprintf(" on %s", Count(a.Partitions, "partition"))
		}
		switch {
		case a.Not != "":
			notAsked = append(notAsked, fmt.Sprintf("%s was not asked%s, as %s", a.Engine, of, a.Not))
		case a.Cause == engine.NoCause:
			agree = append(agree, a.Engine+of)
		case a.Cause == engine.Unsupported:
			without = append(without, a.Engine+of)
		default:
			why := a.Cause.String()
			if a.Cause == engine.Timeout && strings.HasPrefix(a.Engine, "smt") {
				why = "its share of the time was up" // portfolio gives it no more beside the others
			}
			silent = append(silent, fmt.Sprintf("%s (%s%s)", a.Engine, why, of))
		}
	}
	var says []string
	switch len(agree) {
	case 0:
	case 1:
		says = append(says, agree[0]+" alone answered, so that nothing was compared")
	default:
		says = append(says, join(agree)+" agree")
	}
	if without != nil {
		says = append(says, "unsupported by "+join(without))
	}
	says = append(says, notAsked...)
	if says != nil {
		escape.Fprintf(w, "  engines: %s\n", strings.Join(says, "; "))
	}
	if silent != nil {
		escape.Fprintf(w, "  without an answer: %s\n", strings.Join(silent, ", "))
	}
}
