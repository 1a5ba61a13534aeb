package transactions

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Transactions as text, without times, of the checkers PolySI, Plume, IsoVista and AWDIT.
//
//	w(3,1,0,7)   plume: writes 1 to 3, in transaction 7 of session 0
//	r(3,1,2,-1)  the transaction with the number -1 failed: each of its accesses is one of its own
//
//	w 3 1        awdit: the accesses of a transaction, one a line,
//	---          a line of - after each transaction but the last of a session,
//	===          and one of = after each session
//
// Registers hold 0 at the start, in awdit null; but see sessions.go for the first transaction.

const (
	plumeHint = "a line reads w(key,value,session,transaction) or r(…), all of them numbers"
	awditHint = "a line reads w key value or r key value; --- ends a transaction, and === a session"
)

// plumeTxn names a transaction of a text: the numbers of its session and its own.
type plumeTxn struct{ session, number int64 }

// plumeAccess is a line of a text.
type plumeAccess struct {
	write         bool
	object, value int64
}

// readPlume collects the accesses of each transaction, which the lines of others may be between.
func readPlume(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	l := newSessionLog(b, true)
	places := map[plumeTxn]int{}
	var txns []plumeTxn
	var lines []int
	var accesses [][]plumeAccess
	count := 0
	err := s.EachLine(func(text []byte, line int) error {
		a, x, ok := plumeLine(string(text))
		if !ok {
			return &history.Error{Line: line, What: fmt.Sprintf("%q is no access of a transaction",
				lex.Abbreviate(string(text))),
				Hint: plumeHint}
		}
		if count++; s.Limit > 0 && int64(count)*lex.RecordBytes/2 > s.Limit {
			return lex.TooLarge(line, s.Limit)
		}
		k, met := places[x]
		if !met || x.number < 0 {
			k = len(txns)
			places[x] = k
			txns, lines, accesses = append(txns, x), append(lines, line), append(accesses, nil)
		}
		accesses[k] = append(accesses[k], a)
		return nil
	})
	if err != nil {
		return err
	}
	for k, x := range txns {
		for _, a := range accesses[k] {
			l.access(a.write, b.Values.Int(a.object), b.Values.Int(a.value))
		}
		r := history.Record{Process: b.ProcessInt(x.session), Line: lines[k]}
		if x.number < 0 {
			r.Failed = true
		}
		if err := l.end(r); err != nil {
			return err
		}
	}
	if !l.begins() {
		l.zero()
	}
	return nil
}

// plumeLine reads a line.
func plumeLine(text string) (a plumeAccess, x plumeTxn, ok bool) {
	inside, closed := strings.CutSuffix(text[1:], ")")
	inside, opened := strings.CutPrefix(inside, "(")
	fields := strings.Split(inside, ",")
	if !closed || !opened || len(fields) != 4 || text[0] != 'r' && text[0] != 'w' {
		return a, x, false
	}
	ok = true
	for k, to := range []*int64{&a.object, &a.value, &x.session, &x.number} {
		var err error
		*to, err = strconv.ParseInt(fields[k], 10, 64)
		ok = ok && err == nil
	}
	a.write = text[0] == 'w'
	return a, x, ok
}

// readAwdit reads the text of AWDIT's tests.
func readAwdit(b *history.Reading) error {
	l := newSessionLog(b, true)
	session, began := int64(0), 0 // the line that the transaction at hand began in, 0 if none did
	end := func() error {
		if began == 0 {
			return nil
		}
		r := history.Record{Process: b.ProcessInt(session), Line: began}
		began = 0
		return l.end(r)
	}
	err := lex.SourceOf(b.In).EachLine(func(text []byte, line int) error {
		switch {
		case len(bytes.Trim(text, "-")) == 0:
			return end()
		case len(bytes.Trim(text, "=")) == 0:
			err := end()
			session++
			return err
		default:
			fields := strings.Fields(string(text))
			if len(fields) != 3 || fields[0] != "r" && fields[0] != "w" {
				return &history.Error{Line: line, What: fmt.Sprintf("%q is no access of a transaction",
					lex.Abbreviate(string(text))), Hint: awditHint}
			}
			object, err := strconv.ParseInt(fields[1], 10, 64)
			if err != nil {
				return lex.NotInteger(fields[1], line)
			}
			value, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return lex.NotInteger(fields[2], line)
			}
			if began == 0 {
				began = line
			}
			l.access(fields[0] == "w", b.Values.Int(object), b.Values.Int(value))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	l.begins()
	return nil
}
