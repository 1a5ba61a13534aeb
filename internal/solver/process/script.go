package process

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"github.com/linsat/linsat/solver"
)

// Scripts lists the programs that take scripts in SMT-LIB with integers, installed or not.
func Scripts() []string { return []string{"z3", "cvc5"} }

// scriptArgs are the arguments with which they read a script from their input.
var scriptArgs = map[string][]string{"z3": {"-smt2", "-in"}, "cvc5": {"--lang=smt2", "--produce-models",
	"--incremental", "-q"}}

// ScriptProgram returns the path of the named program. The error wraps ErrUnknownTool or
// ErrNotInstalled.
func ScriptProgram(name string) (path string, err error) {
	if _, known := scriptArgs[name]; !known {
		return "", fmt.Errorf("%w %q (want one of %s)", ErrUnknownTool, name, strings.Join(Scripts(), ", "))
	}
	if path, err = exec.LookPath(name); err != nil {
		return "", fmt.Errorf("%s is %w", name, ErrNotInstalled)
	}
	return path, nil
}

// RunScript gives a script in SMT-LIB to one of the programs, asks whether it can be satisfied, and
// if so for the values of integer constants.
func RunScript(ctx context.Context, name string, script func(w io.Writer) error, constants []string) (solver.Status,
	[]int64, error) {
	path, err := ScriptProgram(name)
	if err != nil {
		return solver.Unknown, nil, err
	}
	status := solver.Unknown
	var values []int64
	_, err = converse(ctx, command{path, scriptArgs[name]}, func(in io.WriteCloser, out io.Reader) error {
		heard := bufio.NewReaderSize(out, 1<<16)
		sent := make(chan error, 1)
		go func() {
			b := bufio.NewWriterSize(in, 1<<16)
			err := script(b)
			if err == nil {
				_, _ = b.WriteString("(check-sat)\n")
				err = b.Flush()
			}
			sent <- err
		}()
		line, err := readLine(heard)
		if err != nil || len(line) == 0 || line[0] == '(' {
			in.Close()
			<-sent
			if err != nil {
				return errors.New("the program ended without an answer")
			}
			return fmt.Errorf("unexpected answer %.200q", line)
		}
		if err := <-sent; err != nil {
			return err
		}
		switch string(line) {
		case "unsat":
			status = solver.Unsatisfiable
			return nil
		case "sat":
		default:
			return fmt.Errorf("unexpected answer %.200q", line)
		}
		if _, err := io.WriteString(in, "(get-value ("+strings.Join(constants, " ")+"))\n"); err != nil {
			return err
		}
		if values, err = readValues(&tokens{r: heard}, constants); err == nil {
			status = solver.Satisfiable
		}
		return err
	})
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return solver.Unknown, nil, err
	}
	return status, values, nil
}

// readValues reads the answer to get-value: ((p0 3) (p1 (- 2))).
func readValues(t *tokens, constants []string) ([]int64, error) {
	values := make([]int64, 0, len(constants))
	negative, named := false, false
	err := t.list("list of values", func(word string) error {
		switch {
		case word == "-":
			negative = true
		case !named:
			if len(values) == len(constants) || word != constants[len(values)] {
				return fmt.Errorf("a value of %.40q, which was not asked for", word)
			}
			named = true
		default:
			n, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return fmt.Errorf("%.40q is no integer", word)
			}
			if negative {
				n = -n
			}
			values, negative, named = append(values, n), false, false
		}
		return nil
	})
	if err == nil && len(values) != len(constants) {
		err = errors.New("some values are missing")
	}
	return values, err
}
