package main

import (
	"fmt"
	"strings"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/papers/objects"
	"github.com/linsat/linsat/internal/papers/objects/cds"
	"github.com/linsat/linsat/internal/specs"
)

// unknownSpec is the hint about a specification that there is not.
func unknownSpec(name string) string {
	return cli.Meant(name, specs.Names()) + "`linsat specs` lists them"
}

// objectNames are the names of all that explore runs.
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
	return cli.Hint(fmt.Errorf("unknown object %q", name), hint+"`linsat explore` lists them")
}
