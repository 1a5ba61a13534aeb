package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
)

// A --timeout that was given also covers what is written besides the answer: certificates,
// timelines and pages.

// inTime calls do, and stops waiting for it when the time is up. The error then says that the file
// called name was not written.
func (s *solver) inTime(name string, do func() error) error {
	if s.deadline.IsZero() {
		return do()
	}
	done := make(chan error, 1)
	engine.Go(do, func(err error) { done <- err })
	select {
	case err := <-done:
		return err
	case <-time.After(max(leastToMake, time.Until(s.deadline))):
		return cli.Hint(fmt.Errorf("the time limit is reached, and %s was not written", name),
			"the answer is valid; use a longer --timeout")
	}
}

// writeInTime writes the named file: prepare returns a function that writes the content. No file is
// written if the time is up before.
func (s *solver) writeInTime(name string, prepare func() (func(io.Writer) error, error)) error {
	var write func(io.Writer) error
	err := s.inTime(name, func() error {
		w, err := prepare()
		if err != nil {
			return err
		}
		if s.deadline.IsZero() {
			write = w
			return nil
		}
		buf := &bytes.Buffer{}
		write = func(out io.Writer) error { _, err := buf.WriteTo(out); return err }
		return w(buf)
	})
	if err != nil {
		return err
	}
	return writeFile(name, write)
}
