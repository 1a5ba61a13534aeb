package modelspec

import (
	"reflect"
	"sync"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/deep"
	"github.com/linsat/linsat/internal/model"
)

// kinds numbers operations such that those with equal inputs and outputs have the same number. An
// operation with floating-point numbers or functions in it is only like itself.
//
// A pure model cannot tell operations of one number apart, unless it compares pointers. Under apart
// those with different pointers have different numbers; otherwise merged says that some have one.
type kinds struct {
	exact         map[kind]int32
	deep          map[uint64][]deepKind
	next          int32
	apart, merged bool
}

// kind is an input and an output that == compares by their contents.
type kind struct {
	in, out any
	known   bool
}

// deepKind is one that reflect.DeepEqual compares.
type deepKind struct {
	kind
	where  uint64 // differs if pointers do
	number int32
}

// of returns the number of an operation, and whether == found it. Its output does not matter if it
// is unknown.
func (k *kinds) of(in, out any, unknown bool) (number int32, exact bool) {
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
		return n, true
	}
	h, where, sure := deep.Identity([2]any{a.in, a.out})
	if !sure {
		return k.fresh(), false
	}
	for _, b := range k.deep[h] {
		if b.known == a.known && (b.where == where || !k.apart) && reflect.DeepEqual(a.in, b.in) &&
			reflect.DeepEqual(a.out, b.out) {
			k.merged = k.merged || b.where != where
			return b.number, false
		}
	}
	n := k.fresh()
	k.deep[h] = append(k.deep[h], deepKind{a, where, n})
	return n, false
}

func (k *kinds) fresh() int32 {
	k.next++
	return k.next - 1
}

// newAlike returns what numbers operations, with different pointers apart or not.
func newAlike(apart bool) *alike {
	return &alike{kinds: kinds{exact: map[kind]int32{}, deep: map[uint64][]deepKind{}, apart: apart}}
}

// alike numbers the operations of a history by kind, once for all of its partitions.
type alike struct {
	mu    sync.Mutex
	kinds kinds
	// of each operation, with its output and with an unknown one: its kind, once it is known
	of [2][]numbered
}

// numbered is the kind of an operation. To the verifier, operations are alike only if == says so:
// the model might look at more than at what reflect.DeepEqual compares.
type numbered struct {
	known            bool
	engine, verifier int32 // not negative
}

// Apart returns the model with operations apart whose inputs or outputs differ in nothing but
// pointers, nil if they are or if there are none.
func (x *Spec[S, I, O]) Apart(memory int64) model.Spec {
	x.alike.mu.Lock()
	defer x.alike.mu.Unlock()
	if !x.alike.kinds.merged {
		return nil
	}
	apart := *x
	apart.alike = newAlike(true)
	return apart.Fresh(memory)
}

// kindsOf returns the kind of every operation of a partition.
func (x *Spec[S, I, O]) kindsOf(part *modelPart[S, I, O]) (engine, verifier []int32) {
	all := make([]int32, 2*len(part.of))
	engine, verifier = all[:len(part.of):len(part.of)], all[len(part.of):]
	a := x.alike
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, k := range part.of {
		which, unknown := 0, part.unknown(history.OpID(i))
		if unknown {
			which = 1
		}
		if a.of[which] == nil {
			a.of[which] = make([]numbered, len(x.ops))
		}
		n := &a.of[which][k]
		if !n.known {
			kind, exact := a.kinds.of(x.ops[k].Input, x.ops[k].Output, unknown)
			*n = numbered{true, kind, 2 * kind}
			if !exact {
				n.verifier = 2*int32(2*k+which) + 1
			}
		}
		engine[i], verifier[i] = n.engine, n.verifier
	}
	return engine, verifier
}

// dense numbers kinds from 0 on.
func dense(numbers, kind []int32) {
	most, next := int32(0), int32(0)
	for _, k := range kind {
		most = max(most, k)
	}
	number := func(n int32) int32 { // of a kind that had the number n-1, or none
		if n == 0 {
			next++
			return next
		}
		return n
	}
	if int(most) < sparseKinds*len(kind) {
		of := make([]int32, most+1)
		for i, k := range kind {
			of[k] = number(of[k])
			numbers[i] = of[k] - 1
		}
		return
	}
	of := map[int32]int32{}
	for i, k := range kind {
		of[k] = number(of[k])
		numbers[i] = of[k] - 1
	}
}
