package cdsspec

import (
	"slices"
	"sort"
	"strings"

	"github.com/linsat/linsat/explore/c11"
)

// Site is a memory order in the code of a structure: that of a fence, or of an atomic access where
// it succeeds.
type Site struct {
	At    c11.Site
	Order c11.Order
	Text  string // function, access and location
}

// Sites returns the orders that executions of the programs meet in code for which in holds, and
// that are not relaxed already, in the order of the code.
func Sites(programs []c11.Program, o c11.Options, in func(c11.Site) bool) ([]Site, error) {
	var sites []Site
	for _, p := range programs {
		seen := map[c11.Site]c11.Order{}
		text := map[c11.Site]string{}
		o.Orders = func(at c11.Site, o c11.Order) c11.Order {
			if !at.Failure && o != c11.Relaxed && in(at) {
				seen[at] = o
			}
			return o
		}
		_, err := c11.Run(p, o, func(g *c11.Graph) bool {
			for i := range g.Events {
				e := &g.Events[i]
				text[c11.Site{File: e.File, Line: e.Line, Func: e.Func}] = access(e)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		for at, o := range seen {
			if !slices.ContainsFunc(sites, func(t Site) bool { return t.At == at }) {
				sites = append(sites, Site{at, o, text[at]})
			}
		}
	}
	sort.Slice(sites, func(i, j int) bool {
		a, b := sites[i].At, sites[j].At
		return a.File < b.File || a.File == b.File && a.Line < b.Line
	})
	return sites, nil
}

// access describes an event as part of the code.
func access(e *c11.Event) string {
	what := map[c11.Kind]string{c11.ReadEvent: "load", c11.WriteEvent: "store", c11.UpdateEvent: "update",
		c11.FenceEvent: "fence"}[e.Kind]
	if e.Failed {
		what = "update"
	}
	loc, _, _ := strings.Cut(e.Loc[strings.Index(e.Loc, ".")+1:], "[")
	f := e.Func[strings.LastIndex(e.Func, ".")+1:]
	return strings.TrimSpace(f + ": " + what + " " + loc)
}
