package wasm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/linsat/linsat/internal/wasmspec/wire"
)

// Serve answers linsat, which asks for one module to be loaded and calls its functions, until there
// are no more questions.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if in == nil || out == nil {
		return errors.New("there is nothing to read questions from, or to write answers to")
	}
	r, w := bufio.NewReader(in), bufio.NewWriter(out)
	if err := wire.Write(w, []byte(wire.Greeting)); err != nil {
		return err
	}
	var m *Module
	print := func(text string) {
		_ = wire.Write(w, []byte(wire.Print), []byte(text)) // the answer fails as well
	}
	for {
		request, err := wire.Read(r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var answer [][]byte
		switch name := string(request[0]); {
		case name == wire.Load && len(request) == 2 && m == nil:
			if m, err = Load(ctx, request[1], print); err == nil {
				answer = [][]byte{[]byte(wire.OK)}
				for _, s := range signatures {
					if m.Has(s.name) {
						answer = append(answer, []byte(s.name))
					}
				}
			}
		case m == nil:
			err = errors.New("no module is loaded")
		default:
			var a Answer
			if a, err = m.asked(ctx, name, request[1:]); err == nil && a.None {
				answer = [][]byte{[]byte(wire.None)}
			} else if err == nil {
				answer = [][]byte{[]byte(wire.OK), a.Bytes}
			}
		}
		if err != nil {
			answer = [][]byte{[]byte(wire.Wrong), []byte(err.Error())}
		}
		if err := wire.Write(w, answer...); err != nil {
			return err
		}
	}
}

// asked calls a function that a specification has for linsat.
func (m *Module) asked(ctx context.Context, name string, args [][]byte) (Answer, error) {
	for _, s := range signatures {
		if s.name == name && s.asked && m.Has(name) && len(s.params) == 2*len(args) {
			return m.Call(ctx, name, args...)
		}
	}
	return Answer{}, fmt.Errorf("it has no function %s of %d arguments", name, len(args))
}
