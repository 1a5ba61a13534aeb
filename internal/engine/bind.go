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

// Prepared is a partition that is about to be bound. The zero value is none.
type Prepared struct {
	spec model.Spec
	part *model.Partition
	rest model.Prepared
}

// Prepare is Bind in two steps, where s can divide it: all that is wrong with p is an error at
// once, and Prepared.Bind binds p.
func Prepare(s model.Spec, p *model.Partition) (Prepared, error) {
	preparer, ok := s.(model.Preparer)
	if !ok {
		b, err := Bind(s, p)
		return Prepared{s, p, b}, err
	}
	rest, err := preparer.Prepare(p)
	return Prepared{s, p, rest}, err
}

// Is reports whether there is a partition.
func (x *Prepared) Is() bool { return x.part != nil }

// Outline returns what monitors need of the partition, if that is known before it is bound: an
// Instance that has only Spec, Partition and Theory. Else it returns nil.
func (x *Prepared) Outline() *model.Instance {
	if o, ok := x.rest.(model.Outlined); ok {
		return o.Outline()
	}
	return nil
}

// Bind does what is left. It is called once.
func (x *Prepared) Bind() (*model.Instance, error) {
	b := x.rest.Bind()
	return b, usable(x.spec, x.part, b)
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
	case len(b.ReadOnly) != n || len(b.EquivID) != n || b.Class != nil && len(b.Class) != n || b.ItemDelta != nil && len(b.ItemDelta) != n:
		return broken("ReadOnly, EquivID, Class and ItemDelta of the Instance must have one entry for each operation")
	}
	return nil
}
