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
		Means: "one order, in which the operations of each process are in theirs"},
}

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
