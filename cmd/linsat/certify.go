package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/render"
	"github.com/linsat/linsat/internal/specs"
	"github.com/linsat/linsat/internal/verify"
	"github.com/spf13/cobra"
)

func certifyCommand() *cobra.Command {
	s := &solver{}
	c := &cobra.Command{
		Use:   "certify HISTORY CERTIFICATE",
		Short: "verify a certificate that solve --certificate wrote, against the history alone",
		Long: `Reads HISTORY, splits it anew, and checks every claim of CERTIFICATE against it, without any engine or solver.
Flags that changed the question (--spec, --initial, --relax) must be given again: they are part of the question, and a certificate
is not trusted about the question. docs/certificates.md describes the format.

No certificate can keep it busy for long: the work is bounded by the sizes of certificate and history, and by --timeout and
--memory.

Exit code: 0 the certificate proves what it says, 1 it is refused, 2 something could not be read, 3 a limit was reached.`,
		Example: `  linsat solve --certificate h.cert h.json
  linsat certify h.json h.cert`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return hinted{fmt.Errorf("certify takes a history and a certificate, not %d files", len(args)), "`linsat certify HISTORY CERTIFICATE`"}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s.in, s.out, s.err = c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr()
			return s.certify(args[0], args[1])
		},
	}
	f := c.Flags()
	f.StringVar(&s.spec, "spec", "", "specification that was checked, if the history does not name it; replaces the file's")
	f.StringVar(&s.initial, "initial", "", "initial state as JSON, instead of the file's")
	f.StringVar(&s.relax, "relax", "", "semantic relaxation that was checked")
	s.memory = size(certifyMemory)
	f.DurationVar(&s.timeout, "timeout", certifyTimeout, "time limit, 0 for none")
	f.Var(&s.memory, "memory", "memory limit (500MB, 2GiB), 0 for none")
	s.reading(c)
	return c
}

// The default limits of certify: a certificate about a million operations needs a tenth of that.
const (
	certifyTimeout = time.Minute
	certifyMemory  = 4 << 30
)

// verify is verify.Verify within the limits; limited reports that one of them was reached.
func (s *solver) verify(h *history.History, sp model.Spec, cert *verify.Certificate) (refusal, limited error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if s.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, s.timeout)
		defer stop()
	}
	defer memory.Enforce(ctx, int64(s.memory), func() { cancel(engine.ErrMemory) })()
	done := make(chan error, 1)
	go func() { done <- verify.Verify(ctx, h, sp, cert) }()
	select {
	case refusal = <-done:
		if refusal == nil || ctx.Err() == nil {
			return refusal, nil
		}
	case <-ctx.Done():
	}
	if engine.CauseOf(ctx) == engine.Memory {
		return nil, hinted{errors.New("not verified: the memory limit was reached"), "give it more memory with --memory"}
	}
	return nil, hinted{fmt.Errorf("not verified: the time limit of %v was reached", s.timeout), "give it more time with --timeout"}
}

// certify verifies the certificate in one file against the history in another.
func (s *solver) certify(historyFile, certificateFile string) error {
	if s.relax != "" {
		var err error
		if s.relaxBy, err = specs.ParseSemanticRelaxation(s.relax); err != nil {
			return err
		}
	}
	if s.timeout < 0 {
		return hinted{errors.New("a limit cannot be negative"), "--timeout takes a time (10s, 500ms); 0 is no limit"}
	}
	defer memory.Limit(int64(s.memory))()
	h, err := s.read(historyFile)
	if err != nil {
		return err
	}
	f, err := os.Open(certificateFile)
	if err != nil {
		return hinted{err, "check the name"}
	}
	defer f.Close()
	cert, err := verify.ReadCertificate(f)
	if err != nil {
		return hinted{fmt.Errorf("%s: %w", certificateFile, err), "`linsat solve --certificate FILE` writes certificates"}
	}
	if s.spec == "" && h.Spec == "" {
		s.spec = cert.Spec
	}
	sp, err := s.specOf(h)
	if err != nil {
		return err
	}
	refusal, limited := s.verify(h, sp, cert)
	if limited != nil {
		complain(s.err, limited)
		return exit(exitUnknown)
	}
	if refusal != nil {
		escape.Fprintf(s.out, "%s: refused: %v\n", certificateFile, refusal)
		return exit(exitViolation)
	}
	question := ""
	if cert.Quasi != nil {
		question = fmt.Sprintf(" at %s (%s)", cert.Quasi.Bounds, cert.Quasi.Meaning)
	}
	escape.Fprintf(s.out, "%s: valid: %s is %s%s (%s, %d operations)\n", certificateFile, historyFile, cert.Verdict, question, cert.Spec, len(h.Ops))
	return nil
}

// writeCertificate writes what --certificate asks for.
func (s *solver) writeCertificate(run *render.Run) error {
	if s.certificate == "" {
		return nil
	}
	return s.writeInTime(s.certificate, func() (func(io.Writer) error, error) {
		cert, err := linsat.Certificate(run.History, &run.Result)
		if err != nil {
			return nil, hinted{fmt.Errorf("%s: %w", run.File, err), "more time (--timeout) may find one; no file was written"}
		}
		return func(w io.Writer) error { return verify.WriteCertificate(w, cert) }, nil
	})
}
