package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/linsat/linsat/solver"
)

// Exit codes that all programs of the SAT competitions share.
const (
	exitSatisfiable   = 10
	exitUnsatisfiable = 20
)

// askDIMACS asks one question: the clauses, and the assumptions as clauses of one literal. The
// answer must come twice, in words and as the exit code.
func askDIMACS(ctx context.Context, c command, s *Solver, assumptions []solver.Lit) (answer, error) {
	var a answer
	code, err := converse(ctx, c, func(in io.WriteCloser, out io.Reader) error {
		sent := make(chan error, 1)
		go func() { sent <- errors.Join(s.clauses.WriteDIMACS(in, assumptions...), in.Close()) }()
		heard := a.readDIMACS(out)
		in.Close() // ends the sending, if the answer came before the whole question was read
		<-sent     // a failure there shows in the answer
		return heard
	})
	if err != nil {
		return answer{}, err
	}
	if a.status == solver.Satisfiable && code == exitSatisfiable || a.status == solver.Unsatisfiable &&
		code == exitUnsatisfiable {
		return a, nil
	}
	return answer{}, fmt.Errorf("the answer is %v, but the exit code %d", a.status, code)
}

// readDIMACS reads an answer to its end: "s SATISFIABLE" or "s UNSATISFIABLE", and "v" lines of
// literals.
func (a *answer) readDIMACS(out io.Reader) error {
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := readLine(r)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch word, rest, _ := bytes.Cut(line, []byte(" ")); string(word) {
		case "s":
			switch string(rest) {
			case "SATISFIABLE":
				a.status = solver.Satisfiable
			case "UNSATISFIABLE":
				a.status = solver.Unsatisfiable
			}
		case "v":
			err = a.literals(rest)
		}
		if err != nil {
			return err
		}
	}
	if a.status == solver.Unknown {
		return errors.New("the program ended without an answer")
	}
	return nil
}

// literals reads the true literals of a line, which may end with a 0.
func (a *answer) literals(line []byte) error {
	for len(line) > 0 {
		var word []byte
		word, line, _ = bytes.Cut(line, []byte(" "))
		if len(word) == 0 {
			continue
		}
		n, err := strconv.ParseInt(string(word), 10, 32)
		if err != nil || n > MaxVars {
			return fmt.Errorf("the model contains %.40q, which is not a literal", word)
		}
		if n > 0 {
			a.set(int(n))
		}
	}
	return nil
}

// set makes a variable true.
func (a *answer) set(v int) {
	for v>>6 >= len(a.model) {
		a.model = append(a.model, 0)
	}
	a.model[v>>6] |= 1 << (v & 63)
}

// readLine reads a line of any length, without its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadBytes('\n')
	if err == io.EOF && len(line) > 0 {
		err = nil
	}
	return bytes.TrimSpace(line), err
}
