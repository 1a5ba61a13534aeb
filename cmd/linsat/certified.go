package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/picture"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/words"
)

// What solve and certify share about questions other than linearizability: levels of isolation,
// consistency of one object, old reads.

// said is an answer to such a question.
type said interface {
	exit() int
	text(w io.Writer, style words.Style) error
	json(w io.Writer) error
	picture() *picture.Picture
}

// say writes an answer, as text or JSON, and what is to be drawn of it.
func (s *solver) say(r said) (err error) {
	s.levels[r.exit()]++
	switch {
	case s.format == "json":
		err = r.json(s.out)
	case !s.screen.Quiet || r.exit() != cli.Linearizable:
		err = r.text(s.text, words.Style{Color: s.screen.Color})
	}
	if err == nil && s.drawings != nil {
		return s.drawings(r.picture)
	}
	if err == nil {
		err = s.draw(s.html, r.picture, render.HTML)
	}
	return err
}

// within is the context of an answer about a file, with the limits of time and memory, shown on a
// terminal, and what ends it.
func (s *solver) within(file string) (context.Context, func()) {
	ctx, stop := cli.Interruptible()
	ctx, unwatch := s.watched(ctx, file)
	cancel := func() {}
	if s.timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
	}
	ctx, release := s.bounded(ctx)
	return ctx, sync.OnceFunc(func() {
		unwatch()
		release()
		cancel()
		stop()
	})
}

// decodeCertificate reads a file into c, a certificate about something; hint says what writes such.
func decodeCertificate(file, about, hint string, c any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return cli.Hint(fmt.Errorf("%s: cannot open the certificate: %w", file, errors.Unwrap(err)), "check the path")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return cli.Hint(fmt.Errorf("%s: not a certificate about %s: %w", file, about, err), hint)
	}
	return nil
}

// refused says why a certificate is not accepted, and returns the exit code as an error: nil if it
// is accepted.
func (s *solver) refused(ctx context.Context, file string, why error) error {
	switch {
	case ctx.Err() != nil:
		cli.Complain(s.err, cli.Hint(fmt.Errorf("not verified: the time limit of %v was reached", s.timeout),
			"give it more time with --timeout"))
		return cli.Exit(cli.Unknown)
	case why != nil:
		escape.Fprintf(s.out, "%s: refused: %v\n", file, why)
		return cli.Exit(cli.Violation)
	}
	return nil
}
