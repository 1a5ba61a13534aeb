package main

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/linsat/linsat/internal/engine"
)

// What is made besides the answer, certificates, timelines and pages, belongs to the time limit as
// well.

// leastToMake is the time that there always is for making something.
const leastToMake = 100 * time.Millisecond

// inTime calls do, and gives up waiting for it when the time is up. The error then says that what
// is called name was not written.
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
		return hinted{fmt.Errorf("the time limit is reached, and %s was not written", name), "the answer stands; give it more time with --timeout"}
	}
}

// writeInTime writes the named file: prepare makes what is to be written, and what it returns
// writes it. There is no file if the time is up before.
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
