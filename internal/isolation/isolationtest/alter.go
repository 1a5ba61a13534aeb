package isolationtest

import (
	"encoding/json"
	"math/rand/v2"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/internal/isolation"
	"github.com/linsat/linsat/internal/proof"
)

// A Judge accepts certificates, and knows by definition what is true.
type Judge struct {
	Check    func(*isolation.History, *isolation.Certificate) error
	Isolated func(*isolation.History, isolation.Level) bool
}

// Alter alters a certificate of h, or h, so many times, and requires that what is accepted all the
// same is true. It returns how much is accepted, and fails if c itself is not.
func (j Judge) Alter(t require.TestingT, r *rand.Rand, h *isolation.History, c *isolation.Certificate,
	times int) (accepted int) {
	require.NoError(t, j.Check(h, c), "%s\n%s", c.Level, Format(h))
	for range times {
		g, d := h, c
		if r.IntN(5) == 0 {
			g = alterHistory(r, h)
		} else {
			d = alterCertificate(r, c, int32(len(h.Txns)))
		}
		if j.Check(g, d) != nil {
			continue
		}
		accepted++
		l, err := isolation.ParseLevel(d.Level)
		require.NoError(t, err)
		text, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, j.Isolated(g, l), d.Witness != nil, "%s\n%s\n%s", l, Format(g), text)
	}
	return accepted
}

// alterHistory changes one access, or what is known of a transaction.
func alterHistory(r *rand.Rand, h *isolation.History) *isolation.History {
	g := *h
	g.Txns = slices.Clone(h.Txns)
	x := &g.Txns[r.IntN(len(g.Txns))]
	x.Accesses = slices.Clone(x.Accesses)
	switch k := r.IntN(6); {
	case k == 0 && x.Status == isolation.Committed:
		x.Status = isolation.Aborted
	case k == 1:
		x.Session = g.Txns[r.IntN(len(g.Txns))].Session
	case len(x.Accesses) == 0:
	case k == 2:
		n := r.IntN(len(x.Accesses))
		x.Accesses = slices.Delete(x.Accesses, n, n+1)
	default:
		a := &x.Accesses[r.IntN(len(x.Accesses))]
		a.List = slices.Clone(a.List)
		if n := len(a.List); a.Kind != isolation.Read || !g.Objects[a.Object].List {
			a.Value = int32(r.IntN(len(g.Values)))
		} else if n > 0 {
			a.List = slices.Delete(a.List, n-1, n)
		} else {
			a.List = []int32{int32(r.IntN(len(g.Values)))}
		}
	}
	return &g
}

// alterCertificate changes one thing of a certificate about n transactions.
func alterCertificate(r *rand.Rand, c *isolation.Certificate, n int32) *isolation.Certificate {
	d := &isolation.Certificate{}
	if text, err := json.Marshal(c); err != nil || json.Unmarshal(text, d) != nil {
		panic("a certificate that cannot be written and read")
	}
	if r.IntN(8) == 0 {
		d.Level = isolation.Levels()[r.IntN(len(isolation.Levels()))].String()
		return d
	}
	if w := d.Witness; w != nil {
		w.Events = alterList(r, w.Events, func() int32 { return r.Int32N(2*n+2) - n - 1 })
		if k := len(w.Sources); k > 0 && r.IntN(2) == 0 {
			w.Sources[r.IntN(k)].From = r.Int32N(n+2) - 1
		}
		return d
	}
	f := d.Refutation
	switch k := r.IntN(10); {
	case k == 0:
		f.Clauses = alterList(r, f.Clauses, func() isolation.Clause { return f.Clauses[r.IntN(len(f.Clauses))] })
	case k == 1 && len(f.Lemmas) > 0:
		one := proof.Lemma{Clause: []int32{1}, Hints: []int32{1}}
		f.Lemmas = alterList(r, f.Lemmas, func() proof.Lemma { return one })
	case k == 2 && len(f.Lemmas) > 0:
		m := &f.Lemmas[r.IntN(len(f.Lemmas))]
		m.Clause = alterList(r, m.Clause, func() int32 { return r.Int32N(9) - 4 })
	case k == 3 && len(f.Lemmas) > 0:
		m := &f.Lemmas[r.IntN(len(f.Lemmas))]
		m.Hints = alterList(r, m.Hints, func() int32 { return 1 + r.Int32N(int32(len(f.Clauses)+2)) })
	case k == 4: // one that may have no literals
		f.Clauses, f.Lemmas = f.Clauses[r.IntN(len(f.Clauses)):][:1], nil
		alterClause(r, &f.Clauses[0], n)
	default:
		alterClause(r, &f.Clauses[r.IntN(len(f.Clauses))], n)
	}
	return d
}

// alterClause changes one thing that a clause names.
func alterClause(r *rand.Rand, c *isolation.Clause, n int32) {
	place := func() isolation.Place { return isolation.Place{Txn: r.Int32N(n + 1), Access: r.Int32N(5)} }
	switch r.IntN(6) {
	case 0:
		c.Rule = isolation.Rule(r.IntN(int(isolation.RuleStands) + 1))
	case 1:
		c.Places = alterList(r, c.Places, place)
	case 2:
		c.Txns = alterList(r, c.Txns, func() int32 { return r.Int32N(n+2) - 1 })
	case 3:
		c.Events = alterList(r, c.Events, func() int32 { return r.Int32N(2*n + 1) })
	case 4:
		c.At = alterList(r, c.At, func() int32 { return r.Int32N(5) - 1 })
	case 5:
		c.Hops = alterList(r, c.Hops, func() isolation.Hop {
			h := isolation.Hop{Kind: isolation.HopKind(r.IntN(4)), To: r.Int32N(n), Place: place()}
			h.From = r.Int32N(n+1) - 1
			return h
		})
	}
}

// alterList changes, swaps, drops or adds something.
func alterList[T any](r *rand.Rand, s []T, random func() T) []T {
	s = slices.Clone(s)
	k := r.IntN(len(s) + 1)
	switch way := r.IntN(5); {
	case way == 0 || len(s) == 0:
		return slices.Insert(s, k, random())
	case way == 1:
		k = min(k, len(s)-1)
		return slices.Delete(s, k, k+1)
	case way < 4:
		k, j := min(k, len(s)-1), r.IntN(len(s))
		s[k], s[j] = s[j], s[k]
		return s
	}
	s[min(k, len(s)-1)] = random()
	return s
}
