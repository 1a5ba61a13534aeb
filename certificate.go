package linsat

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/stale"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/spec"
)

// Certificate is an answer about a history together with its proof. Certify makes one from a
// result, WriteTo writes it as JSON and ReadCertificate reads it back (docs/certificates.md), and
// Verify checks it against the history and the question, without any engine.
type Certificate struct {
	inner *verify.Certificate
	reads *stale.Certificate // in its place, where the question is how old reads may be
}

// Certify returns the certificate of a result of Check about h. It is an error if the result is not
// certified.
func Certify(h *history.History, r *Result) (*Certificate, error) {
	if h == nil || r == nil {
		return nil, missing("Certify needs a history and a result, and one is nil")
	}
	full := r.whole()
	if !full.IsAbout(h) {
		return nil, errors.New("linsat: the result is about another history")
	}
	if full.OldReads != nil && full.Certified {
		return &Certificate{reads: full.OldReads}, nil
	}
	c, err := full.Certificate(h)
	if err != nil {
		return nil, err
	}
	return &Certificate{inner: c}, nil
}

// ReadCertificate reads what WriteTo writes. The error says what is malformed, that the certificate
// has another version and what to do about it, or is that of r.
func ReadCertificate(r io.Reader) (*Certificate, error) {
	if r == nil {
		return nil, missing("ReadCertificate needs a reader")
	}
	text := bufio.NewReader(r)
	if begin, _ := text.Peek(len(ofReads)); string(begin) == ofReads {
		c := &stale.Certificate{}
		if err := json.NewDecoder(text).Decode(c); err != nil {
			return nil, fmt.Errorf("the certificate is malformed: %w", err)
		}
		return &Certificate{reads: c}, nil
	}
	c, err := verify.ReadCertificate(text)
	if err != nil {
		return nil, err
	}
	return &Certificate{inner: c}, nil
}

// ofReads is how certificates about old reads begin.
const ofReads = `{"question":"late `

// WriteTo writes the certificate as JSON. It implements io.WriterTo.
func (c *Certificate) WriteTo(w io.Writer) (int64, error) {
	switch {
	case c == nil || c.inner == nil && c.reads == nil:
		return 0, errNoCertificate
	case w == nil:
		return 0, missing("WriteTo needs a writer")
	}
	n := &counted{w: w}
	if c.reads != nil {
		err := json.NewEncoder(n).Encode(c.reads)
		return n.n, err
	}
	err := verify.WriteCertificate(n, c.inner)
	return n.n, err
}

// counted counts what is written.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// Verdict is the answer that the certificate claims.
func (c *Certificate) Verdict() Verdict {
	switch {
	case c != nil && c.inner != nil:
		return c.inner.Verdict
	case c == nil || c.reads == nil:
		return engine.Unknown
	case c.reads.Core != nil:
		return engine.NotLinearizable
	}
	return engine.Linearizable
}

var errNoCertificate = missing("the certificate is nil; ReadCertificate reads one, Certify makes one")

// Refusal is the error of Verify for a certificate that does not prove its verdict for the
// question.
type Refusal struct {
	Why  string
	Hint string // what to do about it where the certificate answers another question, or ""
}

func (r *Refusal) Error() string { return "the certificate is refused: " + r.Why }

// Verify checks that a certificate proves its verdict about h for the question that the caller
// asks: the specification s, the initial state that h states, the option Quasi, and the option
// Partition if the certificate was made with it. It believes nothing that the certificate says
// about the question, and uses no engine. Timeout limits it; what it keeps in memory has fixed
// limits, beyond which a certificate is refused. Options about how Check works are ignored.
//
// It returns nil if the certificate is valid; a *Refusal if it is not, or if it answers another
// question; and another error if it could not find out: bad arguments, bad input, a specification
// whose code panics, or the cause for which ctx ended.
func Verify(ctx context.Context, s spec.Spec, h *history.History, c *Certificate, options ...Option) error {
	full, err := whole(s)
	if err != nil {
		return err
	}
	settings, err := configured(options)
	if err != nil {
		return err
	}
	switch {
	case ctx == nil:
		return errNoContext
	case settings.free != nil:
		return senseless(
			errors.New("linsat: Verify takes a factor with all bounds: the least bound that Check found, with Quasi"))
	case c == nil || c.inner == nil && c.reads == nil:
		return errNoCertificate
	}
	if err := engine.Contained(func() error { return settings.refuse(full, h) }); err != nil {
		return err
	}
	if settings.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, settings.timeout)
		defer stop()
	}
	about := &checking{config: settings, spec: full}
	if about.aboutReads() != (c.reads != nil) {
		return &Refusal{Why: "it is about another question", Hint: "give Verify the option Quasi that Check had"}
	}
	if c.reads != nil {
		return about.verifyOldReads(ctx, h, c.reads)
	}
	err = verify.Verify(ctx, h, verify.Question{Spec: full, Quasi: settings.quasi, Partition: settings.partitioning},
		c.inner)
	var refused *verify.Refusal
	if errors.As(err, &refused) {
		return &Refusal{Why: refused.Why, Hint: refused.Hint}
	}
	return err
}
