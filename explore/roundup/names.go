package roundup

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/explore"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/spec"
)

// role is the role of an operation with respect to factors.
type role uint8

const (
	other     role = iota
	insertion      // of a class of insertions
	removal        // of a class that may be relaxed
)

// kind is the class of an operation, as a position in model.Info.Classes, -1 if it has none, and
// its role.
type kind struct {
	class int
	role  role
}

// kinds maps the operation names of a test to their kinds.
type kinds map[string]kind

func kindsOf(info model.Info, c *explore.Case) kinds {
	k := kinds{}
	for _, calls := range slices.Concat([][]explore.Call{c.Before, c.After}, c.Threads) {
		for _, call := range calls {
			k[call.F] = kindOf(info, call.F)
		}
	}
	return k
}

func kindOf(info model.Info, f string) kind {
	f = canonical(info, f)
	for i, c := range info.Classes {
		switch {
		case !slices.Contains(c.Operations, f):
		case c.Relaxable:
			return kind{i, removal}
		case strings.HasPrefix(c.Name, "insertions"):
			return kind{i, insertion}
		default:
			return kind{i, other}
		}
	}
	return kind{-1, other}
}

// canonical returns the specification's name of an operation that may be given by an alias.
func canonical(info model.Info, f string) string {
	for _, o := range info.Operations {
		if o.Name == f {
			return f
		}
	}
	for _, o := range info.Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if folded(name) == folded(f) {
				return o.Name
			}
		}
	}
	return f
}

var separators = strings.NewReplacer("-", "", "_", "")

func folded(name string) string { return strings.ToLower(separators.Replace(name)) }

// Drains reports whether the histories of a test have to be drained before they are checked under a
// factor: whether a strict object, run serially, may leave values behind or find nothing. It counts
// operations; Check finds the same in phase 1.
func Drains(s spec.Spec, c *explore.Case) bool {
	info := s.Info()
	if info.Drain == "" {
		return false
	}
	k := kindsOf(info, c)
	// walk returns how many values calls add, and how many the object must hold before them so that
	// every removal finds one.
	walk := func(calls []explore.Call) (sum, needs int) {
		for _, call := range calls {
			switch k[call.F].role {
			case insertion:
				sum++
			case removal:
				sum--
				needs = max(needs, -sum)
			}
		}
		return sum, needs
	}
	inside := 0
	if list, ok := c.Object.Initial.([]any); ok {
		inside = len(list)
	}
	sum, needs := walk(c.Before)
	if needs > inside {
		return true
	}
	inside += sum
	// The worst case is that every thread has removed as many as possible.
	worst := 0
	sum = 0
	for _, calls := range c.Threads {
		in, n := walk(calls)
		sum, worst = sum+in, worst+n
	}
	if worst > inside {
		return true
	}
	inside += sum
	sum, needs = walk(c.After)
	return needs > inside || inside+sum != 0
}
