package gen

import (
	"fmt"
	"maps"

	"github.com/linsat/linsat/history"
)

// Violations of a store like etcd: a lost update, a transaction that takes effect twice, a revision
// that is skipped, and a range that shows an old state.

// disturb injects a violation into a running store, after operation i took effect: the first
// suitable one after a quarter of the history.
func (g *run) disturb(o *etcd, i int) {
	e := &g.events[i]
	if g.lost != nil || i < g.o.Operations/4 || e.crashes {
		return
	}
	switch g.o.Violation {
	case Lost:
		if e.f == "defragment" { // the next put is lost
			g.lost = e
			o.lostAt = -1
		}
	case Duplicate:
		before, again := o.revision, e.action
		if e.f != "txn" || !o.succeeded(&g.draw, &again) {
			return
		}
		if o.does(&g.draw, &again); o.revision > before {
			g.lost = e
		}
	case Gap:
		o.advance(maps.Clone(o.at))
		g.lost = e
	}
}

// succeeded leaves out the comparisons of a transaction that held, and reports whether they did.
func (o *etcd) succeeded(d *draw, a *action) bool {
	c := o.call(d, a.result)
	if c["succeeded"] != history.True {
		return false
	}
	a.arg = fields(d, "then", o.call(d, a.arg)["then"])
	return true
}

// disturbed describes the violation.
func (g *run) disturbed(o *etcd) (string, Known) {
	pending := false
	for i := range g.events {
		pending = pending || g.events[i].ret < 0
	}
	// With revisions, some operation that returns later shows a number too many.
	known := Unclear
	if !pending && !o.plain && g.shownAfter() {
		known = No
	}
	switch g.o.Violation {
	case Stale:
		return g.staleRange(o)
	case Lost:
		if o.lostAt <= 0 {
			return "", Unclear
		}
		if known = Unclear; o.proved && !o.plain {
			known = No
		}
		return fmt.Sprintf("a put at revision %d is lost", o.lostAt), known
	case Duplicate:
		if g.lost != nil {
			return "a transaction takes effect twice", known
		}
	case Gap:
		if g.lost != nil {
			return "a revision is skipped", known
		}
	}
	return "", Unclear
}

// shownAfter reports whether an operation that took effect after the disturbed one returned a
// revision.
func (g *run) shownAfter() bool {
	for i := range g.events {
		e := &g.events[i]
		if _, told := revisionOf(g.t, e); told && g.lost != nil && e.ret >= 0 && e.effect > g.lost.effect {
			return true
		}
	}
	return false
}

// staleRange gives a range the result of an earlier one, though the revision was a later one in
// between.
func (g *run) staleRange(o *etcd) (string, Known) {
	ranges := g.returned(func(e *event) bool { return e.f == "range" })
	a, b := g.pair(ranges, func(a, b *event) bool { return a.arg == b.arg && a.result != b.result })
	if a == nil {
		return "", Unclear
	}
	known := Unclear
	if was, told := revisionOf(g.t, a); told {
		for i := range g.events {
			e := &g.events[i]
			if n, told := revisionOf(g.t, e); told && e.ret >= 0 && e.ret < b.call && n > was {
				known = No
			}
		}
	}
	b.result = a.result
	return "a range returns what an earlier one found", known
}
