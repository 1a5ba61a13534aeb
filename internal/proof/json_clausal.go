package proof

import (
	"fmt"
	"strconv"
	"strings"
)

// clausalForm is a Clausal in JSON. A lemma is a line as in LRAT, without its number: "1 -2 0 7 9"
// has the literals 1 and -2 and the hints 7 and 9.
type clausalForm struct {
	header
	Clauses int      `json:"clauses"`
	Lemmas  []string `json:"lemmas"`
}

func (f *clausalForm) write(p Proof) error {
	c := p.(*Clausal)
	*f = clausalForm{header{KindClausal, version}, c.Clauses, make([]string, len(c.Lemmas))}
	for k := range c.Lemmas {
		line := lemmaLine(nil, c.Lemmas[k].Clause)
		line = lemmaLine(append(line, '0', ' '), c.Lemmas[k].Hints)
		f.Lemmas[k] = strings.TrimSuffix(string(line), " ")
	}
	return f.complete()
}

func lemmaLine(line []byte, numbers []int32) []byte {
	for _, l := range numbers {
		line = append(strconv.AppendInt(line, int64(l), 10), ' ')
	}
	return line
}

func (f *clausalForm) read() (Proof, error) {
	c := &Clausal{Clauses: f.Clauses, Lemmas: make([]Lemma, len(f.Lemmas))}
	for k, line := range f.Lemmas {
		into := &c.Lemmas[k].Clause
		for word := range strings.SplitSeq(line, " ") {
			n, err := strconv.ParseInt(word, 10, 32)
			switch {
			case err != nil:
				return nil, fmt.Errorf("lemma %d: %q is not a number", k+1, word)
			case n == 0 && into == &c.Lemmas[k].Hints, n < 0 && into == &c.Lemmas[k].Hints:
				return nil, fmt.Errorf("lemma %d: hint %d is no clause", k+1, n)
			case n == 0:
				into = &c.Lemmas[k].Hints
			default:
				*into = append(*into, int32(n))
			}
		}
	}
	return c, f.complete()
}

func (f *clausalForm) complete() error {
	switch {
	case f.Clauses <= 0:
		return missing("clauses")
	case len(f.Lemmas) == 0:
		return missing("lemmas")
	}
	return nil
}
