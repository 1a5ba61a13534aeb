package words

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/quasi/displacement"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/quasi"
)

// Run is one input, its question and its answer.
type Run struct {
	File    string
	History *history.History
	Result  result.Result
	Reading time.Duration // how long it took to read it, 0 if that is not known
	// Prefix is of the partition that a limit left undecided; nil if none was found.
	Prefix *explain.Prefix
	Bytes  int64 // memory of the process at the end
	// Otherwise is a weaker specification that has these operations, too, and allows the history,
	// where the one that was guessed does not; "" if there is none.
	Otherwise string
	// TimeLimit is the one that was reached, if that is known; DefaultLimit says that nobody asked
	// for it.
	TimeLimit    time.Duration
	DefaultLimit bool
	// Engine is what --engine asked for, "" if that is not known.
	Engine string
}

// Style configures Text.
type Style struct {
	Color   bool
	Witness int // operations of a witness to show; -1 for all
}

// Codes of terminals. Plain ends what the others begin.
const (
	Bold   = "\x1b[1m"
	Green  = "\x1b[32m"
	Red    = "\x1b[31m"
	Yellow = "\x1b[33m"
	Faint  = "\x1b[2m"
	Plain  = "\x1b[0m"
)

// Paint escapes text and colours it.
func (s Style) Paint(color, text string) escape.Safe {
	text = escape.Text(text)
	if !s.Color {
		return escape.Safe(text)
	}
	return escape.Safe(color + text + Plain)
}

// Text writes the answer for a terminal. Text that comes from the history, its specification or the
// name of the file is escaped (package escape).
func Text(w io.Writer, run *Run, s Style) {
	r := &run.Result
	verdict := s.Answer(run)
	if run.Vacuous() {
		verdict += s.Paint(Yellow, ": no operation returned (linearizable whatever the object does)")
	}
	escape.Fprintf(w, "%s: %s\n", run.File, verdict)
	escape.Fprintf(w, "  %s\n", s.Paint(Faint, summary(run)))
	s.asked(w, r)
	s.partitions(w, r)
	switch r.Verdict {
	case engine.Linearizable:
		s.yes(w, run)
	case engine.NotLinearizable:
		s.no(w, run)
	default:
		s.unknown(w, run)
	}
	for _, n := range Notes(run) {
		escape.Fprintf(w, "  note: %s\n", n)
	}
}

const NothingToCheck = "nothing to check"

// Answer returns the verdict in words, or that there was nothing to check.
func (run *Run) Answer() string {
	if run.Vacuous() {
		return NothingToCheck
	}
	return Verdict(&run.Result) + run.otherwise()
}

// Answer returns the verdict, or that there was nothing to check.
func (s Style) Answer(run *Run) escape.Safe {
	if run.Vacuous() {
		return s.Paint(Yellow, NothingToCheck)
	}
	return s.verdict(&run.Result) + escape.Safe(run.otherwise())
}

// Vacuous reports whether the history is linearizable only because there was nothing to check.
func (run *Run) Vacuous() bool {
	return run.Result.Verdict == engine.Linearizable && run.History.Completed() == 0
}

func (s Style) verdict(r *result.Result) escape.Safe {
	text := Verdict(r)
	switch r.Verdict {
	case engine.Linearizable:
		return s.Paint(Green, text)
	case engine.NotLinearizable:
		return s.Paint(Red, text)
	}
	return s.Paint(Yellow, text)
}

// Verdict returns the verdict in words, with the bound or the relaxation that it holds for.
func Verdict(r *result.Result) string {
	text := r.Verdict.String()
	if r.Least != nil {
		return leastBound(r)
	}
	if r.Quasi != nil {
		text = strings.Replace(text, "linearizable", "quasi-linearizable", 1)
		text += " at " + r.Quasi.Bounds(r.Spec.Info()) + meaning(r)
	}
	if _, by, relaxed := specs.Relaxed(r.Spec); relaxed {
		text += fmt.Sprintf(", relaxed by %v", by)
	}
	return text
}

// meaning names that of a factor, where there are two.
func meaning(r *result.Result) string {
	if info := r.Spec.Info(); model.ReadsAlone(&info) {
		return ""
	}
	return fmt.Sprintf(" (%v)", r.Quasi.Meaning)
}

// leastBound describes what is known about the least bound.
func leastBound(r *result.Result) string {
	l := r.Least
	within := meaning(r)
	if len(r.Quasi.Sets) > 0 {
		sets := quasi.Question{Sets: r.Quasi.Sets}
		within = " with " + strings.TrimPrefix(sets.Bounds(r.Spec.Info()), ",") + within
	}
	switch {
	case l.Low == quasi.Unbounded:
		return "not quasi-linearizable at any bound" + within
	case l.Settled():
		factor := r.Quasi.Factor.String(r.Spec.Info())
		return fmt.Sprintf("quasi-linearizable, least bound %d: %s%s", l.Low, factor, within)
	case l.High == quasi.Unbounded:
		return fmt.Sprintf("least bound unknown, at least %d%s", l.Low, within)
	}
	return fmt.Sprintf("least bound unknown, from %d to %d%s", l.Low, l.High, within)
}

// summary is the line of figures below the verdict.
func summary(run *Run) string {
	r, h := &run.Result, run.History
	var b strings.Builder
	if h.Test != "" && !strings.Contains(run.File, h.Test) {
		fmt.Fprintf(&b, "test %q: ", h.Test)
	}
	fmt.Fprintf(&b, "%s%s, %s", r.Spec.Info().Name, Guess(h), Count(len(h.Ops), "operation"))
	if p := h.Pending(); p > 0 {
		fmt.Fprintf(&b, " (%d pending)", p)
	}
	if h.Failed > 0 {
		fmt.Fprintf(&b, ", %d failed left out", h.Failed)
	}
	if h.NilReads > 0 {
		fmt.Fprintf(&b, ", %s taken as unknown", Count(h.NilReads, "read of nil", "reads of nil"))
	}
	if r.Partitions > 1 {
		fmt.Fprintf(&b, ", %d partitions", r.Partitions)
	}
	if r.Drains > 0 {
		fmt.Fprintf(&b, ", %s drained", Count(r.Drains, "left-over item"))
	}
	if len(r.Engines) > 0 {
		fmt.Fprintf(&b, "; by %s", strings.Join(r.Engines, " and "))
	}
	if r.Took > 0 {
		fmt.Fprintf(&b, " in %s", Duration(r.Took))
	}
	if run.Reading > worthNaming {
		fmt.Fprintf(&b, ", read in %s", Duration(run.Reading))
	}
	var effort []string
	if r.Effort.Steps > 0 {
		effort = append(effort, Count(int(r.Effort.Steps), "step"))
	}
	if r.Effort.Clauses > 0 {
		effort = append(effort, Count(int(r.Effort.Clauses), "clause"))
	}
	if len(effort) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(effort, ", "))
	}
	switch {
	case r.Certified:
		b.WriteString("; certified")
		if l := r.Least; l != nil && r.Verdict == engine.Linearizable && l.Low > 0 && !l.Certified {
			b.WriteString(" (the lower bound is not)")
		}
	case r.Verdict != engine.Unknown:
		fmt.Fprintf(&b, "; not certified: %s", r.Uncertified)
	}
	return b.String()
}

func (s Style) yes(w io.Writer, run *Run) {
	r := &run.Result
	whole := model.Whole(run.History)
	if r.Drains > 0 {
		whole = whole.Drained(r.Drains)
	}
	if r.Rearranged == nil {
		escape.Fprintf(w, "  order: %s\n", s.sequence(whole, r.Witness, history.Never))
		return
	}
	s.rearranged(w, whole, r.Witness, r.Rearranged)
	if early := removedEarly(r, whole); early > 0 {
		escape.Fprintf(w, "  note: in ρ′ %s before the insertion of its value; --quasi-causal rules that out\n",
			Count(early, "removal comes", "removals come"))
	}
}

// removedEarly counts the removals that ρ′ puts before the insertion of what they return.
func removedEarly(r *result.Result, whole *model.Partition) int {
	b, err := r.Spec.Bind(whole)
	if err != nil {
		return 0
	}
	return displacement.RemovedEarly(b, r.Witness)
}

// sequence lists operations as they are known just before rank cut; the middle of a long sequence
// is left out.
func (s Style) sequence(p *model.Partition, order []history.OpID, cut history.Rank) string {
	if len(order) == 0 {
		return "(no operation takes effect)"
	}
	var items []string
	for k, i := range order {
		if most := s.Witness; most >= 0 && len(order) > most && k >= (most+1)/2 && k < len(order)-most/2 {
			if k == (most+1)/2 {
				items = append(items, fmt.Sprintf("… %d more …", len(order)-most))
			}
			continue
		}
		items = append(items, numberedBefore(p, i, cut))
	}
	return strings.Join(items, ", ")
}

func (s Style) no(w io.Writer, run *Run) {
	r := &run.Result
	if r.Partition == nil {
		return
	}
	s.why(w, r)
	f := r.Failure
	if f == nil && (!r.Plain() || r.Uncertified == explain.NotAsked || NamesOperations(r) && r.Core == nil) {
		return
	}
	switch {
	case f == nil && r.Unlocated != "":
		escape.Fprintf(w, "  the operation that cannot be placed was not looked for: %s\n", r.Unlocated)
		return
	case f == nil:
		escape.Fprintf(w, "  the operation that cannot be placed was not found within the limits\n")
		return
	}
	escape.Fprintf(w, "  %s of process %s cannot be placed before it returns%s\n", s.Paint(Red, placing(r)(f.Op)),
		process(r.Partition, f.Op), at(r.Partition, f.Op))
	if f.Longest != nil {
		escape.Fprintf(w, "  linearization of everything before that response: %s\n",
			s.sequence(r.Partition, f.Longest, f.Cut))
	}
	if len(f.Frontier) == 0 {
		return
	}
	some := ""
	if !f.Complete {
		some = " (some of them)"
	}
	escape.Fprintf(w, "  configurations just before that response, and why each fails%s:\n", some)
	most := maxConfigurations
	if r.Core != nil && r.Core.Argument != nil {
		most = fewConfigurations // the explanation is more useful
	}
	for k, c := range f.Frontier {
		if s.Witness >= 0 && k == most && len(f.Frontier) > most+1 {
			escape.Fprintf(w, "    … and %d more\n", len(f.Frontier)-most)
			break
		}
		s.configuration(w, r.Partition, f, c)
	}
}

// why prints the explanation, and which facts it rests on.
func (s Style) why(w io.Writer, r *result.Result) {
	if !r.Plain() {
		s.quasi(w, r)
		return
	}
	s.reason(w, r, r.Core)
	for _, core := range r.MoreCores {
		escape.Fprintf(w, "  another core, without a fact of those above:\n")
		s.reason(w, r, core)
	}
}

// reason prints one core.
func (s Style) reason(w io.Writer, r *result.Result, core *explain.Core) {
	sentences, named := sentences(r, core)
	if sentences == nil {
		if r.Uncertified != explain.NotAsked {
			escape.Fprintf(w, "  no explanation: %s\n", notFound(r, core))
		}
		return
	}
	fmt.Fprintln(w)
	for k, x := range sentences {
		if s.Witness >= 0 && k == maxSentences && len(sentences) > maxSentences+1 {
			escape.Fprintf(w, "    … and %d more sentences (--witness -1 shows all)\n", len(sentences)-maxSentences)
			break
		}
		escape.Fprintf(w, "    %s\n", s.clip(x.String(), ", "))
	}
	fmt.Fprintln(w)
	escape.Fprintf(w, "  %s\n", s.Paint(Faint, restsOn(r, core, named)))
}

// restsOn describes what the sentences about a core rest on, or, without a core, those about the
// evidence of an engine, which name operations, or the verifier.
func restsOn(r *result.Result, core *explain.Core, named []history.OpID) string {
	switch {
	case core != nil:
		return restsOnFacts(core, r.Partition.Len())
	case NamesOperations(r):
		return fmt.Sprintf(
			"this rests on %d of %d operations and on all others that could change what they find (as reported by "+
				"the engine; perhaps not minimal)", len(named), r.Partition.Len())
	}
	return fmt.Sprintf(
		"this rests on all %s up to the last return named above (which of them matter was not determined within the "+
			"limits)", Count(r.Partition.Len(), "operation"))
}

// notFound describes why there is no explanation.
func notFound(r *result.Result, core *explain.Core) string {
	switch {
	case core != nil && core.NoArgument != "":
		return core.NoArgument
	case r.Uncertified != "":
		return r.Uncertified
	}
	return "no explanation was found within the limits"
}

// configuration prints one way to explain the prefix: the state, the open operations that took
// effect to reach it, and why the one that f is about cannot follow.
func (s Style) configuration(w io.Writer, p *model.Partition, f *engine.Failure, c engine.Configuration) {
	after := ""
	if len(c.Linearized) > 0 {
		var names []string
		for _, i := range c.Linearized {
			names = append(names, numberedBefore(p, i, f.Cut))
		}
		after = " after " + strings.Join(names, ", ")
	}
	why := ""
	for _, x := range c.Refusals {
		if x.Op == f.Op {
			why = ": " + x.Why
		}
	}
	escape.Fprintf(w, "    %s%s%s\n", s.Paint(Faint, s.clip(c.State, ", ")), s.clip(after, ", "), s.clip(why, " "))
	for _, x := range c.Refusals {
		if x.Op != f.Op {
			escape.Fprintf(w, "      nor %s: %s\n", numberedBefore(p, x.Op, f.Cut), s.clip(x.Why, " "))
		}
	}
}

// clip leaves out the middle of a text that is too long for a line, from one separator to another,
// so that names are whole.
func (s Style) clip(text, separator string) string {
	if s.Witness < 0 || utf8.RuneCountInString(text) <= longText {
		return text
	}
	if text = shortWords(text); utf8.RuneCountInString(text) <= longText {
		return text
	}
	parts := strings.Split(text, separator)
	first, last, room := 0, len(parts), longText
	for first < last {
		next := parts[first]
		if first > len(parts)-last {
			next = parts[last-1]
		}
		if room -= utf8.RuneCountInString(next) + len(separator); room < 0 {
			break
		}
		if first > len(parts)-last {
			last--
		} else {
			first++
		}
	}
	if first == 0 { // one long word
		return cutShort(text)
	}
	kept := append(append([]string{}, parts[:first]...), fmt.Sprintf("… %d more …", last-first))
	return strings.Join(append(kept, parts[last:]...), separator)
}

// shortWords leaves out the middle of words that are longer than values are shown.
func shortWords(text string) string {
	words := strings.Split(text, " ")
	for k, word := range words {
		if r := []rune(word); len(r) > shortText {
			words[k] = string(r[:shortText/2]) + "…" + string(r[len(r)-shortText/2:])
		}
	}
	return strings.Join(words, " ")
}

// Clip leaves out the middle of a sentence that is too long for a line.
func (s Style) Clip(sentence string) string { return s.clip(sentence, ", ") }

func process(p *model.Partition, i history.OpID) string { return p.History.Processes[p.Ops[i].Process] }

// at describes where an operation stands in the input.
func at(p *model.Partition, i history.OpID) string {
	o := &p.History.Origins[p.Global(i)]
	if o.Line > 1 {
		return fmt.Sprintf(" (line %d)", o.Line)
	}
	return fmt.Sprintf(" (called at %d)", o.CallTime)
}

func (s Style) unknown(w io.Writer, run *Run) {
	r := &run.Result
	limit := ""
	if run.TimeLimit > 0 {
		limit = " of " + Duration(run.TimeLimit)
	}
	if run.DefaultLimit {
		limit += ", the default (--timeout 0 is none)"
	}
	cause := Cause(r)
	if !run.single() {
		cause = strings.Replace(cause, bySelected, "unsupported by every engine", 1)
	}
	escape.Fprintf(w, "  stopped by: %s%s\n", cause, limit)
	if t := tried(r); t != "" {
		escape.Fprintf(w, "  tried: %s\n", t)
	}
	if p := run.Prefix; p != nil {
		escape.Fprintf(w,
			"  longest prefix that was found to be linearizable: %d of %d returns, to that of %s of process %s%s\n",
			p.Returned, p.Of, Numbered(r.Partition, p.Last), process(r.Partition, p.Last), at(r.Partition, p.Last))
	}
	why, helps := Hard(r)
	if len(why) > 0 {
		escape.Fprintf(w, "  hard, because %s\n", strings.Join(why, "; "))
	}
	if run.single() && r.Cause != engine.Unsupported {
		helps = append([]string{"use --engine auto, which asks the other engines, too"}, helps...)
	}
	if hint := causeHint(run); hint != "" {
		helps = append(helps, hint)
	}
	if len(helps) > 0 {
		escape.Fprintf(w, "  hint: %s\n", strings.Join(helps, "; or "))
	}
}

// tried names what the engines did before they were stopped; "" if that is not known.
func tried(r *result.Result) string {
	var items []string
	if r.Effort.Steps > 0 {
		items = append(items, "search, "+Count(int(r.Effort.Steps), "step"))
	}
	if r.Effort.Clauses > 0 {
		items = append(items, "sat, "+Count(int(r.Effort.Clauses), "clause"))
	}
	if r.SMT != "" {
		items = append(items, r.SMT)
	}
	return strings.Join(items, "; ")
}

// bySelected is the cause of an answer that no engine that was asked can give.
const bySelected = "unsupported by the selected engine"

// Cause describes why a result is unknown.
func Cause(r *result.Result) string {
	return CauseText(r.Cause, r.Detail)
}

func CauseText(c engine.Cause, detail string) string {
	text := c.String()
	if c == engine.Unsupported {
		text = bySelected
	}
	if detail != "" {
		text += ": " + detail
	}
	return text
}

func causeHint(run *Run) string {
	switch run.Result.Cause {
	case engine.Timeout:
		return "give it more time with --timeout"
	case engine.Memory:
		return "give it more memory with --memory"
	case engine.Steps:
		return "give it more steps with --steps"
	case engine.Unsupported:
		return run.supported()
	}
	return ""
}

// single reports whether one engine was asked for.
func (run *Run) single() bool { return run.Engine != "" && run.Engine != "auto" && run.Engine != "all" }

// searches is the hint about an engine that does not take every history.
const searches = "use --engine search, which takes every history, or auto, which asks all engines that take it"

// supported is the hint about a question that no engine that was asked takes.
func (run *Run) supported() string {
	switch {
	case run.Result.Plain() && strings.HasPrefix(run.Engine, "smt"):
		return searches + "; smt takes registers, key-value stores, counters, " +
			"locks without tokens, queues without capacity, stacks and priority queues (docs/limits.md)"
	case run.Result.Plain() && run.single():
		return searches
	case run.single():
		return "use --engine auto, and see docs/quasi.md for what no engine decides completely"
	}
	return "see docs/quasi.md for what no engine decides completely"
}

// Count returns "1 step", "2 steps"; forms are the singular and, unless it is singular + s, the
// plural.
func Count(n int, forms ...string) string {
	if n == 1 {
		return "1 " + forms[0]
	}
	if len(forms) > 1 {
		return fmt.Sprintf("%d %s", n, forms[1])
	}
	return fmt.Sprintf("%d %ss", n, forms[0])
}

// Duration writes d with three digits at most.
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1e3)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.2f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}
