// Package objects is the catalogue of the concurrent objects that linsat ships. They are written
// from papers, correct and faulty, each with tests and known verdicts. linsat-papers runs them.
//
//	fgvt     six faulty objects of the paper on FGVT, and corrected
//	relaxed  Round-Up's relaxed queues, stacks and priority queues, and those of Scal's papers
//	scal     the objects of Scal that Round-Up was tried on, with the accesses that they had
//	sets     the sets that P-compositionality was evaluated on
//	dotnet   analogues of the classes of .NET that Line-Up was tried on
package objects

import (
	"slices"
	"strings"

	"github.com/linsat/linsat/papers/catalogue"
	"github.com/linsat/linsat/papers/objects/dotnet"
	"github.com/linsat/linsat/papers/objects/fgvt"
	"github.com/linsat/linsat/papers/objects/relaxed"
	"github.com/linsat/linsat/papers/objects/scal"
	"github.com/linsat/linsat/papers/objects/sets"
)

// Group is the entries of one folder.
type Group struct {
	Name, About string
	Entries     []catalogue.Entry
}

// Groups returns the catalogue.
func Groups() []Group {
	return []Group{
		{"fgvt", "the paper on FGVT, Table 2: faults in lock-free and locked objects", fgvt.Entries()},
		{"relaxed",
			"Round-Up, Tables I to V: relaxed queues, stacks and priority queues; --quasi judges by the factor that " +
				"is shown", relaxed.Entries()},
		{"scal", "Round-Up, Tables IV and V: objects of Scal, early 2013, with their accesses and faults",
			scal.Entries()},
		{"sets", "P-compositionality, Table 2: implementations of a set, two of them faulty", sets.Entries()},
		{"dotnet",
			"Line-Up, Tables 1 and 2: analogues of classes of .NET; without a specification, Line-Up synthesises one",
			dotnet.Entries()},
	}
}

// Find returns the entries of the object with that name, which is not case-sensitive.
func Find(name string) []catalogue.Entry {
	var found []catalogue.Entry
	for _, g := range Groups() {
		for _, e := range g.Entries {
			if strings.EqualFold(e.Case.Object.Name, name) {
				found = append(found, e)
			}
		}
	}
	return found
}

// Names returns the names of all objects, each once, in the order of the catalogue.
func Names() []string {
	var names []string
	for _, g := range Groups() {
		for _, e := range g.Entries {
			if n := e.Case.Object.Name; !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}
