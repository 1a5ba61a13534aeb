package api

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// lister writes the surface of one module.
type lister struct {
	strings.Builder
	module string
	pkg    *types.Package           // that is being written
	shown  map[*types.TypeName]bool // types whose members are listed
	hidden map[*types.TypeName]bool // internal types that something public leads to
}

// List returns the public surface of the module in dir as text: a table of the number of exported
// names by package, then each package with its names, sorted. Under a type stand its exported
// fields and its methods, promoted ones included; under an alias of an internal type those of that
// type. Internal types that are not named by any alias but can be reached (a result, a field) come
// last. The error is that of go list or of reading what it compiled.
func List(dir, module string) (string, error) {
	packages, err := load(dir, module)
	if err != nil {
		return "", err
	}
	l := &lister{module: module, shown: map[*types.TypeName]bool{}, hidden: map[*types.TypeName]bool{}}
	total := 0
	l.WriteString("Exported names by package. LINSAT_UPDATE=1 go test ./internal/api writes this file anew.\n\n")
	for _, p := range packages {
		n := len(exported(p))
		total += n
		fmt.Fprintf(l, "%6d  %s\n", n, p.Path())
	}
	fmt.Fprintf(l, "%6d  in all\n", total)
	for _, p := range packages {
		l.pkg = p
		fmt.Fprintf(l, "\npackage %s // %s\n\n", p.Name(), p.Path())
		for _, o := range exported(p) {
			l.object(o)
		}
	}
	l.pkg = nil
	if len(l.pending()) > 0 {
		l.WriteString("\nInternal types that can be reached but not named from outside\n\n")
	}
	for next := l.pending(); len(next) > 0; next = l.pending() {
		for _, t := range next {
			l.shown[t] = true
			fmt.Fprintf(l, "type %s%s\n", l.typ(t.Type()), l.kind(t.Type().Underlying()))
			l.members(t.Type())
		}
	}
	return l.String(), nil
}

// pending returns the hidden types that are not listed yet, sorted.
func (l *lister) pending() []*types.TypeName {
	var next []*types.TypeName
	for t := range l.hidden {
		if !l.shown[t] {
			next = append(next, t)
		}
	}
	slices.SortFunc(next, func(a, b *types.TypeName) int {
		return strings.Compare(a.Pkg().Path()+"."+a.Name(), b.Pkg().Path()+"."+b.Name())
	})
	return next
}

// exported returns the exported objects of a package, sorted by name.
func exported(p *types.Package) []types.Object {
	var all []types.Object
	for _, name := range p.Scope().Names() {
		if o := p.Scope().Lookup(name); o.Exported() {
			all = append(all, o)
		}
	}
	return all
}

func (l *lister) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		fmt.Fprintf(l, "const %s %s = %s\n", o.Name(), l.typ(o.Type()), o.Val().ExactString())
	case *types.Var:
		fmt.Fprintf(l, "var %s %s\n", o.Name(), l.typ(o.Type()))
	case *types.Func:
		fmt.Fprintf(l, "func %s%s\n", o.Name(), l.signature(o))
	case *types.TypeName:
		l.typeName(o)
	}
}

// signature is that of a function or method, without the word func.
func (l *lister) signature(f *types.Func) string { return strings.TrimPrefix(l.typ(f.Type()), "func") }

func (l *lister) typeName(o *types.TypeName) {
	if !o.IsAlias() {
		l.shown[o] = true
		fmt.Fprintf(l, "type %s%s%s\n", o.Name(), l.parameters(o.Type()), l.kind(o.Type().Underlying()))
		l.members(o.Type())
		return
	}
	target := types.Unalias(o.Type())
	fmt.Fprintf(l, "type %s%s = %s\n", o.Name(), l.parameters(o.Type()), l.typ(target))
	if named, ok := target.(*types.Named); ok && named.Obj().Pkg() != nil && internal(named.Obj().Pkg().Path()) {
		l.shown[named.Obj()] = true
		l.members(target)
	}
}

// parameters lists the type parameters of a generic type.
func (l *lister) parameters(t types.Type) string {
	generic, ok := t.(interface{ TypeParams() *types.TypeParamList })
	if !ok || generic.TypeParams().Len() == 0 {
		return ""
	}
	var list []string
	for p := range generic.TypeParams().TypeParams() {
		list = append(list, p.Obj().Name()+" "+l.typ(p.Constraint()))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// kind names what a type is made of, as far as its members do not.
func (l *lister) kind(t types.Type) string {
	switch t.(type) {
	case *types.Struct:
		return " struct"
	case *types.Interface:
		return " interface"
	}
	return " " + l.typ(t)
}

// members lists exported fields and methods.
func (l *lister) members(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		hidden := 0
		for i := range u.NumFields() {
			f := u.Field(i)
			if !f.Exported() {
				hidden++
				continue
			}
			line := "\t" + f.Name() + " " + l.typ(f.Type())
			if f.Embedded() {
				line = "\t" + l.typ(f.Type()) + " // embedded"
			}
			if tag := u.Tag(i); tag != "" {
				line += " `" + tag + "`"
			}
			l.WriteString(line + "\n")
		}
		if hidden > 0 {
			l.WriteString("\t// and unexported fields\n")
		}
	case *types.Interface:
		hidden := 0
		for m := range u.Methods() {
			if !m.Exported() {
				hidden++
				continue
			}
			fmt.Fprintf(l, "\t%s%s\n", m.Name(), l.signature(m))
		}
		if hidden > 0 {
			l.WriteString("\t// and unexported methods\n")
		}
		return
	}
	values := types.NewMethodSet(t)
	for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		f := m.Obj().(*types.Func)
		if !f.Exported() {
			continue
		}
		star := "*"
		if values.Lookup(f.Pkg(), f.Name()) != nil {
			star = ""
		}
		fmt.Fprintf(l, "\tfunc (%s) %s%s\n", star+"T", f.Name(), l.signature(f))
	}
}

// typ writes a type as seen from the package that is written, and notes the internal types in it.
func (l *lister) typ(t types.Type) string {
	l.note(t, map[types.Type]bool{})
	return types.TypeString(t, func(p *types.Package) string {
		switch {
		case p == l.pkg:
			return ""
		case p.Path() == l.module:
			return p.Name()
		}
		return strings.TrimPrefix(p.Path(), l.module+"/")
	})
}

// note adds the internal types of the module that stand in t.
func (l *lister) note(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		l.note(types.Unalias(t), seen)
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && strings.HasPrefix(p.Path(), l.module+"/") && internal(p.Path()) {
			l.hidden[t.Origin().Obj()] = true
		}
		for a := range t.TypeArgs().Types() {
			l.note(a, seen)
		}
	case *types.Map:
		l.note(t.Key(), seen)
		l.note(t.Elem(), seen)
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		l.note(t.Elem(), seen)
	case *types.Signature:
		for v := range t.Params().Variables() {
			l.note(v.Type(), seen)
		}
		for v := range t.Results().Variables() {
			l.note(v.Type(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				l.note(f.Type(), seen)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				l.note(m.Type(), seen)
			}
		}
	case *types.TypeParam:
		l.note(t.Constraint(), seen)
	}
}
