package words

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/proof"
)

// circle tells a refutation by dependencies between transactions.
type circle struct {
	*witnessed
	t     *model.Transactions
	named map[history.OpID]bool
	why   map[[2]history.OpID]string // why the first comes before the second
	texts []string
}

// transactions says how transactions come before each other in a circle. Where choices were needed
// it says of which transactions.
func (w *witnessed) transactions(e *proof.DependencyCycles) string {
	c := &circle{w, w.b.Transactions, map[history.OpID]bool{}, map[[2]history.OpID]string{}, nil}
	if len(e.Lemmas) > 1 || len(e.Dependencies) > maxTold {
		return "whatever their order, " + w.stated(e)
	}
	for _, d := range e.Dependencies[:len(e.Dependencies)-1] {
		c.follows(d)
	}
	c.texts = append(c.texts, c.ends(e.Dependencies[len(e.Dependencies)-1]))
	return strings.Join(c.texts, "; ")
}

// ref names an operation in full the first time, and by its number after that.
func (c *circle) ref(i history.OpID) string {
	if i >= 0 && c.named[i] {
		return "#" + c.b.Partition.ID(i)
	}
	c.named[i] = true
	return c.op(i)
}

// known reports whether one operation is known to come before another.
func (c *circle) known(a, b history.OpID) bool {
	ops := c.b.Partition.Ops
	return a == proof.Initial || b >= 0 && (ops[a].Return < ops[b].Call || c.why[[2]history.OpID{a, b}] != "")
}

// found is what an operation found in a register, in words: x = 3.
func (c *circle) found(i history.OpID, register model.RegisterID) string {
	for _, a := range c.t.Of(i) {
		if a.Register == register && a.Does == model.Sees {
			return c.t.Register(register) + " = " + c.t.Value(a.Value)
		}
	}
	return c.t.Register(register)
}

// follows notes which order a dependency gives, and why.
func (c *circle) follows(d proof.Dependency) {
	switch d.Rule {
	case proof.DependencyWritten:
		r, s := d.Ops[0], d.Ops[1]
		c.why[[2]history.OpID{s, r}] = fmt.Sprintf("%s read %s from %s", c.ref(r), c.found(r, d.Register), c.ref(s))
	case proof.DependencyOverwritten:
		r, s, w := d.Ops[0], d.Ops[1], d.Ops[2]
		switch {
		case s == proof.Initial:
			c.why[[2]history.OpID{r, w}] = fmt.Sprintf("%s read %s from the start, which %s overwrote", c.ref(r),
				c.found(r, d.Register), c.ref(w))
		case c.known(s, w):
			c.why[[2]history.OpID{r, w}] = fmt.Sprintf("%s read %s from %s, which %s overwrote", c.ref(r),
				c.found(r, d.Register), c.ref(s), c.ref(w))
		case c.known(w, r):
			c.why[[2]history.OpID{w, s}] = fmt.Sprintf("%s read %s from %s, and not from %s before it", c.ref(r),
				c.found(r, d.Register), c.ref(s), c.ref(w))
		}
	case proof.DependencyGiven:
		c.why[[2]history.OpID{d.Ops[0], d.Ops[1]}] = fmt.Sprintf("the history gives %s before %s", c.ref(d.Ops[0]),
			c.ref(d.Ops[1]))
	case proof.DependencyCycle:
		a, b := d.Ops[0], d.Ops[len(d.Ops)-1]
		if len(d.Ops) > 2 {
			c.texts = append(c.texts, fmt.Sprintf("%s comes before %s: %s", c.ref(a), c.ref(b), c.steps(d.Ops)))
		}
		c.why[[2]history.OpID{a, b}] = fmt.Sprintf("%s comes before %s", c.ref(a), c.ref(b))
	}
}

// steps says why each of some operations comes before the next.
func (c *circle) steps(ops []history.OpID) string {
	var all []string
	for k, a := range ops[:len(ops)-1] {
		b := ops[k+1]
		if why := c.why[[2]history.OpID{a, b}]; why != "" {
			all = append(all, why)
			continue
		}
		all = append(all, fmt.Sprintf("%s returned before %s was called", c.ref(a), c.ref(b)))
	}
	return strings.Join(all, ", ")
}

// ends says what cannot be.
func (c *circle) ends(d proof.Dependency) string {
	switch d.Rule {
	case proof.DependencyContradicts:
		return fmt.Sprintf("%s contradicts itself: it found another value than it had written or read before",
			c.ref(d.Ops[0]))
	case proof.DependencySource:
		return fmt.Sprintf("%s read %s, which nobody can have written for it", c.ref(d.Ops[0]),
			c.found(d.Ops[0], d.Register))
	case proof.DependencyOverwritten:
		r, s, w := d.Ops[0], d.Ops[1], d.Ops[2]
		text := ""
		for _, pair := range [][2]history.OpID{{s, w}, {w, r}} {
			if why := c.why[pair]; why != "" {
				text += fmt.Sprintf("%s, so %s comes before %s; ", why, c.ref(pair[0]), c.ref(pair[1]))
			}
		}
		return text + fmt.Sprintf("but %s read %s from %s, although %s wrote there in between", c.ref(r),
			c.found(r, d.Register), c.ref(s), c.ref(w))
	case proof.DependencyWritten:
		return fmt.Sprintf("%s read %s from %s, which comes after it", c.ref(d.Ops[0]), c.found(d.Ops[0], d.Register),
			c.ref(d.Ops[1]))
	case proof.DependencyCycle:
		if len(d.Ops) == 2 {
			return fmt.Sprintf("each of two transactions comes before the other: %s",
				c.steps(append(d.Ops[:2:2], d.Ops[0])))
		}
		return fmt.Sprintf("%d transactions come before each other in a circle: %s", len(d.Ops),
			c.steps(append(d.Ops[:len(d.Ops):len(d.Ops)], d.Ops[0])))
	}
	return fmt.Sprintf("the history gives %s before %s, which comes before it", c.ref(d.Ops[0]), c.ref(d.Ops[1]))
}
