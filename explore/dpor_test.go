package explore

import (
	"testing"

	"github.com/linsat/linsat/explore/mem"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDPORMissesNoClassOfHardPrograms has programs of which some version lost classes or traces.
// docs/decisions/dpor.md has the rule.
func TestDPORMissesNoClassOfHardPrograms(t *testing.T) {
	for _, c := range []struct{ name, program string }{
		{"lock after unlock hides lock after lock",
			"0:lock.0.0.0 lock.1.0.0 unlock.1.0.0 unlock.0.0.0|lock.1.0.0 lock.0.0.0 unlock.0.0.0 unlock.1.0.0"},
		{"a thread that is blocked for ever", "0:lock.0.0.0|load.0.0.0 lock.0.0.0 store.0.0.1|load.0.0.0"},
		{"await that became false", "0:store.0.0.1 store.0.0.0|await.0.0.1|store.0.0.2"},
		{"permits may be there without the release",
			"2:load.1.0.0 release.2.1.1|release.2.1.0 store.1.0.2|release.1.2.1 release.2.1.0;acquire.2.2.2 " +
				"tryacquire.2.1.2 store.2.0.2"},
		{"a blocked access may be the last one",
			"0:load.0.0.1 store.1.1.1 lock.0.0.2;lock.1.0.1 lock.1.1.1|load.1.1.2 lock.1.0.2|load.1.1.2 store.0.1.1 " +
				"lock.0.0.1"},
		{"blocked threads where an execution is given up",
			"2:store.0.0.0 release.0.0.2|acquire.0.0.0;|acquire.0.0.1 acquire.0.0.1 acquire.0.0.1;"},
		{"waking up waits for a signal and the lock", "0:wait.0.0.0|signal.0.0.0|locked.0.0.0 load.0.0.0|store.0.0.1"},
		{"a signal and the lock wake independently",
			"2:;signal.0.0.0 wait.1.0.2 wait.0.0.1|wait.1.0.1 signal.0.0.0 signal.1.0.1|signal.1.0.2"},
		{"signal before wait", "0:wait.0.0.0|wait.0.0.0|signal.0.0.0;broadcast.0.0.0"},
		{"readers and a writer", "0:rlocked.0.0.0 load.0.0.0|rlocked.0.0.0 load.0.0.0|wlocked.0.0.0 store.0.0.1"},
		{"two locations", "0:cas2.0.1.0|store.0.0.1;load.1.0.0|load.0.0.0;store.1.0.1"},
		{"a choice makes an access the last one",
			"0:load.0.0.0 choose.0.0.0 unless.0.0.0 store.1.0.1|store.1.0.2 load.0.0.0"},
		{"another choice does", "0:load.0.0.0 choose.0.0.0 unless.0.0.1 store.1.0.1|store.1.0.2 load.0.0.0"},
		{"choices before the first access", "0:choose.0.0.0 unless.0.0.0 store.0.0.1;|load.0.0.0;"},
		{"operations without accesses", "0:;;|;|;"},
		{"unlock that panics",
			"0:locked.1.2.0 locked.0.2.2|load.0.0.2 locked.0.1.1;unlock.1.1.0 locked.0.1.1 lock.0.1.0;locked.0.0.2"},
		{"panic between others", "0:load.0.0.0 fail.0.0.0|store.1.0.0;store.1.0.1|store.0.0.1"},
		{"spinning",
			"2:spin.0.1.1 spin.0.2.0|add.0.2.2;store.2.0.1|add.1.2.0 store.1.2.0;spin.1.2.0 add.2.2.0 add.1.2.0"},
		{"all others end the spinning", "2:store.2.2.1 store.0.0.2 store.1.0.1|spin.1.2.1 cas.2.1.0 add.0.0.2|"},
		{"an update of two locations works where it comes first",
			"2:;load.2.2.1 store.0.2.1 store.1.1.0|load.0.2.2 cas2.1.0.0 load.1.1.1|load.1.2.1"},
		{"two of them, and an operation without accesses",
			"0:load.2.1.0||load.0.2.1 cas2.2.0.0 cas2.0.1.2|store.1.0.0 store.0.0.2 store.0.2.0"},
		{"an update that works ends its operation",
			"1:store.0.0.2 store.0.0.1 store.0.0.0||cas.0.0.0 unless.0.0.1 load.0.0.0|load.1.0.0 cas.0.0.1 " +
				"unless.0.0.0 load.1.0.0"},
		{"sleeping threads and yields",
			"2:add.0.0.0;|spin.0.0.0 cas.0.0.1 cas.0.0.0;cas.0.0.1 store.0.0.0 store.0.0.2|spin.0.0.1"},
	} {
		p, err := parseProgram(c.program)
		require.NoError(t, err, c.name)
		require.Equal(t, c.program, p.String())
		whole, ok := visited(t, p.program(), Exhaustive(), 100_000)
		require.True(t, ok, "%s: %+v", c.name, whole.Stats)
		reduced, ok := visited(t, p.program(), DPOR(), 100_000)
		require.True(t, ok, "%s: %+v", c.name, reduced.Stats)
		assert.Empty(t, compare(whole, reduced), c.name)
		assert.LessOrEqual(t, reduced.Executions+reduced.Pruned, whole.Executions, c.name)
	}
}

// mixed is three threads with three operations each.
func mixed(add, take string) [][]Call {
	return [][]Call{calls(add, 1, take, add, 2), calls(add, 3, add, 4, take), calls(add, 5, take, take)}
}

// TestNumbersOfExecutionsByPreemptions has the sizes of a 3x3 test: executions and classes by the
// bound on preemptions, as counted by an independent prototype.
func TestNumbersOfExecutionsByPreemptions(t *testing.T) {
	for _, c := range []struct {
		object              func(*mem.Memory) Instance
		add, take           string
		executions, classes [3]int
	}{
		{treiber, "push", "pop", [3]int{6, 92, 1010}, [3]int{6, 92, 927}},
		{msqueue, "enq", "deq", [3]int{6, 254, 8096}, [3]int{6, 126, 1545}},
	} {
		p := (&Case{Object: &Object{New: c.object}, Threads: mixed(c.add, c.take)}).Program()
		var executions, classes [3]int
		for bound := range 3 {
			stats, found := collect(t, p, Bounded(bound), Options{})
			executions[bound], classes[bound] = stats.Executions, len(found)
		}
		assert.Equal(t, c.executions, executions, c.add)
		assert.Equal(t, c.classes, classes, c.add)
	}
}

// TestDPORFindsWhatFewPreemptionsFind: a test of 2x2 operations that exhaustive search cannot
// finish; DPOR finds what is found with few preemptions.
func TestDPORFindsWhatFewPreemptionsFind(t *testing.T) {
	p := (&Case{Object: &Object{New: msqueue}, Threads: [][]Call{calls("enq", 1, "deq"),
		calls("enq", 2, "deq")}}).Program()
	stats, reduced := collect(t, p, DPOR(), Options{})
	require.True(t, stats.Complete)
	assert.Equal(t, 334, stats.Executions, "the prototype needed 512")
	assert.Zero(t, stats.Pruned)
	assert.Len(t, reduced, 30)
	for bound := range 4 {
		_, bounded := collect(t, p, Bounded(bound), Options{})
		for k := range bounded {
			require.Contains(t, reduced, k, "%d preemptions", bound)
		}
		if bound == 2 {
			assert.Len(t, bounded, 26)
		}
	}
	all, _ := collect(t, p, Exhaustive(), Options{MaxRuns: testenv.Scale(10_000, 400_000)})
	assert.False(t, all.Complete)
}

func BenchmarkDPOR(b *testing.B) {
	for _, row := range table() {
		p := (&Case{Object: &Object{New: row.object}, Threads: row.threads}).Program()
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			executions, steps := 0, 0
			for b.Loop() {
				stats, err := Run(p, DPOR(), Options{}, func(*Execution) bool { return true })
				if err != nil || stats.Executions != row.reduced {
					b.Fatalf("%d executions, %v", stats.Executions, err)
				}
				executions += stats.Executions + stats.Pruned
				steps += int(stats.Steps)
			}
			b.ReportMetric(float64(executions)/b.Elapsed().Seconds(), "executions/s")
			b.ReportMetric(float64(steps)/float64(executions), "accesses/execution")
		})
	}
}
