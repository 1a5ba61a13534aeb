package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/quasi"
)

// Question is what is asked about a history. The caller of Verify states it.
type Question struct {
	Spec  model.Spec
	Quasi *quasi.Question // nil for plain linearizability
	// Partition says how the history is split. Under a quasi factor ByKey stands for ByObject.
	Partition model.Partitioning
}

// Refusal is the error of a certificate that does not prove its verdict for the question.
type Refusal struct {
	Why  string
	Hint string // what to do about it where the certificate answers another question, or ""
}

func (r *Refusal) Error() string { return r.Why }

// validate reports what makes no sense about the question.
func (q Question) validate() error {
	if q.Quasi == nil {
		return nil
	}
	return q.Quasi.Validate(q.Spec.Info())
}

// partition is how the history is split.
func (q Question) partition() model.Partitioning {
	if q.Quasi != nil && q.Partition == model.ByKey {
		return model.ByObject
	}
	return q.Partition
}

// stated is the question about h as a certificate states it.
func (q Question) stated(h *history.History) Stated {
	s := Stated{Spec: q.Spec.Info().Name, Initial: initial(h), Partition: q.partition().String()}
	if q.Quasi != nil {
		s.Quasi = &StatedQuasi{Factor: map[string]proof.Bound{}, Meaning: q.Quasi.Meaning, Drain: q.Quasi.Drain,
			Causal: q.Quasi.Causal}
		for i, b := range q.Quasi.Factor {
			s.Quasi.Factor[q.Spec.Info().Classes[i].Name] = proof.Bound(b)
		}
		for _, set := range q.Quasi.Sets {
			s.Quasi.Sets = append(s.Quasi.Sets, StatedSet{set.Operations, proof.Bound(set.Bound)})
		}
	}
	return s
}

// compare returns a *Refusal unless a certificate states the question about h.
func (q Question) compare(h *history.History, c Stated) error {
	asked := q.stated(h)
	what, hint := "", ""
	switch {
	case c.Spec != asked.Spec:
		what = fmt.Sprintf("it is about the specification %s, but the question is about %s", c.Spec, asked.Spec)
		hint = "ask about the specification that it was written for (--spec, --relax)"
	case c.Initial != asked.Initial:
		what = fmt.Sprintf("it starts from %s, but the history from %s", startOf(c.Initial), startOf(asked.Initial))
		hint = "state the initial state that it was written for (--initial)"
	case c.Quasi == nil && asked.Quasi != nil:
		what = fmt.Sprintf("it is about plain linearizability, but the question is about %s", asked.Quasi)
		hint = "ask without --quasi"
	case c.Quasi != nil && asked.Quasi == nil:
		what = fmt.Sprintf("it is about %s, but the question is about plain linearizability", c.Quasi)
		hint = "ask with " + c.Quasi.Flags()
	case c.Quasi != nil && c.Quasi.String() != asked.Quasi.String():
		what = fmt.Sprintf("it is about %s, but the question is about %s", c.Quasi, asked.Quasi)
		hint = "ask with " + c.Quasi.Flags()
	case c.Partition != asked.Partition:
		what = fmt.Sprintf("it is about a history split by %s, but the question is about one split by %s",
			c.Partition, asked.Partition)
		hint = fmt.Sprintf("ask with --partition %s", c.Partition)
	default:
		return nil
	}
	return &Refusal{"it answers another question: " + what, hint}
}

// Flags are the flags of the command that ask the question.
func (s *StatedQuasi) Flags() string {
	bounds := s.Bounds()
	if len(s.Sets) > 0 { // parentheses and bars mean something to a shell
		bounds = "'" + bounds + "'"
	}
	flags := fmt.Sprintf("--quasi %s --quasi-meaning %s --drain=%t", bounds, s.Meaning, s.Drain)
	if s.Causal {
		flags += " --quasi-causal"
	}
	return flags
}

func startOf(initial string) string {
	if initial == "" {
		return "the initial state of the specification"
	}
	return initial
}

// Bounds is the factor as --quasi takes it: "insertions=0,removals=2".
func (s *StatedQuasi) Bounds() string {
	var bounds []string
	for class, b := range s.Factor {
		bounds = append(bounds, class+"="+displacement.FormatBound(int32(b)))
	}
	for _, set := range s.Sets {
		bounds = append(bounds, set.Operations+"="+displacement.FormatBound(int32(set.Bound)))
	}
	slices.Sort(bounds)
	return strings.Join(bounds, ",")
}

// String is the question in words, the same for the same question.
func (s *StatedQuasi) String() string {
	text := fmt.Sprintf("quasi-linearizability at %s (%s", s.Bounds(), s.Meaning)
	if s.Drain {
		text += ", drained"
	}
	if s.Causal {
		text += ", causal"
	}
	return text + ")"
}

// initial is the initial state that h states, as JSON; "" where it states none.
func initial(h *history.History) string {
	if !h.HasInitial {
		return ""
	}
	return h.Values.Format(h.Initial)
}
