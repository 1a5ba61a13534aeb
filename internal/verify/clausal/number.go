package clausal

// Numbers within a window, as literals "it is at most k".

import "math"

// Number is a number from Lo to Hi.
type Number struct {
	Lo, Hi int32
	base   Lit // base+k-Lo is "at most k", for Lo ≤ k < Hi
}

// Constant returns the number k.
func Constant(k int32) Number { return Number{Lo: k, Hi: k} }

// AtMost returns the literal "it is at most k".
func (u *Number) AtMost(k int32) Lit {
	switch {
	case k < u.Lo:
		return False
	case k >= u.Hi:
		return True
	}
	return u.base + Lit(k-u.Lo)
}

// Number returns a new number from lo to hi. If there is none, the formula is contradictory.
func (f *Formula) Number(why Axiom, of Ops, lo, hi int32) Number {
	if lo > hi {
		f.Add(why, of)
		return Constant(lo)
	}
	u := Number{Lo: lo, Hi: hi}
	if !f.Step(int(hi - lo)) {
		return Constant(lo)
	}
	u.base = f.Fresh(hi - lo)
	for k := lo; k+1 < hi; k++ {
		f.Add(counted, of, -u.AtMost(k), u.AtMost(k+1))
	}
	return u
}

// Is returns a literal that holds exactly if u is k.
func (f *Formula) Is(u *Number, k int32) Lit { return f.And(u.AtMost(k), -u.AtMost(k-1)) }

// AtMost adds that x+by ≤ y if all conditions hold, and y is at most top.
func (f *Formula) AtMost(why Axiom, of Ops, x *Number, by int32, y *Number, top int32, conditions ...Lit) {
	buf := make([]Lit, len(conditions), len(conditions)+2)
	for i, c := range conditions {
		if buf[i] = -c; c == False {
			return
		}
	}
	// If y is at most k, x is at most k-by. That says nothing from k = x.Hi+by on, and where x has
	// no value, the least k such that y is at most k is enough.
	last := min(y.Hi, top, x.Hi+by-1)
	for k := max(y.Lo, min(x.Lo+by-1, last)); k <= last; k++ {
		f.Add(why, of, append(buf, -y.AtMost(k), x.AtMost(k-by))...)
	}
}

// Unlimited as the last argument of AtMost is larger than all numbers.
const Unlimited int32 = math.MaxInt32

// Count returns the number of literals that hold, plus first.
func (f *Formula) Count(of Ops, lits []Lit, first int32) Number {
	var open []Lit
	for _, l := range lits {
		switch l {
		case True:
			first++
		case False:
		default:
			open = append(open, l)
		}
	}
	// so is the number of the literals so far.
	so := Constant(first)
	for j, x := range open {
		next := f.Number(counted, of, first, first+int32(j)+1)
		for k := first; k <= so.Hi; k++ {
			f.Add(counted, of, -so.AtMost(k), next.AtMost(k+1))
			f.Add(counted, of, x, -so.AtMost(k), next.AtMost(k))
			f.Add(counted, of, so.AtMost(k), -next.AtMost(k))
			f.Add(counted, of, -x, so.AtMost(k-1), -next.AtMost(k))
		}
		so = next
	}
	return so
}
