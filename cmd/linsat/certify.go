package main

import (
	"fmt"
	"io"
	"os"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/certify"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/report"
	"github.com/linsat/linsat/spec"
	"github.com/spf13/cobra"
)

func certifyCommand() *cobra.Command {
	s := &solver{}
	c := &cobra.Command{
		Use:   "certify HISTORY CERTIFICATE",
		Short: "judge a certificate that solve --certificate wrote, against the history alone",
		Long: `Reads HISTORY, splits it anew, and checks every claim of CERTIFICATE against it, without any engine or solver.
Flags that changed the question (--spec, --initial, --relax) must be given again: they belong to the question, and a certificate
is not believed about those. docs/certificates.md describes the format.

Exit code: 0 the certificate proves what it says, 1 it is refused, 2 something could not be read.`,
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
	f.StringVar(&s.spec, "spec", "", "specification that was judged by, where the history does not name it; wins over the file's")
	f.StringVar(&s.initial, "initial", "", "initial state as JSON; wins over the file's")
	f.StringVar(&s.relax, "relax", "", "relaxation by semantics that was asked about")
	s.reading(c)
	return c
}

// certify judges the certificate in one file against the history in another.
func (s *solver) certify(historyFile, certificateFile string) error {
	if s.relax != "" {
		var err error
		if s.relaxBy, err = spec.ParseSemantics(s.relax); err != nil {
			return err
		}
	}
	h, err := s.read(historyFile)
	if err != nil {
		return err
	}
	f, err := os.Open(certificateFile)
	if err != nil {
		return hinted{err, "check the name"}
	}
	defer f.Close()
	cert, err := certify.ReadCertificate(f)
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
	if err := certify.Judge(h, sp, cert); err != nil {
		escape.Fprintf(s.out, "%s: refused: %v\n", certificateFile, err)
		return exit(exitNo)
	}
	question := ""
	if cert.Quasi != nil {
		question = fmt.Sprintf(" at %s (%s)", cert.Quasi.Bounds, cert.Quasi.Meaning)
	}
	escape.Fprintf(s.out, "%s: valid: %s is %s%s (%s, %d operations)\n", certificateFile, historyFile, cert.Verdict, question, cert.Spec, len(h.Ops))
	return nil
}

// writeCertificate writes what --certificate asks for.
func (s *solver) writeCertificate(run *report.Run) error {
	if s.certificate == "" {
		return nil
	}
	cert, err := linsat.Certificate(run.History, &run.Result)
	if err != nil {
		return hinted{fmt.Errorf("%s: %w", run.File, err), "more time (--timeout) may find one; no file was written"}
	}
	return writeFile(s.certificate, func(w io.Writer) error { return certify.WriteCertificate(w, cert) })
}
