package linsat

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/verify"
)

// Verify checks that a certificate proves its verdict for h under s. It runs no engine: it splits
// the history itself, replays witnesses and checks arguments step by step. The error says what is
// wrong, or that ctx ended it; nil means that the verdict is proved.
func Verify(ctx context.Context, s model.Spec, h *history.History, c *verify.Certificate) error {
	if err := verify.Verify(ctx, h, s, c); err != nil {
		return fmt.Errorf("linsat: not verified: %w", err)
	}
	return nil
}

// WriteCertificate writes a certificate as JSON (docs/certificates.md).
func WriteCertificate(w io.Writer, c *verify.Certificate) error {
	if c == nil {
		return errors.New("linsat: the certificate is nil")
	}
	return verify.WriteCertificate(w, c)
}

// ReadCertificate reads what WriteCertificate writes. The error says what is malformed.
func ReadCertificate(r io.Reader) (*verify.Certificate, error) { return verify.ReadCertificate(r) }
