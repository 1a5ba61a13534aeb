package clauses

import (
	"fmt"

	"github.com/linsat/linsat/solver"
)

// MaxVar returns the highest variable in lits, 0 if lits is empty. It panics on a zero literal,
// which would silently cut a clause in two, and on the one number whose negation does not fit.
func MaxVar(lits []solver.Lit) int {
	top := solver.Lit(0)
	for i, l := range lits {
		if l < 0 {
			l = -l
		}
		if l <= 0 {
			panic(fmt.Sprintf("solver: %d is not a literal", lits[i]))
		}
		top = max(top, l)
	}
	return int(top)
}
