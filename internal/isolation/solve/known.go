package solve

import iso "github.com/linsat/linsat/internal/isolation"

// sourceOf tells from whom a read is; ok is false while that is open.
type sourceOf func(k int32) (from int32, ok bool)

// only is sourceOf of reads that can be from one transaction only.
func (d *digest) only(k int32) (from int32, ok bool) {
	return d.reads[k].from[0], len(d.reads[k].from) == 1
}

// addReads adds that who is read from comes before the reader.
func addReads(g *graph, d *digest, source sourceOf) {
	for k := range d.reads {
		if s, ok := source(int32(k)); ok && s != iso.Initial {
			r := &d.reads[k]
			g.add(g.commit(s), g.start(r.place.Txn),
				why{rule: iso.RuleWritten, place: r.place, t: s, w: -1, object: r.object})
		}
	}
}

// addVersions adds the order of the appends to each list: of those that a read shows, each before
// the next, and the last before those that no read shows.
func addVersions(g *graph, d *digest) {
	for x := range d.lists {
		l := &d.lists[x]
		for k := 1; k < len(l.versions); k++ {
			a, b := l.versions[k-1], l.versions[k]
			g.add(g.commit(a), g.commit(b), why{rule: iso.RuleVersion, place: l.spine, t: a, w: b, object: int32(x)})
		}
		if n := len(l.versions); n > 0 {
			a := l.versions[n-1]
			for _, b := range l.unseen {
				if d.uncertain[b] {
					continue
				}
				g.add(g.commit(a), g.commit(b), why{rule: iso.RuleUnseen, place: l.spine, t: a, w: b, object: int32(x)})
			}
		}
	}
}

// addOwn adds that transactions start before they commit.
func addOwn(g *graph, d *digest) {
	for i := range d.h.Txns {
		if g.two && !d.gone[i] {
			g.add(g.start(int32(i)), g.commit(int32(i)), why{rule: iso.RuleOwn, t: int32(i), w: -1, object: -1})
		}
	}
}
