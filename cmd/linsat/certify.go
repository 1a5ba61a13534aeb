package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/internal/cli"
	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/explain"
	"github.com/linsat/linsat/internal/memory"
	"github.com/linsat/linsat/internal/result"
	"github.com/linsat/linsat/internal/verify"
	"github.com/linsat/linsat/internal/words"
	"github.com/spf13/cobra"
)

func certifyCommand() *cobra.Command {
	s := &solver{}
	c := &cobra.Command{
		Use:   "certify HISTORY CERTIFICATE",
		Short: "verify a certificate that solve --certificate wrote, against the history alone",
		Long: `Reads HISTORY, splits it anew, and checks every claim of CERTIFICATE against it, without any engine or solver.

The question is stated by the history and the flags, never by the certificate: --spec or what the history names (or what its operations
tell), --initial or what the history states, plain linearizability unless --quasi gives a factor. So flags of solve that change the question
must be given again. A certificate that answers another question is refused, and what is printed names the question that was verified.
docs/certificates.md describes the format.

No certificate can keep it busy for long: the work is bounded by the sizes of certificate and history, and by --timeout and
--memory.

Exit code: 0 the certificate proves what it says, 1 it is refused, 2 something could not be read, 3 a limit was reached.`,
		Example: `  linsat solve --certificate h.cert h.json
  linsat certify h.json h.cert
  linsat certify --quasi 2 h.json quasi.cert`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Hint(fmt.Errorf("certify takes a history and a certificate, not %d files", len(args)),
					"`linsat certify HISTORY CERTIFICATE`")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			s.streams(c)
			return s.certify(args[0], args[1])
		},
	}
	s.asking(c)
	f := c.Flags()
	s.memory = size(certifyMemory)
	f.DurationVar(&s.timeout, "timeout", patience, "time limit, 0 for none")
	f.Var(&s.memory, "memory", "memory limit (500MB, 2GiB), 0 for none")
	return c
}

// certify verifies the certificate in one file against the history in another.
func (s *solver) certify(historyFile, certificateFile string) error {
	if s.timeout < 0 {
		return cli.Hint(errors.New("a limit cannot be negative"), "--timeout takes a time (10s, 500ms); 0 is no limit")
	}
	if err := s.checkQuestion(); err != nil {
		return err
	}
	defer memory.Limit(int64(s.memory))()
	historyFile, err := s.one("certify", historyFile)
	if err != nil {
		return err
	}
	h, err := s.read(historyFile)
	if err != nil {
		if _, not := readCertificate(historyFile); not == nil {
			return cli.Hint(fmt.Errorf("%s is a certificate, not a history", historyFile),
				fmt.Sprintf("the history comes first: `linsat certify %s %s`", certificateFile, historyFile))
		}
		return err
	}
	if s.consistency != "" {
		return s.certifyIsolation(h, certificateFile)
	}
	sp, err := s.specOf(h)
	if err != nil {
		return err
	}
	if s.asksStale(sp) {
		return s.certifyStale(h, sp, certificateFile)
	}
	cert, err := readCertificate(certificateFile)
	if err != nil {
		return err
	}
	options := []linsat.Option{linsat.Partition(linsat.Partitioning(s.partition)), linsat.Timeout(s.timeout)}
	answer := result.Result{Verdict: cert.Verdict(), Spec: sp}
	if s.quasi != "" {
		q, err := s.quasiQuestion(sp)
		switch {
		case err != nil:
			return err
		case q.Free != nil:
			return cli.Hint(errors.New("certify takes a factor with all bounds, not min"),
				factorOf(certificateFile))
		}
		options, answer.Quasi = append(options, linsat.Quasi(q)), &q
	}
	ctx, release := s.bounded(context.Background())
	defer release()
	err = linsat.Verify(ctx, sp, h, cert, options...)
	var refused *linsat.Refusal
	switch {
	case err == nil:
		about := words.Count(len(h.Ops), "operation")
		if s.quasi == "" && s.relax == "" {
			about = "plain linearizability, " + about
		}
		escape.Fprintf(s.out, "%s: valid: %s is %s (%s, %s)\n", certificateFile, historyFile, words.Verdict(&answer),
			sp.Info().Name, about)
		return nil
	case errors.As(err, &refused):
		escape.Fprintf(s.out, "%s: refused: %v\n", certificateFile, refused.Why)
		if refused.Hint != "" {
			escape.Fprintf(s.out, "  %s\n", refused.Hint)
		}
		return cli.Exit(cli.Violation)
	case errors.Is(err, engine.ErrMemory):
		cli.Complain(s.err, cli.Hint(errors.New("not verified: the memory limit was reached"),
			"give it more memory with --memory"))
		return cli.Exit(cli.Unknown)
	case errors.Is(err, context.DeadlineExceeded):
		cli.Complain(s.err, cli.Hint(fmt.Errorf("not verified: the time limit of %v was reached", s.timeout),
			"give it more time with --timeout"))
		return cli.Exit(cli.Unknown)
	}
	return err
}

// readCertificate reads a certificate from a file.
func readCertificate(name string) (*linsat.Certificate, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.Hint(fmt.Errorf("%s: cannot open the certificate: %w", name, errors.Unwrap(err)),
			"check the path")
	}
	defer f.Close()
	c, err := linsat.ReadCertificate(f)
	if err != nil {
		return nil, cli.Hint(fmt.Errorf("%s: %w", name, err), "`linsat solve --certificate FILE` writes certificates")
	}
	return c, nil
}

// certifiable is the hint how to get a certificate where there is none.
func (s *solver) certifiable(run *words.Run) string {
	switch {
	case run.Result.Uncertified == explain.NotAsked && s.core == "none":
		return "leave out --core none"
	case run.Result.Cause == engine.Unsupported && s.engine != "auto":
		return "use --engine auto"
	case run.Result.Cause == engine.Steps:
		return "more steps (--steps) may find one"
	case run.Result.Cause == engine.Memory:
		return "more memory (--memory) may find one"
	}
	return "more time (--timeout) may find one"
}

// factorOf is the hint that names the factor of a certificate.
func factorOf(name string) string {
	hint := "give the bounds that solve found"
	f, err := os.Open(name)
	if err != nil {
		return hint
	}
	defer f.Close()
	switch c, err := verify.ReadCertificate(f); {
	case err == nil && c.Question.Quasi != nil:
		hint = "give those of the certificate: " + c.Question.Quasi.Flags()
	case err == nil:
		hint = "the certificate is about plain linearizability: leave out --quasi"
	}
	return hint
}

// writeCertificate writes what --certificate asks for.
func (s *solver) writeCertificate(run *words.Run) error {
	if s.certificate == "" {
		return nil
	}
	return s.writeInTime(s.certificate, func() (func(io.Writer) error, error) {
		cert, err := run.Result.Certificate(run.History)
		if err != nil {
			return nil, cli.Hint(fmt.Errorf("%s: %w", run.File, err), s.certifiable(run)+"; no file was written")
		}
		return func(w io.Writer) error { return verify.WriteCertificate(w, cert) }, nil
	})
}
