package explore

import (
	"context"
	"strings"
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the operations of polite do: giving way to each other and letting others run, or not; at
// most a hundred times; not at all; polling with a lock until a flag is set; setting it.
const (
	giving = 10 * iota
	trying
	counting
	staying
	polling
	setting
)

// polite has operations add(n), where n is what they do, and in the last digit by which side.
var polite = &Object{Name: "polite", Spec: "counter", New: func(m *mem.Memory) Instance {
	want := [2]*mem.Int64{mem.NewInt64(m, "left", 0), mem.NewInt64(m, "right", 0)}
	done, mu := mem.NewInt64(m, "done", 0), mem.NewMutex(m, "mu")
	return func(f string, arg any) any {
		me := arg.(int) % 10
		what := arg.(int) - me
		switch what {
		case polling:
			for {
				mu.Lock()
				ok := done.Load() == 1
				mu.Unlock()
				if ok {
					return nil
				}
				m.Yield()
			}
		case setting:
			mu.Lock()
			done.Store(1)
			mu.Unlock()
			return nil
		}
		for n := 0; ; n++ {
			want[me].Store(1)
			if want[1-me].Load() == 0 || what == counting && n == 100 {
				want[me].Store(0)
				return nil
			}
			if what == staying {
				for want[1-me].Load() != 0 {
					m.Spin()
				}
				want[me].Store(0)
				return nil
			}
			want[me].Store(0)
			if what == giving {
				m.Yield()
			}
		}
	}
}}

// TestPolite: two threads that give way to each other for ever are a livelock, which is found among
// the first executions; nothing is one that ends by itself, or leaves a thread out.
func TestPolite(t *testing.T) {
	for test, livelock := range map[string]bool{
		"add(0) | add(1)":             true,
		"add(10) | add(11)":           true,
		"add(10) | add(11) | add(50)": true,
		"add(0) | add(31)":            false,
		"add(20) | add(21)":           false,
		"add(20) | add(1)":            false,
		"add(40) | add(40) | add(50)": false,
		"add(40) | add(50)":           false,
	} {
		c := parsed(t, polite, test)
		r, err := Check(context.Background(), c, specs.Counter(), CheckOptions{Strategy: DPOR(),
			Options: Options{MaxRuns: 5, MaxSteps: 2_000}})
		require.NoError(t, err, test)
		if !livelock {
			assert.NotEqual(t, engine.NotLinearizable, r.Verdict, test)
			continue
		}
		require.Equal(t, engine.NotLinearizable, r.Verdict, test)
		require.Equal(t, "livelock", r.Violation.What, test)
		assert.LessOrEqual(t, r.Violation.round, 12, test)
		assert.Less(t, r.Violation.Preemptions, 20, test)
		s := r.Violation.Execution.Schedule
		text := s.String()
		assert.True(t, strings.HasSuffix(text, "]") && len(text) < 40, text)
		back, err := ParseSchedule(text)
		require.NoError(t, err)
		require.Equal(t, s, back)
		again, err := c.Replay(back, Options{Trace: true})
		require.NoError(t, err)
		assert.Positive(t, again.round(), test)
	}
}
