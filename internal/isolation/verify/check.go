package verify

import (
	"context"
	"fmt"
	"strings"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/verify/base"
)

// Check checks that c shows what it says of h: with a witness that h is at the level, with a
// refutation that it is not. Nothing of c is trusted; h is as an importer makes it, and what open
// transactions read is not looked at.
func Check(ctx context.Context, h *isolation.History, c *isolation.Certificate) error {
	level, err := isolation.ParseLevel(c.Level)
	switch {
	case err != nil:
		return err
	case (c.Witness == nil) == (c.Refutation == nil):
		return base.Faultf("", "a certificate has a witness or a refutation of %s", c.Level)
	case c.Witness != nil:
		return witnessed(ctx, h, level, c.Witness)
	}
	return refuted(ctx, h, level, c.Refutation)
}

// twoEvents reports whether transactions have starts beside commits.
func twoEvents(l isolation.Level) bool {
	return l.Model == isolation.Prefix || l.Model == isolation.Snapshot
}

// names says in errors what is what.
type names struct{ h *isolation.History }

// txn names transactions: T3, T8.
func (n names) txn(ts ...int32) string {
	var b strings.Builder
	for k, t := range ts {
		if k > 0 {
			b.WriteString(", ")
		}
		switch {
		case t == isolation.Initial:
			b.WriteString("the initial transaction")
		case t < 0 || int(t) >= len(n.h.Txns):
			fmt.Fprintf(&b, "T%d (of %d)", t, len(n.h.Txns))
		default:
			fmt.Fprintf(&b, "T%d", t)
		}
	}
	return b.String()
}

// what names a read: T3, which reads [1 2] of x.
func (n names) what(p isolation.Place) string {
	a := n.h.Txns[p.Txn].Accesses[p.Access]
	return fmt.Sprintf("%s, which reads %s of %s", n.txn(p.Txn), n.value(a), n.object(a.Object))
}

func (n names) object(x int32) string { return n.h.Objects[x].Name }

// value writes what an access reads or writes; of a long list the last elements.
func (n names) value(a isolation.Access) string {
	if !n.h.Objects[a.Object].List || a.Kind != isolation.Read {
		return n.h.Values[a.Value]
	}
	return n.list(a.List)
}

func (n names) list(list []int32) string {
	var b strings.Builder
	b.WriteByte('[')
	if len(list) > most {
		b.WriteString("… ")
		list = list[len(list)-most:]
	}
	for k, v := range list {
		if k > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(n.h.Values[v])
	}
	return b.String() + "]"
}
