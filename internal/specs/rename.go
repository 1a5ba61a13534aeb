package specs

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
)

// Rename returns s with other names of operations. names maps names of operations of s to the only
// names that histories use for them; operations that are not mentioned keep theirs. The result has
// the theory, classes, monitors and name of s. It returns an error for an operation that s does not
// have, for a name that two operations would share, and for specifications that linsat does not
// ship.
func Rename(s model.Spec, names map[string]string) (model.Spec, error) {
	if s == nil {
		return nil, errors.New("there is no specification to rename: it is nil")
	}
	info := s.Info()
	if _, twice := s.(*renamedSpec); twice {
		return nil, fmt.Errorf("%s is renamed already; give all names at once", info.Name)
	}
	if !shipped(s) {
		return nil,
			fmt.Errorf("%s is not a specification that linsat ships; its Definition lists the names of its operations",
				info.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no operation of %s to rename", info.Name)
	}
	old := NameTable(info.Operations)
	to := map[int]string{} // operation → its new name
	r := model.Renaming{Info: info, Names: map[string]string{}}
	for _, from := range slices.Sorted(maps.Keys(names)) {
		k, ok := old[Fold(from)]
		switch name := names[from]; {
		case !ok:
			return nil, unknownName(info, from, name, old)
		case strings.TrimSpace(name) == "":
			return nil, fmt.Errorf("the new name of %s of %s is empty", from, info.Name)
		case to[k] != "":
			return nil, fmt.Errorf("%s of %s is renamed twice, to %s and to %s", info.Operations[k].Name,
				info.Name, to[k], name)
		default:
			to[k] = name
		}
	}
	r.Info.Operations = slices.Clone(info.Operations)
	for k, name := range to {
		o := &r.Info.Operations[k]
		for _, gone := range append([]string{o.Name}, o.Aliases...) {
			r.Names[Fold(gone)] = ""
		}
		o.Name, o.Aliases = name, nil
	}
	owner := map[string]string{}
	for k, o := range r.Info.Operations {
		for _, name := range append([]string{o.Name}, o.Aliases...) {
			if first, twice := owner[Fold(name)]; twice {
				return nil, fmt.Errorf("both %s and %s of %s would be called %s", first, info.Operations[k].Name,
					info.Name, name)
			}
			owner[Fold(name)] = info.Operations[k].Name
		}
	}
	renamed := func(name string) string { return r.Info.Operations[old[Fold(name)]].Name }
	for k, name := range to {
		r.Names[Fold(name)] = Fold(info.Operations[k].Name)
	}
	r.Info.Classes = slices.Clone(info.Classes)
	for i := range r.Info.Classes {
		c := &r.Info.Classes[i]
		c.Operations = slices.Clone(c.Operations)
		for j := range c.Operations {
			c.Operations[j] = renamed(c.Operations[j])
		}
	}
	if info.Drain != "" {
		r.Info.Drain = renamed(info.Drain)
	}
	r.Info.Example = "" // it has the old names
	return &renamedSpec{s, names, &r}, nil
}

// unknownName is the error for a name to be renamed that is not an operation.
func unknownName(info model.Info, from, to string, old map[string]int) error {
	if k, ok := old[Fold(to)]; ok {
		return fmt.Errorf("%s has no operation %s; the map's keys are its names, the values are yours: {%q: %q}",
			info.Name, from, info.Operations[k].Name, from)
	}
	var all []string
	for _, o := range info.Operations {
		all = append(all, o.Name)
	}
	return fmt.Errorf("%s has no operation %s; its operations are %s", info.Name, from, strings.Join(all, ", "))
}

// shipped reports whether linsat ships s, or Relax made it from one that linsat ships.
func shipped(s model.Spec) bool {
	if strict, _, relaxed := Relaxed(s); relaxed {
		s = strict
	}
	_, ok := s.(*table)
	return ok
}

// renamedSpec is a specification with other names of operations.
type renamedSpec struct {
	model.Spec
	names    map[string]string
	renaming *model.Renaming
}

// Renamed returns the specification that Rename gave other names, or s itself if Rename did not
// make it.
func Renamed(s model.Spec) (original model.Spec, names map[string]string) {
	if r, ok := s.(*renamedSpec); ok {
		return r.Spec, r.names
	}
	return s, nil
}

func (r *renamedSpec) Info() model.Info { return r.renaming.Info }

// Unwrap returns the specification with its own names.
func (r *renamedSpec) Unwrap() model.Spec { return r.Spec }

// Fresh implements model.Remembering.
func (r *renamedSpec) Fresh(memory int64) model.Spec {
	fresh := *r
	fresh.Spec = model.Fresh(r.Spec, memory)
	return &fresh
}

func (r *renamedSpec) Footprint(h *history.History, i history.OpID, dst []history.Value) []history.Value {
	return r.Spec.Footprint(h, i, dst)
}

func (r *renamedSpec) Bind(p *model.Partition) (*model.Instance, error) {
	q := *p
	q.Renaming = r.renaming
	b, err := r.Spec.Bind(&q)
	if err != nil {
		return nil, err
	}
	bound := *b
	bound.Spec, bound.Partition = r, p
	return &bound, nil
}
