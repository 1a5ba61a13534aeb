package verify

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/consistency"
	"github.com/linsat/linsat/internal/verify/base"
)

// conflict checks that no view of a process can be.
func (j *judge) conflict(c *consistency.Conflict) error {
	if c.Process < 0 || int(c.Process) >= len(j.History.Processes) || len(c.Path) == 0 {
		return base.Faultf("", "it has no path, or is of process %d of %d", c.Process, len(j.History.Processes))
	}
	over := map[history.Edge]bool{}
	for k, o := range c.Overwrites {
		if err := j.path(c.Process, o.Path, over); err != nil {
			return err
		}
		write, read := o.Path[0], o.Path[len(o.Path)-1]
		x, r := &j.Ops[write], &j.Ops[read]
		switch from := j.source(read); {
		case !x.Writes || !r.Reads || x.Object != r.Object || r.Process != c.Process:
			return base.Faultf(j.History.ID(write)+", "+j.History.ID(read),
				"overwriting %d leads from no write to a read of its object by the process", k)
		case from < 0 || from == write:
			return base.Faultf(j.History.ID(read), "its source is no write, not known, or the one that should come before")
		default:
			over[history.Edge{Before: write, After: from}] = true
		}
	}
	first, last := c.Path[0], c.Path[len(c.Path)-1]
	if n := len(c.Overwrites); j.q.Name == "weakly-causal" && (n > 1 || n == 1 && first != last) {
		return base.Faultf("", "it has %d overwritings, and a read sees only that by its causes", n)
	}
	if len(c.Path) == 1 {
		if err := j.named(first); err != nil {
			return err
		}
		if !j.Ops[first].Reads || j.source(first) != nobody {
			return base.Faultf(j.History.ID(first), "it is no read of what nobody wrote")
		}
		return nil
	}
	if err := j.path(c.Process, c.Path, over); err != nil || first == last {
		return err
	}
	x, r := &j.Ops[first], &j.Ops[last]
	if !x.Writes || !r.Reads || r.Process != c.Process || x.Object != r.Object || j.source(last) != start {
		return base.Faultf(j.History.ID(first)+", "+j.History.ID(last),
			"the path is no cycle, and leads from no write to a read of the start of its object")
	}
	return nil
}

// path checks that each operation comes before the next.
func (j *judge) path(p int32, path []history.OpID, over map[history.Edge]bool) error {
	if len(path) < 2 {
		return base.Faultf("", "a path has two operations or more, and this one %d", len(path))
	}
	for _, i := range path {
		if err := j.named(i); err != nil {
			return err
		}
		if x := &j.Ops[i]; !j.takesEffect(i) && !(x.Reads && (x.Process == p || j.q.Reads())) {
			return base.Faultf(j.History.ID(i), "it is not in the view of the process")
		}
	}
	for k := range path[1:] {
		a, b := path[k], path[k+1]
		x, y := &j.Ops[a], &j.Ops[b]
		switch {
		case over[history.Edge{Before: a, After: b}]:
		case y.Reads && j.source(b) == a:
		case x.Process == y.Process && a < b && j.q.Before(x.Process == p, x.Reads, y.Reads):
		default:
			return base.Faultf(j.History.ID(a)+", "+j.History.ID(b), "the first need not come before the second")
		}
	}
	return nil
}
