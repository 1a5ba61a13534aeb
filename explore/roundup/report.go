package roundup

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/quasi"
)

// String writes the report on a few lines.
func (r *Report) String() string {
	if r.Case == nil {
		return "" // nothing was checked
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s\n", r.Case.Object.Name, DimensionOf(r.Case), r.Case.String())
	fmt.Fprintf(&b, "  phase 1: %s in %s", count(r.Sequential, "sequential history", "sequential histories"),
		r.Phase1.Round(time.Microsecond))
	if r.Drained {
		b.WriteString("; not all leave the object empty: what is left over is drained")
	}
	fmt.Fprintf(&b, "\n  phase 2: %s", executions(r.All.Executions))
	if r.Traces > 0 {
		fmt.Fprintf(&b, ", %s", count(r.Traces, "trace", "traces"))
	}
	fmt.Fprintf(&b, ", %s, %s", histories(r.All.Histories), count(r.Linearizations, "linearization", "linearizations"))
	if r.Rearrangements > 0 && r.Factor != "" {
		fmt.Fprintf(&b, ", %s", count(r.Rearrangements, "rearrangement", "rearrangements"))
	}
	fmt.Fprintf(&b, " in %s", r.Phase2.Round(time.Microsecond))
	if !r.Run.Complete {
		fmt.Fprintf(&b, "; stopped: %s", r.Run.Stopped)
	}
	if r.Stopped.Executions > 0 {
		fmt.Fprintf(&b, "; in %s, %s more, an operation stopped", executions(r.Stopped.Executions),
			histories(r.Stopped.Histories))
	}
	if r.Unfinished.Executions > 0 {
		fmt.Fprintf(&b, "; %s did not complete, the first is %s: schedule %s", executions(r.Unfinished.Executions),
			r.FirstUnfinished.Execution.Outcome,
			r.FirstUnfinished.Execution.Schedule)
	}
	if r.Broken.Executions > 0 {
		fmt.Fprintf(&b, "\n  violation: %s; the first is schedule %s", r.broken(), r.FirstBroken.Execution.Schedule)
	}
	fmt.Fprintf(&b, "\n  linearizable: %s", answer(r.Linearizable, r.NotLinearizable, r.First))
	if r.Factor != "" {
		fmt.Fprintf(&b, "\n  quasi-linearizable with factor %s: %s", r.Factor, r.quasi())
	}
	b.WriteByte('\n')
	return b.String()
}

// quasi answers the question of quasi-linearizability.
func (r *Report) quasi() string {
	text := answer(r.Quasi, r.NotQuasi, r.FirstQuasi)
	switch {
	case r.Least == nil || r.FirstQuasi == nil && r.Quasi == engine.NotLinearizable:
	case r.FirstQuasi != nil:
		text = strings.Replace(text, "no", "at no bound", 1)
	case r.FirstLeast != nil:
		text = fmt.Sprintf("least bound %s; the first that needs %d is schedule %s", r.LeastBound(), r.Least.Low,
			r.FirstLeast.Execution.Schedule)
	default:
		text = "least bound " + r.LeastBound()
	}
	return text
}

// LeastBound writes what is known of Least.
func (r *Report) LeastBound() string {
	switch l := r.Least; {
	case l == nil:
		return "" // not asked for
	case l.Low == quasi.Unbounded:
		return "none"
	case l.Settled():
		return fmt.Sprint(l.Low)
	case l.High == quasi.Unbounded:
		return fmt.Sprintf("unknown, at least %d", l.Low)
	default:
		return fmt.Sprintf("unknown, from %d to %d", l.Low, l.High)
	}
}

// broken describes the broken executions.
func (r *Report) broken() string {
	stuck, panicked := r.Broken.Executions-r.Run.Outcomes[explore.Panicked], r.Run.Outcomes[explore.Panicked]
	var parts []string
	if stuck > 0 {
		parts = append(parts, count(stuck, "execution ends stuck", "executions end stuck"))
	}
	if panicked > 0 {
		parts = append(parts, count(panicked, "execution ends in a panic", "executions end in a panic"))
	}
	e := r.FirstBroken.Execution
	if e.Outcome == explore.Panicked {
		return fmt.Sprintf("%s (%v)", strings.Join(parts, ", "), e.Panic)
	}
	return strings.Join(parts, ", ")
}

// count writes a number with its noun.
func count[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return digits(int64(n)) + " " + many
}

// digits writes a number; math.MaxInt64 stands for more.
func digits(n int64) string {
	if n == math.MaxInt64 {
		return "more than 9·10¹⁸"
	}
	return fmt.Sprint(n)
}

func executions(n int) string { return count(n, "execution", "executions") }
func histories(n int) string  { return count(n, "history", "histories") }

func answer(v engine.Verdict, n Count, first *Violation) string {
	switch v {
	case engine.Linearizable:
		return "yes"
	case engine.NotLinearizable:
		if first == nil {
			return "no: some executions do not end; no history violates the property"
		}
		return fmt.Sprintf("no: %s, %s; the first is schedule %s", executions(n.Executions), histories(n.Histories),
			first.Execution.Schedule)
	}
	return "unknown"
}
