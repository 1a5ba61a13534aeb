//go:build !linsat_native

package cds

import (
	"context"
	"fmt"

	"github.com/linsat/linsat/explore/c11"
	check "github.com/linsat/linsat/explore/cdsspec"
)

// Weakest is the weakest order of a site with which all drivers of the structure still pass.
type Weakest struct {
	Site
	Alone    c11.Order // the others being as they are
	Together c11.Order // those before it in the code being weakened as well
}

// Weaken looks for the weakest order of every site, with cdsspec.Weaken.
func (s *Structure) Weaken(ctx context.Context) ([]Weakest, error) {
	sites, err := s.Sites()
	if err != nil {
		return nil, err
	}
	of, err := check.Weaken(ctx, s.programs(), check.Options{}, s.contains)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	var all []Weakest
	for i, w := range of {
		all = append(all, Weakest{sites[i], w.Alone, w.Together})
	}
	return all, nil
}
