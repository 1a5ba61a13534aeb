package cdsspec

import (
	"fmt"
	"strings"
)

// Text returns a finding for people: what is wrong, the calls with their ordering points, and the
// execution.
func (f *Finding) Text() string {
	if f.Graph == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "execution %d: %s\n", f.Number, f.Verdict)
	switch f.Verdict {
	case Correctness:
		f.correctness(&b)
	case Synchronization:
		f.synchronization(&b)
	case Cycle:
		f.cycle(&b)
	}
	if f.inside.Ordering != nil {
		f.inside.Ordering.describe(&b)
	}
	b.WriteString("events:\n")
	b.WriteString(indent(f.Graph.Text()))
	if f.Steps != "" {
		fmt.Fprintf(&b, "steps to replay: %s\n", f.Steps)
	}
	return b.String()
}

func (f *Finding) correctness(b *strings.Builder) {
	if f.History != nil {
		b.WriteString("the history is not linearizable\n")
		return
	}
	if f.inside.Trial.Failure == nil {
		b.WriteString("no order of the calls passes\n")
		return
	}
	o, bad := f.inside.Ordering, f.inside.Trial.Failure
	c := &o.Calls[bad.Call]
	fmt.Fprintf(b, "the %s of %s (thread %d) does not hold in state %s\n", bad.Part, c, c.Thread, bad.State)
	b.WriteString("sequential history:\n")
	r := replayer{o: o}
	r.reset()
	for i, n := range f.inside.Trial.Order {
		for _, call := range o.Nodes[n].Calls {
			fmt.Fprintf(b, "  %d. thread %d %s", i+1, o.Calls[call].Thread, &o.Calls[call])
			if len(o.Objects) > 1 {
				fmt.Fprintf(b, " of object %d", o.Nodes[n].Object+1)
			}
			if bad.Call == call {
				fmt.Fprintf(b, "   <-- %s", bad.Part)
			}
			b.WriteByte('\n')
		}
		if r.node(n) == nil && r.fault == nil {
			fmt.Fprintf(b, "     state %s\n", show(r.state[o.Nodes[n].Object]))
		}
	}
}

func (f *Finding) synchronization(b *strings.Builder) {
	o, m := f.inside.Ordering, f.inside.Missing
	if m == nil {
		for _, pair := range f.inside.Needed {
			x, y := &o.Calls[pair[0]], &o.Calls[pair[1]]
			fmt.Fprintf(b, "%s (thread %d) needs %s (thread %d), which does not happen before it\n", y,
				y.Thread, x, x.Thread)
		}
		return
	}
	x, y := &o.Calls[m.Before], &o.Calls[m.After]
	fmt.Fprintf(b, "rule %q: %s (thread %d) does not happen before %s (thread %d)\n", m.Rule.Text, x,
		x.Thread, y, y.Thread)
	chain := append(o.path(o.Place[m.Before], o.Place[m.After]), o.Place[m.After])
	b.WriteString("the second is later:\n")
	for i := 1; i < len(chain); i++ {
		o.link(b, chain[i-1], chain[i])
	}
}

func (f *Finding) cycle(b *strings.Builder) {
	b.WriteString("the specification does not order these calls:\n")
	o := f.inside.Ordering
	for i, n := range o.Cycle {
		o.link(b, n, o.Cycle[(i+1)%len(o.Cycle)])
	}
}

// link says why one node comes before another.
func (o *Ordering) link(b *strings.Builder, from, to int) {
	x, y, why := o.Reason(from, to)
	fmt.Fprintf(b, "  %s [%s] before %s [%s]: %s\n", o.name(from), o.Graph.Name(x), o.name(to), o.Graph.Name(y), why)
}

func (o *Ordering) name(node int) string { return o.Calls[o.Nodes[node].Calls[0]].String() }

// describe lists the calls and their ordering points.
func (o *Ordering) describe(b *strings.Builder) {
	b.WriteString("calls:\n")
	for i := range o.Calls {
		c := &o.Calls[i]
		depth := 0
		for outer := c.Outer; outer >= 0; outer = o.Calls[outer].Outer {
			depth++
		}
		fmt.Fprintf(b, "  thread %d %s%s", c.Thread, strings.Repeat("  ", depth), c)
		if len(o.Objects) > 1 && o.Place[i] >= 0 {
			fmt.Fprintf(b, " of object %d", o.Nodes[o.Place[i]].Object+1)
		}
		for j, p := range c.Points {
			b.WriteString([]string{", ordering point ", " and "}[min(j, 1)])
			b.WriteString(o.Graph.Name(p))
		}
		b.WriteByte('\n')
	}
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n  ") + "\n"
}
