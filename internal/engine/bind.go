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
	return b, usable(s, p, b)
}

// Prepare is Bind in two steps, where s can divide it: all that is wrong with p is an error at
// once, and Finish binds p.
func Prepare(s model.Spec, p *model.Partition) (model.Prepared, error) {
	if preparer, ok := s.(model.Preparer); ok {
		return preparer.Prepare(p)
	}
	return Bind(s, p)
}

// PrepareAll is Prepare for all partitions of a history of few operations.
func PrepareAll(s model.Spec, parts []*model.Partition, prepared []model.Prepared) (err error) {
	if preparer, ok := s.(model.Preparer); ok {
		return preparer.PrepareAll(parts, prepared)
	}
	for i, p := range parts {
		if prepared[i], err = Bind(s, p); err != nil {
			return err
		}
	}
	return nil
}

// Outline returns what monitors need of a prepared partition, if that is known before it is bound:
// an Instance that has only Spec, Partition and Theory. Else it returns nil.
func Outline(rest model.Prepared) *model.Instance {
	if o, ok := rest.(model.Outlined); ok {
		return o.Outline()
	}
	return nil
}

// Finish does what is left of binding p. It is called once.
func Finish(s model.Spec, p *model.Partition, rest model.Prepared) (*model.Instance, error) {
	b := rest.Bind()
	return b, usable(s, p, b)
}

// usable returns an error for an instance that no engine could use.
func usable(s model.Spec, p *model.Partition, b *model.Instance) error {
	n := p.Len()
	broken := func(what string) error {
		return fmt.Errorf("linsat: specification %s is broken: %s", s.Info().Name, what)
	}
	switch {
	case b == nil:
		return broken("Bind returns neither an Instance nor an error")
	case b.Partition != p:
		return broken("Bind returns an Instance of another partition")
	case b.Spec == nil:
		return broken("the Instance names no specification")
	case b.NewMachine == nil:
		return broken("the Instance has no NewMachine")
	case len(b.ReadOnly) != n || len(b.EquivID) != n || b.Class != nil && len(b.Class) != n || b.Items.Delta != nil &&
		len(b.Items.Delta) != n:
		return broken("ReadOnly, EquivID, Class and ItemDelta of the Instance must have one entry for each operation")
	}
	return nil
}
