package transactions

import (
	"fmt"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// dbcop's histories, history.bincode: sessions of transactions of reads and writes of numbers.
//
// Source: github.com/rnbguy/dbcop, db/history.rs, as bincode writes it: numbers of 8 bytes, little
// endian; a string or a list after its length; a boolean in one byte.
//
//	5 numbers       of the history, its nodes, variables, transactions and events
//	3 strings       what it is about, and when it began and ended
//	sessions        lists of transactions
//	transaction     a list of events, and whether it committed
//	event           whether it writes, the variable, the value, and whether it took effect
//
// Events that did not take effect are dropped. A transaction that did not commit failed. All
// variables hold 0 at the start. Transaction n of session s has the id "s.n".

const dbcopHint = "a history.bincode of dbcop holds its parameters, three strings and its sessions"

// dbcopReader reads binary data.
type dbcopReader struct {
	s   *lex.Source
	log *sessionLog
}

func readDbcop(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	r := dbcopReader{s, newSessionLog(b, false)}
	for range 5 {
		if _, err := r.number(); err != nil {
			return err
		}
	}
	for range 3 {
		n, err := r.number()
		for ; err == nil && n > 0; n-- {
			_, err = r.octet()
		}
		if err != nil {
			return err
		}
	}
	sessions, err := r.number()
	if err != nil {
		return err
	}
	for p := range sessions {
		txns, err := r.number()
		if err != nil {
			return err
		}
		for n := range txns {
			if err := r.transaction(p, n); err != nil {
				return err
			}
		}
	}
	if _, more := s.Peek(); more {
		return &history.Error{What: "there is something after the last session", Hint: dbcopHint}
	}
	if s.Failed() {
		return s.Fault()
	}
	r.log.zero()
	return nil
}

// transaction reads transaction n of session p.
func (r *dbcopReader) transaction(p, n uint64) error {
	t := r.log.b.Values
	id := fmt.Sprintf("%d.%d", p, n)
	events, err := r.number()
	if err != nil {
		return err
	}
	for range events {
		write, err := r.boolean(id)
		if err != nil {
			return err
		}
		object, err := r.number()
		if err != nil {
			return err
		}
		value, err := r.number()
		if err != nil {
			return err
		}
		effective, err := r.boolean(id)
		if err != nil {
			return err
		}
		if effective {
			r.log.access(write, t.Int(int64(object)), t.Int(int64(value)))
		}
	}
	committed, err := r.boolean(id)
	if err != nil {
		return err
	}
	x := history.Record{Process: r.log.b.ProcessInt(int64(p)), ID: id}
	if !committed {
		x.Failed = true
	}
	return r.log.end(x)
}

func (r *dbcopReader) octet() (byte, error) {
	c, ok := r.s.Peek()
	if !ok {
		e := r.s.Truncated("a history of dbcop").(*history.Error)
		e.Line = 0
		return 0, e
	}
	r.s.Skip()
	return c, nil
}

func (r *dbcopReader) number() (n uint64, err error) {
	for k := 0; k < 64 && err == nil; k += 8 {
		var c byte
		c, err = r.octet()
		n |= uint64(c) << k
	}
	return n, err
}

func (r *dbcopReader) boolean(transaction string) (bool, error) {
	c, err := r.octet()
	if err == nil && c > 1 {
		err = &history.Error{What: fmt.Sprintf("transaction %s has the byte %d where 0 or 1 belongs", transaction, c),
			Hint: dbcopHint}
	}
	return c == 1, err
}
