// Package wire is what linsat and linsat-wasm say to each other over pipes: messages of several
// parts, each a string of bytes.
//
// linsat-wasm greets with Greeting. linsat then sends {"load", module}, and the names of functions
// with their arguments. Each is answered by any number of {Print, text} and one of {OK, bytes…},
// {None} and {Wrong, reason}; "load" with the names of the functions that the module has.
package wire

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Greeting is the first message of linsat-wasm, and names the version of what follows.
const Greeting = "linsat-wasm 1"

// The first parts of answers.
const (
	OK    = "ok"
	None  = "none"
	Wrong = "wrong"
	Print = "print"
)

// Load is the first part of the request that a module be loaded.
const Load = "load"

// Write writes a message.
func Write(w *bufio.Writer, parts ...[]byte) error {
	var head [binary.MaxVarintLen64]byte
	number := func(n int) {
		_, _ = w.Write(head[:binary.PutUvarint(head[:], uint64(n))]) // Flush returns the error
	}
	number(len(parts))
	for _, p := range parts {
		number(len(p))
		_, _ = w.Write(p)
	}
	return w.Flush()
}

// Read reads a message. The error is io.EOF if there is none any more.
func Read(r *bufio.Reader) ([][]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n == 0 || n > mostParts {
		return nil, fmt.Errorf("a message has %d parts", n)
	}
	parts := make([][]byte, n)
	for i := range parts {
		size, err := binary.ReadUvarint(r)
		if err != nil {
			return nil, fmt.Errorf("a message ends too early: %w", io.ErrUnexpectedEOF)
		}
		if size > MostBytes {
			return nil, fmt.Errorf("a part of a message has %d bytes", size)
		}
		parts[i] = make([]byte, size)
		if _, err := io.ReadFull(r, parts[i]); err != nil {
			return nil, fmt.Errorf("a message ends too early: %w", io.ErrUnexpectedEOF)
		}
	}
	return parts, nil
}
