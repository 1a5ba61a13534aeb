package linsat

import (
	"reflect"

	"github.com/linsat/linsat/internal/deep"
)

// kinds numbers operations such that those with equal inputs and outputs, which a pure model cannot
// tell apart, have the same number. An operation with floating-point numbers or functions in it is
// only like itself.
type kinds struct {
	exact map[kind]int32
	deep  map[uint64][]deepKind
	next  int32
}

// kind is an input and an output that == compares by their contents.
type kind struct {
	in, out any
	known   bool
}

// deepKind is one that reflect.DeepEqual compares.
type deepKind struct {
	kind
	number int32
}

// of returns the number of an operation. Its output does not matter if it is unknown.
func (k *kinds) of(in, out any, unknown bool) int32 {
	a := kind{in, out, !unknown}
	if unknown {
		a.out = nil
	}
	if deep.Exact(a.in) && deep.Exact(a.out) {
		n, ok := k.exact[a]
		if !ok {
			n = k.fresh()
			k.exact[a] = n
		}
		return n
	}
	h, sure := deep.Identity([2]any{a.in, a.out})
	if !sure {
		return k.fresh()
	}
	for _, b := range k.deep[h] {
		if b.known == a.known && reflect.DeepEqual(a.in, b.in) && reflect.DeepEqual(a.out, b.out) {
			return b.number
		}
	}
	n := k.fresh()
	k.deep[h] = append(k.deep[h], deepKind{a, n})
	return n
}

func (k *kinds) fresh() int32 {
	k.next++
	return k.next - 1
}
