//go:build !linsat_native

package cds

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	check "github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/internal/relaxed/cdsspec"
)

// Weakest is the weakest order of a site with which all drivers of the structure still pass.
type Weakest struct {
	Site
	Alone    c11.Order // the others being as they are
	Together c11.Order // those before it in the code being weakened as well
}

// Weaken looks for the weakest order of every site, as VSync (Oberhauser et al., ASPLOS 2021) does:
// in the order of the code, each order is the weakest one that passes with what was weakened
// before. That is a minimum, of which there may be several. It is one for these drivers only.
func (s *Structure) Weaken(ctx context.Context) ([]Weakest, error) {
	sites, err := s.Sites()
	if err != nil {
		return nil, err
	}
	together := map[c11.Site]c11.Order{}
	var all []Weakest
	for _, site := range sites {
		alone, err := s.weakest(ctx, site, nil)
		if err != nil {
			return nil, err
		}
		both, err := s.weakest(ctx, site, together)
		if err != nil {
			return nil, err
		}
		together[site.At] = both
		all = append(all, Weakest{site, alone, both})
	}
	return all, nil
}

// weakest returns the weakest order of a site that passes if others have these orders.
func (s *Structure) weakest(ctx context.Context, site Site, others map[c11.Site]c11.Order) (c11.Order, error) {
	for _, order := range weaker(site.Order) {
		ok, err := s.passes(ctx, func(at c11.Site, o c11.Order) c11.Order {
			if at == site.At {
				return order
			}
			if w, known := others[at]; known {
				return w
			}
			return o
		})
		if err != nil {
			return 0, fmt.Errorf("%s, %s %s: %w", s.Name, site.Text, order, err)
		}
		if ok {
			return order, nil
		}
	}
	return site.Order, nil
}

// weaker returns the orders that are weaker than one, the weakest first.
func weaker(o c11.Order) []c11.Order {
	switch o {
	case c11.Acquire, c11.Release:
		return []c11.Order{c11.Relaxed}
	case c11.AcqRel:
		return []c11.Order{c11.Relaxed, c11.Acquire, c11.Release}
	case c11.SeqCst:
		return []c11.Order{c11.Relaxed, c11.Acquire, c11.Release, c11.AcqRel}
	}
	return nil
}

// passes reports whether all drivers pass with these orders.
func (s *Structure) passes(ctx context.Context, orders func(c11.Site, c11.Order) c11.Order) (bool, error) {
	for _, d := range s.Drivers {
		r, err := check.Check(ctx, d.Program, check.Options{Options: c11.Options{Orders: orders}, First: true})
		if err != nil || r.Verdict != cdsspec.Passed {
			return false, err
		}
	}
	return true, nil
}
