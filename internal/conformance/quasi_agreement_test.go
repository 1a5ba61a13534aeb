package conformance_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/gen"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/oracle"
	"github.com/linsat/linsat/internal/quasi/monitor"
	"github.com/linsat/linsat/internal/quasi/sat"
	"github.com/linsat/linsat/internal/quasi/search"
	"github.com/linsat/linsat/internal/quasi/verify"
	"github.com/linsat/linsat/internal/solver/gini"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/linsat/linsat/internal/testkit"
	"github.com/linsat/linsat/quasi"
	"github.com/linsat/linsat/solver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostBound is the greatest bound that is asked for.
const mostBound = 4

// TestQuasiEnginesAgreeWithTheDefinition compares, per specification with relaxable classes and on
// thousands of random small histories (pending operations, repeated values, empty results, several
// objects, initial contents, explicit edges in a tenth), the definition with search, SAT and the
// monitor, each alone, and with Check: under both meanings, drained and not, at bounds 0 to 4; in a
// fifth of the histories with causality, in a seventh with the bound for every class. Every
// acceptance is certified and replayed by the definition. An engine may answer that a question is
// not its own, and the monitor that it does not know; Check may not. Two laws are checked, too:
// bound 0 under slots is linearizability, and acceptance is monotone in the bound and from slots to
// classes.
func TestQuasiEnginesAgreeWithTheDefinition(t *testing.T) {
	for _, name := range []string{"queue", "stack", "priority-queue", "deque", "counter"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testkit.Spec(t, name)
			a := &agreement{T: t, spec: s, engines: []engine.Decider{monitor.New(), search.New(),
				sat.New(func() solver.Solver { return gini.New() })},
				says: map[string]int{}}
			n := testenv.Scale(80, 20_000)
			for seed := range uint64(n) {
				h, err := gen.Small(name, seed, gen.SmallOptions{Most: 7, Relax: int(seed % 4)})
				require.NoError(t, err, "seed %d", seed)
				a.history(h, seed)
				if t.Failed() {
					return
				}
			}
			for _, key := range slices.Sorted(maps.Keys(a.says)) {
				t.Logf("%s: %d", key, a.says[key])
			}
			for _, meaning := range []string{"slots", "classes"} {
				assert.Greater(t, a.says[meaning+": yes by definition"], testenv.MoreThan(n))
				assert.Greater(t, a.says[meaning+": no by definition"], testenv.MoreThan(n))
			}
		})
	}
}

// agreement compares answers on histories of one specification.
type agreement struct {
	*testing.T
	spec    model.Spec
	engines []engine.Decider
	says    map[string]int // how often who said what
}

// history compares all answers on one history.
func (a *agreement) history(h *history.History, seed uint64) {
	b, err := a.spec.Bind(model.Whole(h))
	require.NoError(a, err, "seed %d", seed)
	linear, _ := oracle.Linearizable(b)
	for _, drain := range []bool{true, false} {
		bounds := map[quasi.Meaning]int32{}
		for _, meaning := range []quasi.Meaning{quasi.Slots, quasi.Classes} {
			// The definition is asked downwards, until it refuses.
			least := int32(mostBound + 1)
			for k := int32(mostBound); k >= 0; k-- {
				relax := a.question(seed, k, drain, meaning)
				if ok, _, _ := oracle.QuasiLinearizable(b, relax); !ok {
					break
				}
				least = k
			}
			bounds[meaning] = least
			for k := range int32(mostBound + 1) {
				relax := a.question(seed, k, drain, meaning)
				want := engine.NotLinearizable
				if k >= least {
					want = engine.Linearizable
				}
				a.says[fmt.Sprintf("%v: %s by definition", meaning, yesNo(want))]++
				for _, e := range a.engines {
					a.engine(e, b, relax, want, seed)
				}
				if k == int32(seed%(mostBound+1)) {
					a.check(h, relax, want, seed)
				}
			}
		}
		if linear != (bounds[quasi.Slots] == 0) {
			a.Errorf("linearizable %t, least bound under slots %d: seed %d, drain %t%s", linear, bounds[quasi.Slots],
				seed, drain, show(h))
		}
		if bounds[quasi.Classes] > bounds[quasi.Slots] {
			a.Errorf("least bound %d under slots, %d under classes: seed %d, drain %t%s", bounds[quasi.Slots],
				bounds[quasi.Classes], seed, drain, show(h))
		}
	}
}

// question is the relaxation that is asked about.
func (a *agreement) question(seed uint64, bound int32, drain bool, meaning quasi.Meaning) quasi.Question {
	classes := a.spec.Info().Classes
	relax := quasi.Question{Factor: make(quasi.Factor, len(classes)), Meaning: meaning, Drain: drain,
		Causal: seed%5 == 0 && a.spec.Info().Name != "counter"} // a counter stores nothing
	for c := range classes {
		if classes[c].Relaxable || seed%7 == 0 {
			relax.Factor[c] = bound
		}
	}
	return relax
}

func yesNo(v engine.Verdict) string {
	return map[engine.Verdict]string{engine.Linearizable: "yes", engine.NotLinearizable: "no"}[v]
}

// engine compares what one engine says, alone, of the whole history.
func (a *agreement) engine(e engine.Decider, b *model.Instance, relax quasi.Question,
	want engine.Verdict, seed uint64) {
	answer, err := e.Check(context.Background(), &engine.Task{Instance: b, Quasi: &relax}, nil)
	require.NoError(a, err, "seed %d", seed)
	if answer.Verdict == engine.Unknown && (answer.Cause == engine.Unsupported || answer.Cause == engine.Undecided &&
		e.Name() == "monitor") {
		a.says[fmt.Sprintf("%v: %v by %s", relax.Meaning, answer.Cause, e.Name())]++
		return
	}
	a.says[fmt.Sprintf("%v: %s by %s", relax.Meaning, yesNo(want), e.Name())]++
	if answer.Verdict != want {
		a.Errorf("%s on seed %d, %+v: %v (%v), want %v%s", e.Name(), seed, relax, answer.Verdict, answer.Cause, want,
			show(b.Partition.History))
	}
	if answer.Verdict != engine.Linearizable {
		return
	}
	err = verify.Rearrangement(b, &relax, answer.Witness, answer.Rearranged, answer.Drains)
	if err == nil {
		err = oracle.ReplayQuasi(b, relax, answer.Witness, answer.Rearranged)
	}
	if err != nil {
		a.Errorf("%s on seed %d, %+v: ρ′ %v, ρ″ %v: %v%s", e.Name(), seed, relax, answer.Witness, answer.Rearranged,
			err, show(b.Partition.History))
	}
}

// check compares what Check says, which judges objects apart.
func (a *agreement) check(h *history.History, relax quasi.Question, want engine.Verdict, seed uint64) {
	r, err := linsat.Check(context.Background(), a.spec, h, linsat.Quasi(relax))
	require.NoError(a, err, "seed %d", seed)
	if r.Verdict != want || want == engine.Linearizable && !r.Certified {
		a.Errorf("Check on seed %d, %+v: %v (%v), want %v; certified %t (%s)%s", seed, relax, r.Verdict, r.Cause, want,
			r.Certified, r.Uncertified, show(h))
	}
}

// TestEmptyHistoriesAreQuasiLinearizable compares the same answers on histories of which no
// operation took effect: then nothing is drained, whatever there is at the start.
func TestEmptyHistoriesAreQuasiLinearizable(t *testing.T) {
	contents := []string{"[]", "[4]", "[4, 5]", "[3, 4, 4]"}
	for name, o := range map[string]struct {
		f        string
		initials []string
	}{"queue": {"deq", contents}, "stack": {"pop", contents}, "priority-queue": {"deletemin", contents},
		"deque": {"popfront", contents}, "counter": {"getandinc", []string{"0", "4"}}} {
		s := testkit.Spec(t, name)
		a := &agreement{T: t, spec: s, engines: []engine.Decider{monitor.New(), search.New(),
			sat.New(func() solver.Solver { return gini.New() })}, says: map[string]int{}}
		for seed, initial := range o.initials {
			a.history(history1(t,
				fmt.Sprintf(
					`{"spec": %q, "initial": %s, "operations": [{"process": 0, "f": %q, "call": 19, "status": "fail"}]}`, name, initial, o.f)), uint64(seed))
		}
	}
}
