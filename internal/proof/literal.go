package proof

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
)

// LiteralKind is what a literal says.
type LiteralKind uint8

// The kinds.
const (
	False      LiteralKind = iota // the zero Literal: a contradiction
	OrderKind                     // A<B
	SourceKind                    // src(A,B)
	InKind                        // in(A)
	ModeKind                      // mode(A,B)
)

// Literal is a statement about a linearization, or its negation. Equal statements are equal values:
// use the constructors.
type Literal struct {
	Kind LiteralKind
	Not  bool
	A, B history.OpID // B of mode(A,B) is the number of a mode
}

// LessThan is a<b.
func LessThan(a, b history.OpID) Literal {
	if a > b {
		return Literal{OrderKind, true, b, a}
	}
	return Literal{OrderKind, false, a, b}
}

// SourceOf is src(r,w).
func SourceOf(r, w history.OpID) Literal { return Literal{Kind: SourceKind, A: r, B: w} }

// TakesEffect is in(p).
func TakesEffect(p history.OpID) Literal { return Literal{Kind: InKind, A: p} }

// GoesIn is mode(p,k).
func GoesIn(p history.OpID, k int32) Literal {
	return Literal{Kind: ModeKind, A: p, B: history.OpID(k)}
}

// Negated is the opposite.
func (l Literal) Negated() Literal {
	l.Not = !l.Not
	return l
}

// Ends returns a and b of a<b, however it is kept.
func (l Literal) Ends() (a, b history.OpID) {
	if l.Not {
		return l.B, l.A
	}
	return l.A, l.B
}

// OperationName writes an operation of an axiom or a literal: a position, INIT, PAST, NONE or
// ITEMk.
func OperationName(i history.OpID) string {
	switch {
	case i == Initial:
		return "INIT"
	case i == Before:
		return "PAST"
	case i == NoOp:
		return "NONE"
	case i <= Item(0):
		return "ITEM" + strconv.Itoa(int(Item(0)-i))
	}
	return strconv.Itoa(int(i))
}

// ParseOperation reads what OperationName writes.
func ParseOperation(s string) (history.OpID, error) {
	switch s {
	case "INIT":
		return Initial, nil
	case "PAST":
		return Before, nil
	case "NONE":
		return NoOp, nil
	}
	if k, ok := strings.CutPrefix(s, "ITEM"); ok {
		n, err := strconv.ParseUint(k, 10, 30)
		return Item(int(n)), err
	}
	n, err := strconv.ParseUint(s, 10, 31)
	return history.OpID(n), err
}

// String writes 3<5, src(4,2), in(7), mode(7,1), negations with a !, and "false" for False.
func (l Literal) String() string {
	not := ""
	if l.Not {
		not = "!"
	}
	switch l.Kind {
	case OrderKind:
		a, b := l.Ends()
		return OperationName(a) + "<" + OperationName(b)
	case SourceKind:
		return not + "src(" + OperationName(l.A) + "," + OperationName(l.B) + ")"
	case InKind:
		return not + "in(" + OperationName(l.A) + ")"
	case ModeKind:
		return not + "mode(" + OperationName(l.A) + "," + strconv.Itoa(int(l.B)) + ")"
	}
	return "false"
}

// ParseLiteral reads what String writes.
func ParseLiteral(s string) (Literal, error) {
	bad := func() (Literal, error) { return Literal{}, fmt.Errorf("%q is not a literal", s) }
	if s == "false" {
		return Literal{}, nil
	}
	if a, b, ok := strings.Cut(s, "<"); ok {
		x, err := ParseOperation(a)
		y, err2 := ParseOperation(b)
		if err != nil || err2 != nil || x < 0 || y < 0 || x == y {
			return bad()
		}
		return LessThan(x, y), nil
	}
	rest, not := strings.CutPrefix(s, "!")
	kind, inside, ok := strings.Cut(rest, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed {
		return bad()
	}
	first, second, two := strings.Cut(inside, ",")
	l := Literal{Not: not}
	var err, err2 error
	if l.A, err = ParseOperation(first); two {
		l.B, err2 = ParseOperation(second)
	}
	if err != nil || err2 != nil || l.A < 0 {
		return bad()
	}
	switch {
	case kind == "src" && two:
		l.Kind = SourceKind
	case kind == "in" && !two:
		l.Kind = InKind
	case kind == "mode" && two && l.B >= 0:
		l.Kind = ModeKind
	default:
		return bad()
	}
	return l, nil
}
