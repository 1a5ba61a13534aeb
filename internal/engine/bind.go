package engine

import (
	"fmt"

	"github.com/linsat/linsat/internal/model"
)

// Bind binds a partition to a specification. Besides the errors of s.Bind it returns one for an
// instance that no engine could use: a specification of the caller may give anything.
func Bind(s model.Spec, p *model.Partition) (*model.Instance, error) {
	b, err := s.Bind(p)
	if err != nil {
		return nil, err
	}
	n := p.Len()
	broken := func(what string) error {
		return fmt.Errorf("linsat: specification %s is broken: %s", s.Info().Name, what)
	}
	switch {
	case b == nil:
		return nil, broken("Bind returns neither an Instance nor an error")
	case b.Partition != p:
		return nil, broken("Bind returns an Instance of another partition")
	case b.Spec == nil:
		return nil, broken("the Instance names no specification")
	case b.NewMachine == nil:
		return nil, broken("the Instance has no NewMachine")
	case len(b.ReadOnly) != n || len(b.EquivID) != n || b.Class != nil && len(b.Class) != n || b.ItemDelta != nil && len(b.ItemDelta) != n:
		return nil, broken("ReadOnly, EquivID, Class and ItemDelta of the Instance must have one entry for each operation")
	}
	return b, nil
}
