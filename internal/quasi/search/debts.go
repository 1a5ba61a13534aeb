package search

// What: the debts of a group, between ρ′ and ρ″.
//
// A content that was linearized and not yet applied is owed; one that was applied before its
// operation was linearized is early. A debt stores only its deadline: an owed content of rank q
// must be applied at a place up to q+bound, and the operation of an early content at place s must
// get a rank up to s+bound. A deadline beyond the last place is stored as noDeadline, so that it
// does not distinguish configurations.
//
// Source: ours. Of contents of equal kind, the i-th to be linearized is the i-th to be applied,
// because matching sorted sequences in order gives the least displacement. So an operation settles
// the oldest early content of its kind, and a place takes the oldest owed content of a kind.
//
// Invariants: debts are sorted by kind, then by deadline; no kind is both owed and early in a
// group.
//
// Cost: linear in the debts of a group, which are few.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/linsat/linsat/internal/inorder"
)

// noDeadline is later than every place.
const noDeadline int32 = math.MaxInt32

// debt is a content that is owed or early in a group.
type debt struct{ kind, deadline int32 }

// debts are sorted by kind, then by deadline.
type debts []debt

// find returns the index of the first debt of that kind and how many there are.
func (d debts) find(kind int32) (at, count int) {
	at = sort.Search(len(d), func(i int) bool { return d[i].kind >= kind })
	for at+count < len(d) && d[at+count].kind == kind {
		count++
	}
	return at, count
}

// add inserts a debt at its place.
func (d *debts) add(x debt) {
	*d = inorder.Insert(*d, x, func(a, b debt) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.deadline, b.deadline))
	})
}

// remove removes a debt that is present.
func (d *debts) remove(x debt) {
	at, _ := d.find(x.kind)
	for (*d)[at].deadline != x.deadline {
		at++
	}
	*d = slices.Delete(*d, at, at+1)
}
