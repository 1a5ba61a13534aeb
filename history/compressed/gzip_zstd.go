package compressed

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

func init() { lex.Decompress = open }

// open decompresses gzip or zstd. The decompressed data may take at most limit bytes, if limit is
// not 0.
func open(kind string, in io.Reader, limit int64) (out io.Reader, done func(), err error) {
	if kind == "gzip" {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, unpackError("gzip", err)
		}
		return &unpacked{in: z, kind: "gzip", limit: limit}, func() { z.Close() }, nil
	}
	options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)}
	if limit > 0 {
		options = append(options, zstd.WithDecoderMaxMemory(uint64(limit)))
	}
	z, err := zstd.NewReader(in, options...)
	if err != nil {
		return nil, nil, unpackError("zstd", err)
	}
	return &unpacked{in: z, kind: "zstd", limit: limit}, z.Close, nil
}

// unpacked counts the bytes that a decompressor yields and translates its errors.
type unpacked struct {
	in    io.Reader
	kind  string
	limit int64
	count int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	u.count += int64(n)
	if u.limit > 0 && u.count > u.limit {
		return 0, &history.Error{What: fmt.Sprintf("the %s data expands to more than the memory limit of %s", u.kind,
			lex.FormatBytes(u.limit)),
			Hint: "raise --memory if you expect this much data"}
	}
	if err != nil && err != io.EOF {
		err = unpackError(u.kind, err)
	}
	return n, err
}

func unpackError(kind string, err error) *history.Error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &history.Error{What: fmt.Sprintf("the %s data is cut off", kind),
			Hint: "was the file written or copied completely?"}
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &history.Error{What: "the zstd data needs more than the memory limit",
			Hint: "raise --memory if you expect this much data"}
	}
	return &history.Error{What: fmt.Sprintf("the %s data is damaged: %v", kind, err),
		Hint: "check the file with the tool that compressed it"}
}
