package transactions

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// Cobra's logs: a directory of T1.log, T2.log and so on, one for each session.
//
// Source: github.com/DBCobra/CobraVerifier, VeriLogger: after a letter numbers of 8 bytes, big
// endian.
//
//	S transaction                      it begins
//	W write, key, hash of the value    the number of a write is what it writes
//	R transaction, write, key, hash    reads what this write of this transaction wrote
//	C transaction                      it commits
//
// Histories of VeriStrong with values that repeat give all writes one number, and transactions
// that are read too; the hash is then what is written. Reads of the initial transaction, and of
// none, found null. A log ends where a transaction did not commit: its outcome is not known.
// Transactions have their numbers as ids.

const (
	cobraInitial = 0xbebeebee // of transactions and writes
	cobraNone    = 0xdeadbeef
	cobraAny     = 0xabddefee // any write: the hash is the value
	cobraHint    = "a log of Cobra holds the letters S, W, R and C, each with its numbers of 8 bytes"
)

// cobraNumbers are how many numbers follow each letter.
var cobraNumbers = map[byte]int{'S': 1, 'C': 1, 'W': 3, 'R': 4}

// cobraValue is what the write of a number and a hash writes.
func cobraValue(t *history.Values, write, hash uint64) history.Value {
	if write == cobraAny {
		write = hash
	}
	return t.Int(int64(write))
}

func readCobra(b *history.Reading) error {
	s := lex.SourceOf(b.In)
	l := newSessionLog(b, false)
	process := b.Process("T")
	t := b.Values
	transaction := uint64(0)
	open := false
	for {
		letter, more := s.Peek()
		if !more {
			break
		}
		s.Skip()
		count, known := cobraNumbers[letter]
		if !known || open == (letter == 'S') {
			return &history.Error{What: fmt.Sprintf("the letter %q after transaction %d", letter, transaction),
				Hint: cobraHint}
		}
		var numbers [4]uint64
		for k := range count {
			var bytes [8]byte
			for i := range bytes {
				c, ok := s.Peek()
				if !ok {
					e := s.Truncated("a log of Cobra").(*history.Error)
					e.Line = 0
					return e
				}
				bytes[i] = c
				s.Skip()
			}
			numbers[k] = binary.BigEndian.Uint64(bytes[:])
		}
		switch letter {
		case 'S':
			transaction, open = numbers[0], true
		case 'W':
			l.access(true, t.Int(int64(numbers[1])), cobraValue(t, numbers[0], numbers[2]))
		case 'R':
			value := history.Nil
			if w := numbers[1]; w != cobraInitial && w != cobraNone {
				value = cobraValue(t, w, numbers[3])
			}
			l.access(false, t.Int(int64(numbers[2])), value)
		case 'C':
			if numbers[0] != transaction {
				return &history.Error{What: fmt.Sprintf("transaction %d commits inside of %d", numbers[0], transaction),
					Hint: cobraHint}
			}
			open = false
			if err := l.end(history.Record{Process: process, ID: strconv.FormatUint(transaction, 10)}); err != nil {
				return err
			}
		}
	}
	if s.Failed() {
		return s.Fault()
	}
	if open {
		return l.end(history.Record{Process: process, ID: strconv.FormatUint(transaction, 10), Pending: true})
	}
	return nil
}
