//go:build !linsat_native

package cdsspec

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	"github.com/linsat/linsat/internal/relaxed/cdsspec"
)

// Weakest is the weakest order of a site with which all programs still pass.
type Weakest struct {
	At     c11.Site
	Access string    // function, access and location
	Order  c11.Order // of the code
	Alone  c11.Order // the others being as they are
	// Together is the weakest order with those before it in the code being weakened as well.
	Together c11.Order
}

// Weaken looks for the weakest order of every fence and every access for whose site in holds (nil:
// of all), as VSync (Oberhauser et al., ASPLOS 2021) does: in the order of the code, each order is
// the weakest one with which all programs pass their Check if those before it are weakened. That is
// a minimum, of which there may be several, and for these programs only. Orders of
// compare-and-swaps that fail are left alone.
func Weaken(ctx context.Context, programs []c11.Program, o Options, in func(c11.Site) bool) ([]Weakest, error) {
	if in == nil {
		in = func(c11.Site) bool { return true }
	}
	w := weakening{ctx, programs, o}
	if ok, err := w.passes(nil); err != nil || !ok {
		if err == nil {
			err = fmt.Errorf("cdsspec: the programs do not pass with the orders that they have")
		}
		return nil, err
	}
	sites, err := cdsspec.Sites(programs, o.Options, in)
	if err != nil {
		return nil, err
	}
	together := map[c11.Site]c11.Order{}
	var all []Weakest
	for _, site := range sites {
		alone, err := w.weakest(site, nil)
		if err != nil {
			return nil, err
		}
		both := alone
		if len(together) > 0 {
			if both, err = w.weakest(site, together); err != nil {
				return nil, err
			}
		}
		together[site.At] = both
		all = append(all, Weakest{site.At, site.Text, site.Order, alone, both})
	}
	return all, nil
}

type weakening struct {
	ctx      context.Context
	programs []c11.Program
	o        Options
}

// weakest returns the weakest order of a site that passes if others have these orders.
func (w *weakening) weakest(site cdsspec.Site, others map[c11.Site]c11.Order) (c11.Order, error) {
	for _, order := range weaker(site.Order) {
		ok, err := w.passes(func(at c11.Site, o c11.Order) c11.Order {
			if at == site.At {
				return order
			}
			if w, known := others[at]; known {
				return w
			}
			return o
		})
		if err != nil {
			return 0, fmt.Errorf("%s %s: %w", site.Text, order, err)
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

// passes reports whether all programs pass with these orders.
func (w *weakening) passes(orders func(c11.Site, c11.Order) c11.Order) (bool, error) {
	o := w.o
	o.First = true
	if orders != nil {
		o.Orders = orders
	}
	for _, p := range w.programs {
		r, err := Check(w.ctx, p, o)
		if err != nil || r.Verdict != Passed {
			return false, err
		}
	}
	return true, nil
}
