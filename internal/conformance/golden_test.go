package conformance_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cockroachdb/datadriven"
	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/words"
	"github.com/linsat/linsat/quasi"
	"github.com/stretchr/testify/require"
)

// TestMonitorsAnswerAsWritten compares testdata/monitor with what the monitors answer, and every
// answer with the definition. Where the monitors do not take a history, the file says so and gives
// the answer of the other engines.
func TestMonitorsAnswerAsWritten(t *testing.T) { golden(t, "testdata/monitor") }

// TestQuasiLinearizabilityIsDecidedAsWritten compares testdata/quasi with what linsat answers, and
// every answer with the definition.
func TestQuasiLinearizabilityIsDecidedAsWritten(t *testing.T) { golden(t, "testdata/quasi") }

// golden runs the cases of a folder. A case is a question (the specification, and for a relaxed one
// quasi=BOUND, meaning=MEANING, undrained, causal), a history as a drawing, and behind the line of
// dashes the answer and why. LINSAT_UPDATE=1 writes the answers anew.
func golden(t *testing.T, dir string) {
	if testenv.Update() {
		require.NoError(t, flag.Set("rewrite", "true"))
		defer func() { require.NoError(t, flag.Set("rewrite", "false")) }()
	}
	datadriven.Walk(t, dir, func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			q, err := ask(d)
			if err != nil {
				return err.Error() + "\n"
			}
			return q.answer(t)
		})
	})
}

// question is a case that was read.
type question struct {
	spec    model.Spec
	history *history.History
	relaxed bool
	quasi   quasi.Question
}

func ask(d *datadriven.TestData) (*question, error) {
	s, ok := specs.Lookup(d.Cmd)
	if !ok {
		return nil, fmt.Errorf("unknown specification %q", d.Cmd)
	}
	q := &question{spec: s, quasi: quasi.Question{Drain: true}}
	initial := ""
	for _, arg := range d.CmdArgs {
		value := strings.Join(arg.Vals, ",")
		var err error
		switch arg.Key {
		case "initial":
			initial = value
		case "quasi":
			q.relaxed = true
			var asked quasi.Question
			asked, err = quasi.Parse(s.Info(), value)
			q.quasi.Factor, q.quasi.Sets, q.quasi.Free = asked.Factor, asked.Sets, asked.Free
		case "meaning":
			err = q.quasi.Meaning.UnmarshalText([]byte(value))
		case "undrained":
			q.quasi.Drain = false
		case "causal":
			q.quasi.Causal = true
		default:
			err = fmt.Errorf("unknown word %q in the question", arg.Key)
		}
		if err != nil {
			return nil, err
		}
	}
	var err error
	q.history, err = draw(d.Cmd, initial, strings.TrimRight(d.Input, "\n"))
	return q, err
}

// answer asks linsat and the definition, and writes what linsat says.
func (q *question) answer(t *testing.T) string {
	var out strings.Builder
	switch {
	case !q.relaxed:
		r := q.check(t, linsat.Engine("monitor"))
		if r.Verdict == engine.Unknown {
			fmt.Fprintf(&out, "no monitor decides this: %v\n", r.Cause)
			r = q.check(t)
		}
		q.agree(t, r, nil)
		fmt.Fprintf(&out, "%s, by %s\n", words.Verdict(full(r)), strings.Join(r.Engines, " and "))
		why(&out, r)
	case q.quasi.Free != nil:
		r := q.check(t, linsat.Quasi(q.quasi))
		require.True(t, r.Least != nil && r.Least.Settled(), "%+v", r.Least)
		fmt.Fprintln(&out, words.Verdict(full(r)))
		why(&out, r)
		relax := q.quasi
		relax.Factor, relax.Free = q.factor(r.Least.High), nil
		q.agree(t, r, &relax)
		if low := r.Least.Low; low > 0 && low != quasi.Unbounded {
			relax.Factor = q.factor(low - 1)
			below := q.check(t, linsat.Quasi(relax))
			q.agree(t, below, &relax)
			fmt.Fprintln(&out, words.Verdict(full(below)))
			why(&out, below)
		}
	default:
		r := q.check(t, linsat.Quasi(q.quasi))
		q.agree(t, r, &q.quasi)
		fmt.Fprintf(&out, "%s, by %s\n", words.Verdict(full(r)), strings.Join(r.Engines, " and "))
		why(&out, r)
	}
	return out.String()
}

// factor is that of the question with a bound for the classes that are asked about.
func (q *question) factor(bound int32) quasi.Factor {
	f := slices.Clone(q.quasi.Factor)
	for class, free := range q.quasi.Free {
		if free {
			f[class] = bound
		}
	}
	return f
}

func (q *question) check(t *testing.T, options ...linsat.Option) *linsat.Result {
	r, err := linsat.Check(context.Background(), q.spec, q.history, append(options, linsat.Workers(1),
		linsat.Steps(1_000_000))...)
	require.NoError(t, err)
	return &r
}

// agree compares a verdict with the definition by brute force. relax is nil for plain
// linearizability.
func (q *question) agree(t *testing.T, r *linsat.Result, relax *quasi.Question) {
	b, err := q.spec.Bind(model.Whole(q.history))
	require.NoError(t, err)
	ok, _ := oracle.Linearizable(b)
	if relax != nil {
		ok, _, _ = oracle.QuasiLinearizable(b, *relax)
	}
	want := engine.NotLinearizable
	if ok {
		want = engine.Linearizable
	}
	require.Equal(t, want, r.Verdict, "the definition against linsat")
	require.True(t, r.Certified, "%s", r.Uncertified)
}

// why writes the order that proves a history linearizable, or else the argument.
func why(out *strings.Builder, r *linsat.Result) {
	if r.Verdict == engine.NotLinearizable {
		for _, sentence := range words.Reasons(full(r)) {
			fmt.Fprintf(out, "  %s\n", sentence)
		}
		return
	}
	for _, a := range full(r).PartitionVerdicts {
		if len(full(r).PartitionVerdicts) > 1 {
			fmt.Fprintf(out, "  %s:\n", a.Partition.Title(r.Spec.Info()))
		}
		part := a.Partition.Drained(a.Drains)
		if a.Rearranged == nil {
			fmt.Fprintf(out, "  %s\n", strings.Join(names(part, a.Witness), ", "))
			continue
		}
		up, down := names(part, a.Witness), names(part, a.Rearranged)
		for i := range up {
			width := max(utf8.RuneCountInString(up[i]), utf8.RuneCountInString(down[i]))
			up[i] += strings.Repeat(" ", width-utf8.RuneCountInString(up[i]))
			down[i] += strings.Repeat(" ", width-utf8.RuneCountInString(down[i]))
		}
		fmt.Fprintf(out, "  ρ′  %s\n", strings.TrimRight(strings.Join(up, "  "), " "))
		fmt.Fprintf(out, "  ρ″  %s\n", strings.TrimRight(strings.Join(down, "  "), " "))
	}
}

// names writes operations in the given order.
func names(p *model.Partition, order []history.OpID) []string {
	all := make([]string, len(order))
	for i, op := range order {
		all[i] = words.Numbered(p, op)
	}
	return all
}
