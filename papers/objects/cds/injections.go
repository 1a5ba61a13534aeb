//go:build !linsat_native

package cds

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/explore/c11"
	check "github.com/linsat/linsat/explore/cdsspec"
	"github.com/linsat/linsat/internal/relaxed/cdsspec"
)

// Site is a memory order in the code of a structure.
type Site struct {
	cdsspec.Site
	Paper bool // the paper counts it among its injections
}

// Sites returns the orders that the drivers of the structure meet and that are not relaxed already,
// in the order of its code.
func (s *Structure) Sites() ([]Site, error) {
	of, err := cdsspec.Sites(s.programs(), c11.Options{}, s.contains)
	if err != nil {
		return nil, err
	}
	var sites []Site
	times := map[string]int{}
	for _, site := range of {
		beside := slices.ContainsFunc(s.Beside, func(part string) bool { return strings.Contains(site.Text, part) })
		t := Site{site, !beside}
		if times[t.Text]++; times[t.Text] > 1 {
			t.Text = fmt.Sprintf("%s (%d)", t.Text, times[t.Text])
		}
		sites = append(sites, t)
	}
	return sites, nil
}

func (s *Structure) programs() (all []c11.Program) {
	for _, d := range s.Drivers {
		all = append(all, d.Program)
	}
	return all
}

// contains reports whether a site is in the code of the structure.
func (s *Structure) contains(at c11.Site) bool { return filepath.Base(at.File) == s.File }

// Weaken returns orders for a run in which that of the site is another one.
func (t *Site) Weaken(to c11.Order) func(c11.Site, c11.Order) c11.Order {
	return func(at c11.Site, o c11.Order) c11.Order {
		if at == t.At {
			return to
		}
		return o
	}
}

// Trial is what a weakened order does to a driver.
type Trial struct {
	Driver  *Driver
	Verdict cdsspec.Verdict
	// Same reports, if the driver passes, whether it has the same outcomes as without weakening.
	Same bool
}

// Injection is an order that is weakened to relaxed, on all drivers of its structure.
type Injection struct {
	Site
	Trials []Trial
}

// Found returns the first trial that doesn't pass, of the paper's drivers only if paper is true.
func (i *Injection) Found(paper bool) (Trial, bool) {
	for _, t := range i.Trials {
		if t.Verdict != cdsspec.Passed && (t.Driver.Paper || !paper) {
			return t, true
		}
	}
	return Trial{}, false
}

// Inject weakens every order of the structure to relaxed, one at a time.
func (s *Structure) Inject(ctx context.Context) ([]Injection, error) {
	sites, err := s.Sites()
	if err != nil {
		return nil, err
	}
	before := make([][]string, len(s.Drivers))
	for i, d := range s.Drivers {
		if before[i], err = Outcomes(d.Program, c11.Options{}); err != nil {
			return nil, err
		}
	}
	var all []Injection
	for _, site := range sites {
		in := Injection{Site: site}
		for i := range s.Drivers {
			d := &s.Drivers[i]
			o := c11.Options{Orders: site.Weaken(c11.Relaxed)}
			r, err := check.Check(ctx, d.Program, check.Options{Options: o})
			if err != nil {
				return nil, fmt.Errorf("%s, %s, %s: %w", s.Name, site.Text, d.Name, err)
			}
			t := Trial{Driver: d, Verdict: r.Verdict}
			if r.Verdict == cdsspec.Passed && r.Stats.All {
				after, err := Outcomes(d.Program, o)
				if err != nil {
					return nil, err
				}
				t.Same = slices.Equal(before[i], after)
			}
			in.Trials = append(in.Trials, t)
		}
		all = append(all, in)
	}
	return all, nil
}

// Outcomes returns all outcomes of a program: how the execution ended, and what each call of each
// thread returned.
func Outcomes(p c11.Program, o c11.Options) ([]string, error) {
	all := map[string]bool{}
	var failed error
	_, err := c11.Run(p, o, func(g *c11.Graph) bool {
		calls, err := cdsspec.Calls(g, nil)
		if err != nil {
			failed = err
			return false
		}
		var b strings.Builder
		fmt.Fprint(&b, g.Outcome)
		sort.SliceStable(calls, func(i, j int) bool { return calls[i].Thread < calls[j].Thread })
		for i := range calls {
			fmt.Fprintf(&b, "; %d %s", calls[i].Thread, calls[i].String())
		}
		all[b.String()] = true
		return true
	})
	if err == nil {
		err = failed
	}
	var out []string
	for s := range all {
		out = append(out, s)
	}
	slices.Sort(out)
	return out, err
}
