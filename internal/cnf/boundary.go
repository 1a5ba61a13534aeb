package cnf

import "github.com/linsat/linsat/history"

// Segments of a long history: what a segment knows of the operations before and after it.
//
// What: a segment has an operation without duration for the boundary at each of its ends. An
// operation before the start boundary took effect in an earlier segment. One after the end boundary
// takes effect in a later segment, or never if it is pending.

// Boundary holds the positions of the operations that stand for the ends of a segment, -1 for none.
type Boundary struct{ Start, End history.OpID }

// Earlier returns the literal "i took effect before this segment".
func (b *Builder) Earlier(i history.OpID) Lit {
	if b.Boundary == nil || b.Boundary.Start < 0 || i == b.Boundary.Start {
		return False
	}
	return b.Order.Before(i, b.Boundary.Start)
}

// Later returns the literal "i takes effect after this segment", which for a pending operation may
// mean never.
func (b *Builder) Later(i history.OpID) Lit {
	if b.Boundary == nil || b.Boundary.End < 0 || i == b.Boundary.End {
		return False
	}
	return b.Order.Before(b.Boundary.End, i)
}

// OpenAtStart reports whether i was open at the start of this segment.
func (b *Builder) OpenAtStart(i history.OpID) bool { return b.Boundary != nil && i < b.Boundary.Start }

// OpenAtEnd reports whether i is open at the end of this segment.
func (b *Builder) OpenAtEnd(i history.OpID) bool {
	return b.Boundary != nil && b.Boundary.End >= 0 && i != b.Boundary.End &&
		b.Order.Return[i] > b.Order.Call[b.Boundary.End]
}

// Effect sets and returns the literal "i takes effect (in this segment)".
func (b *Builder) Effect(i history.OpID, pending bool) Lit {
	early, late := b.Earlier(i), b.Later(i)
	open := pending && (b.Boundary == nil || b.Boundary.End < 0) // it may never take effect
	switch {
	case early == False && late == False && !open:
		b.In[i] = True
	case late == False && !open:
		b.In[i] = -early
	case early == False && !open:
		b.In[i] = -late
	default:
		b.In[i] = b.Fresh()
		b.Clause(Outcome, By(i), -b.In[i], -early)
		b.Clause(Outcome, By(i), -b.In[i], -late)
		if !open {
			b.Clause(Outcome, By(i), early, late, b.In[i])
		}
	}
	return b.In[i]
}
