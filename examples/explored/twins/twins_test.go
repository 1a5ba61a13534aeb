package twins

import (
	"testing"

	"github.com/linsat/linsat/linsattest"
)

func explored(t *testing.T, right bool) {
	for _, p := range programs() {
		t.Run(p.name, func(t *testing.T) {
			linsattest.Check(t, nil, func(r *linsattest.Run) {
				p.run(scene{func(f func()) { r.Go(func(*linsattest.Process) { f() }) }}, right)
			})
		})
	}
}

func TestFaulty(t *testing.T)   { explored(t, false) }
func TestRepaired(t *testing.T) { explored(t, true) }
