package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/linsat/linsat/internal/solver/clauses"
	"github.com/linsat/linsat/solver"
)

// askSMTLIB asserts the clauses over constants x1, x2, …, asks with check-sat-assuming, and,
// depending on the answer, for the model or for the failed assumptions.
func askSMTLIB(ctx context.Context, c command, s *Solver, assumptions []solver.Lit) (answer, error) {
	var a answer
	_, err := converse(ctx, c, func(in io.WriteCloser, out io.Reader) error {
		heard := bufio.NewReaderSize(out, 1<<16)
		sent := make(chan error, 1)
		go func() { sent <- s.sendSMTLIB(in, assumptions) }()
		line, err := readLine(heard) // an error message may come before everything is sent
		if err != nil || len(line) == 0 || line[0] == '(' {
			in.Close()
			<-sent
			if err != nil {
				return errors.New("the program ended without an answer")
			}
			return fmt.Errorf("unexpected answer %.200q", line)
		}
		<-sent // failures there, and below, show in what is read
		ask := ""
		switch string(line) {
		case "sat":
			a.status, ask = solver.Satisfiable, "(get-model)\n"
		case "unsat":
			a.status, a.named = solver.Unsatisfiable, true
			if len(assumptions) == 0 {
				return nil
			}
			ask = "(get-unsat-assumptions)\n"
		default:
			return fmt.Errorf("unexpected answer %.200q", line) // unknown, for one
		}
		_, _ = io.WriteString(in, ask)
		t := &tokens{r: heard}
		if a.status == solver.Satisfiable {
			return a.readModel(t)
		}
		return a.readCore(t, assumptions)
	})
	if err != nil {
		return answer{}, err
	}
	return a, nil
}

// sendSMTLIB writes the question. Only variables that occur are declared.
func (s *Solver) sendSMTLIB(in io.Writer, assumptions []solver.Lit) error {
	b := bufio.NewWriterSize(in, 1<<16)
	if len(assumptions) > 0 {
		b.WriteString("(set-option :produce-unsat-assumptions true)\n")
	}
	declared := make([]bool, max(s.clauses.Stats().Vars, clauses.MaxVar(assumptions))+1)
	declare := func(lits []solver.Lit) {
		for _, l := range lits {
			if v := l.Var(); !declared[v] {
				declared[v] = true
				b.WriteString("(declare-const x")
				b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(v), 10))
				b.WriteString(" Bool)\n")
			}
		}
	}
	for c := range s.clauses.Clauses() {
		declare(c)
		b.WriteString("(assert (or")
		writeSMTLIB(b, c)
		if _, err := b.WriteString("))\n"); err != nil {
			return err // the process is gone
		}
	}
	declare(assumptions)
	if len(assumptions) == 0 {
		b.WriteString("(check-sat)\n")
	} else {
		b.WriteString("(check-sat-assuming (")
		writeSMTLIB(b, assumptions)
		b.WriteString("))\n")
	}
	return b.Flush()
}

func writeSMTLIB(b *bufio.Writer, lits []solver.Lit) {
	for _, l := range lits {
		open, end := " x", ""
		if l < 0 {
			open, end = " (not x", ")"
		}
		b.WriteString(open)
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(l.Var()), 10))
		b.WriteString(end)
	}
}

// readModel reads the answer to get-model: a list, in some versions headed by the word model, of
// (define-fun x7 () Bool true).
func (a *answer) readModel(t *tokens) error {
	return t.list("model", func(word string) error {
		switch word {
		case "error":
			return errors.New("the program returned no model")
		case "define-fun":
			var name, value string
			for _, want := range []*string{&name, nil, nil, nil, &value} { // name ( ) Bool value
				word, err := t.next()
				if err != nil {
					return fmt.Errorf("incomplete model: %w", err)
				}
				if want != nil {
					*want = word
				}
			}
			if v, ok := variable(name); ok && value == "true" {
				a.set(v)
			}
		}
		return nil
	})
}

// readCore reads the answer to get-unsat-assumptions: a list of assumptions, (x1 (not x2)).
func (a *answer) readCore(t *tokens, assumptions []solver.Lit) error {
	assumed := make(map[solver.Lit]bool, len(assumptions))
	for _, l := range assumptions {
		assumed[l] = true
	}
	negated := false
	return t.list("core", func(word string) error {
		if word == "not" {
			negated = true
			return nil
		}
		v, ok := variable(word)
		l := solver.Lit(v)
		if negated {
			l, negated = l.Not(), false
		}
		if !ok || !assumed[l] {
			return fmt.Errorf("the core contains %.40q, which was not assumed", word)
		}
		a.core = append(a.core, l)
		return nil
	})
}

// variable reads the number of a constant that sendSMTLIB declared.
func variable(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "x")
	v, err := strconv.Atoi(digits)
	return v, ok && err == nil && v > 0 && v <= MaxVars
}

// tokens reads parentheses and the words between them.
type tokens struct{ r *bufio.Reader }

// list reads a list, lists in it included, and calls each for its words.
func (t *tokens) list(what string, each func(word string) error) error {
	for depth := 0; ; {
		word, err := t.next()
		if err != nil {
			return fmt.Errorf("incomplete %s: %w", what, err)
		}
		switch word {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return nil
			}
		default:
			if err := each(word); err != nil {
				return err
			}
		}
	}
}

func (t *tokens) next() (string, error) {
	var word []byte
	for {
		c, err := t.r.ReadByte()
		if err != nil {
			return "", err
		}
		switch c {
		case ' ', '\t', '\n', '\r':
			if len(word) > 0 {
				return string(word), nil
			}
		case '(', ')':
			if len(word) == 0 {
				return string(c), nil
			}
			return string(word), t.r.UnreadByte()
		default:
			word = append(word, c)
		}
	}
}
