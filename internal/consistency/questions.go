package consistency

import (
	"fmt"
	"slices"
	"strings"
)

// Question is what may be asked of the operations of one object.
type Question struct {
	Name    string
	Aliases []string // other spellings
	Means   string   // one line
	// Implies names the questions whose answer is yes wherever that of this one is, directly.
	Implies []string
	// Crashes says that it is about events that are crashes, of the name after its own and a colon
	// (durable:kill), or "crash". Event is that name, in the result of Parse.
	Crashes bool
	Event   string
	// Registers says that it is asked of registers and maps whose operations only read, or only
	// write.
	Registers bool
	// rule says what comes before what in the view of a process; nil if the question is none of
	// views.
	rule func(own, aRead, bRead bool) bool
}

// Questions are all of them; each stands before those that it implies. To add one, add a row here
// and say in package check how it is decided.
var Questions = []Question{
	{Name: "durable", Aliases: []string{"strictly-linearizable"}, Crashes: true,
		Means:   "linearizable, and what is open at a crash takes effect before it or never",
		Implies: []string{"linearizable", "buffered-durable"}},
	{Name: "buffered-durable", Crashes: true,
		Means: "the same, but each crash may lose a suffix of the order since the crash before"},
	{Name: "linearizable", Aliases: []string{"strict", "atomic"},
		Means:   "one order, in which what returned before another was called comes first",
		Implies: []string{"sequential", "regular"}},
	{Name: "regular", Aliases: []string{"mwregwo", "mwreg-wo"}, Registers: true,
		Means:   "one order of the writes, and each read returns the last write before its place in that order",
		Implies: []string{"weakly-regular"}},
	{Name: "weakly-regular", Aliases: []string{"mwregweak", "mwreg-weak"}, Registers: true,
		Means: "the same, but each read may have an order of its own"},
	{Name: "sequential", Aliases: []string{"sequentially-consistent", "sc"},
		Means:   "one order, in which the operations of each process are in theirs",
		Implies: []string{"causal", "causal-convergence"}},
	{Name: "causal", Aliases: []string{"causal-memory", "causal-consistency", "cm"}, rule: causal,
		Means:   "pram and writes-follow-reads at once: an order for each process that keeps causes before effects",
		Implies: []string{"weakly-causal", "pram", "writes-follow-reads"}},
	{Name: "causal-convergence", Aliases: []string{"ccv", "causal+"},
		Means:   "one order of all writes, of which each read shows the last one that is a cause of it",
		Implies: []string{"weakly-causal", "monotonic-reads"}},
	{Name: "weakly-causal", Aliases: []string{"cc", "wcc", "weak-causal-consistency"}, rule: causal,
		Means:   "each operation has an order of its causes, in which it returns what it did",
		Implies: []string{"read-your-writes"}},
	{Name: "pram", Aliases: []string{"fifo", "pipelined-ram"}, rule: pram,
		Means:   "an order for each process, of its operations and all writes, that keeps the order of each process",
		Implies: []string{"read-your-writes", "monotonic-writes"}},
	{Name: "read-your-writes", Aliases: []string{"ryw", "read-my-writes"}, rule: readYourWrites,
		Means: "what a process wrote is seen by its later reads"},
	{Name: "writes-follow-reads", Aliases: []string{"wfr", "session-causality"}, rule: writesFollowReads,
		Means:   "what a process wrote is seen after what it had read before",
		Implies: []string{"monotonic-reads"}},
	{Name: "monotonic-writes", Aliases: []string{"mw"}, rule: monotonicWrites,
		Means:   "the writes of a process are seen in its order",
		Implies: []string{"monotonic-reads"}},
	{Name: "monotonic-reads", Aliases: []string{"mr"}, rule: monotonicReads,
		Means: "what a process has seen stays seen by its later reads"},
}

// ByViews reports whether the question asks for an order for each process, of its reads and of all
// writes, in which each read shows the last write of its object before it (Before). Such questions
// are of reads and writes.
func (q *Question) ByViews() bool { return q.rule != nil }

// Before reports whether in the view of a process an operation a comes before another one b, called
// later by one process; own says that it is the process of the view. A read that shows what an
// operation wrote comes after it as well, if it is in the view: those of other processes are only
// where Reads says so, as steps of causality that nothing else is asked of.
func (q *Question) Before(own, aRead, bRead bool) bool { return q.rule(own, aRead, bRead) }

// Reads reports whether the reads of other processes are in the view of a process.
func (q *Question) Reads() bool { return q.rule(false, true, false) }

func monotonicReads(own, aRead, bRead bool) bool { return own && aRead && bRead }

func monotonicWrites(own, aRead, bRead bool) bool {
	return !aRead && !bRead || monotonicReads(own, aRead, bRead)
}

func readYourWrites(own, aRead, bRead bool) bool { return own && !aRead }

func writesFollowReads(own, aRead, bRead bool) bool { return aRead }

func pram(own, aRead, bRead bool) bool { return own || !aRead && !bRead }

func causal(own, aRead, bRead bool) bool { return true }

// fold makes spellings of one name equal: "Read Your Writes", ":read-your-writes".
func fold(name string) string {
	return strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(strings.TrimPrefix(name, ":")))
}

// Parse returns the question of a name, as others spell it too.
func Parse(name string) (*Question, error) {
	asked, event, named := strings.Cut(strings.TrimPrefix(name, ":"), ":")
	s := fold(asked)
	for k := range Questions {
		q := &Questions[k]
		if q.Name != s && !slices.Contains(q.Aliases, s) {
			continue
		}
		if !named {
			return q, nil
		}
		if !q.Crashes || event == "" {
			break
		}
		about := *q
		about.Event = event
		return &about, nil
	}
	return nil, fmt.Errorf("unknown consistency %q", name)
}

// IsAtLeast reports whether every history of which q holds is one of which p holds.
func (q *Question) IsAtLeast(p *Question) bool {
	return q.Name == p.Name || slices.ContainsFunc(q.Implies, func(name string) bool {
		next, err := Parse(name)
		return err == nil && next.IsAtLeast(p)
	})
}
