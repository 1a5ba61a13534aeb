package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects"
	"github.com/linsat/linsat/papers/objects/cds"
)

// list prints the catalogue.
func (x *explorer) list() error {
	w := tabwriter.NewWriter(x.out, 0, 0, 2, ' ', 0)
	for i, g := range objects.Groups() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", g.Name, g.About)
		last := ""
		for _, e := range g.Entries {
			o := e.Case.Object
			about := o.About
			if e.Faulty && e.Note != "" {
				about = e.Note
			}
			name := o.Name
			if name == last {
				name, about = "", ""
			}
			last = o.Name
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", name, expectation(&e), e.Case, about)
		}
	}
	listRelaxed(w)
	return w.Flush()
}

// expectation describes the known verdict of an entry in a word or two.
func expectation(e *catalogue.Entry) string {
	switch {
	case e.Linearizable:
		return "linearizable"
	case e.Quasi != "" && e.QuasiLinearizable:
		return "quasi " + e.Quasi
	case e.Faulty:
		return "faulty"
	}
	return "not linearizable"
}

// objectNames are the names of all objects.
func objectNames() []string {
	names := objects.Names()
	for _, s := range cds.Structures() {
		names = append(names, s.Key)
	}
	return names
}

func unknownObject(name string) error {
	hint := cli.Meant(name, objectNames())
	if hint == "" {
		hint = "there are " + strings.Join(objectNames(), ", ") + "; "
	}
	return cli.Hint(fmt.Errorf("unknown object %q", name), hint+"`linsat-papers` lists them")
}
