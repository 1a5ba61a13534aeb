package wgl

// What: usage vectors: how many members of each class of pending operations have been used. As a
// nogood, vector b at a configuration means: the configuration fails whenever at least b is used.
//
// Invariants: vectors are sparse and sorted by class; counts are positive.
//
// Cost: linear in the terms.

// term is how many members of a class have been used.
type term struct{ class, count int32 }

// vector is a usage vector.
type vector []term

// atMost reports whether b ≤ used, componentwise.
func (b vector) atMost(used []int32) bool {
	for _, t := range b {
		if used[t.class] < t.count {
			return false
		}
	}
	return true
}

// within reports whether b ≤ c, componentwise.
func (b vector) within(c vector) bool {
	k := 0
	for _, t := range b {
		for k < len(c) && c[k].class < t.class {
			k++
		}
		if k == len(c) || c[k].class != t.class || c[k].count < t.count {
			return false
		}
	}
	return true
}

// of returns the count of a class.
func (b vector) of(class int32) int32 {
	for _, t := range b {
		if t.class >= class {
			if t.class == class {
				return t.count
			}
			break
		}
	}
	return 0
}

// mergeMax appends to dst the componentwise maximum of a and (b minus minus, at least
// zero), where minus is dense. dst may not overlap a or b.
func mergeMax(dst, a, b vector, minus []int32) vector {
	i := 0
	for _, t := range b {
		t.count -= minus[t.class]
		if t.count <= 0 {
			continue
		}
		for i < len(a) && a[i].class < t.class {
			dst = append(dst, a[i])
			i++
		}
		if i < len(a) && a[i].class == t.class {
			t.count = max(t.count, a[i].count)
			i++
		}
		dst = append(dst, t)
	}
	return append(dst, a[i:]...)
}

// raise raises the count of a class to at least n.
func (b vector) raise(class, n int32) vector {
	k := len(b)
	for k > 0 && b[k-1].class >= class {
		k--
	}
	if k < len(b) && b[k].class == class {
		b[k].count = max(b[k].count, n)
		return b
	}
	b = append(b, term{})
	copy(b[k+1:], b[k:])
	b[k] = term{class, n}
	return b
}

// learning holds why nodes failed.
type learning struct {
	reason      vector // of the frame that was popped last
	blame       int32  // the component that it failed for, see components.go
	jumps       int64  // failures passed on to another component
	reasonTerms int    // total capacity of the reasons of the frames
	fetched     vector // scratch
	merged      vector // scratch
}
