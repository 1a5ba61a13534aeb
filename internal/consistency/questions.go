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
}

// Questions are all of them; each stands before those that it implies. To add one, add a row here
// and say in package check how it is decided.
var Questions = []Question{
	{Name: "linearizable", Aliases: []string{"strict", "atomic"},
		Means:   "one order, in which what returned before another was called comes first",
		Implies: []string{"sequential"}},
	{Name: "sequential", Aliases: []string{"sequentially-consistent", "sc"},
		Means: "one order, in which the operations of each process are in theirs"},
}

// fold makes spellings of one name equal: "Read Your Writes", ":read-your-writes".
func fold(name string) string {
	return strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(strings.TrimPrefix(name, ":")))
}

// Parse returns the question of a name, as others spell it too.
func Parse(name string) (*Question, error) {
	s := fold(name)
	for k := range Questions {
		if q := &Questions[k]; q.Name == s || slices.Contains(q.Aliases, s) {
			return q, nil
		}
	}
	return nil, fmt.Errorf("unknown consistency %q", name)
}

// IsAtLeast reports whether every history of which q holds is one of which p holds.
func (q *Question) IsAtLeast(p *Question) bool {
	return q == p || slices.ContainsFunc(q.Implies, func(name string) bool {
		next, err := Parse(name)
		return err == nil && next.IsAtLeast(p)
	})
}
