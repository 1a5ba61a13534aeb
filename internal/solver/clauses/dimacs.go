package clauses

import (
	"bufio"
	"io"
	"iter"
	"strconv"

	"github.com/linsat/linsat/solver"
)

// WriteDIMACS writes a formula in the DIMACS CNF format: a header with the number of variables and
// of clauses, then a clause a line, each ended by 0. n must be the number of clauses, and vars at
// least the highest variable in them. It returns the first error of w.
func WriteDIMACS(w io.Writer, vars int, n int64, clauses iter.Seq[[]solver.Lit]) error {
	b := bufio.NewWriterSize(w, 1<<16)
	line := append(make([]byte, 0, 256), "p cnf "...)
	line = strconv.AppendInt(line, int64(vars), 10)
	line = append(line, ' ')
	line = strconv.AppendInt(line, n, 10)
	line = append(line, '\n')
	if _, err := b.Write(line); err != nil {
		return err
	}
	for c := range clauses {
		line = line[:0]
		for _, l := range c {
			line = strconv.AppendInt(line, int64(l), 10)
			line = append(line, ' ')
		}
		line = append(line, "0\n"...)
		if _, err := b.Write(line); err != nil {
			return err
		}
	}
	return b.Flush()
}
