package history

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// magic reads enough of an input to tell how it is compressed, and then returns all of it.
type magic struct {
	first []byte
	in    io.Reader
}

func (m *magic) Read(p []byte) (int, error) {
	if len(m.first) > 0 {
		n := copy(p, m.first)
		m.first = m.first[n:]
		return n, nil
	}
	return m.in.Read(p)
}

// unpack decompresses gzip and zstd, recognised by their first bytes; other inputs pass through.
// The decompressed data may take at most limit bytes, if limit is not 0.
func unpack(in io.Reader, limit int64) (out io.Reader, done func(), err error) {
	first := make([]byte, 4)
	n, err := io.ReadFull(in, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, nil, &Error{What: "cannot read the input: " + err.Error()}
	}
	m := &magic{first: first[:n], in: in}
	switch {
	case n >= 2 && first[0] == 0x1f && first[1] == 0x8b:
		z, err := gzip.NewReader(m)
		if err != nil {
			return nil, nil, unpackError("gzip", err)
		}
		return &unpacked{in: z, kind: "gzip", limit: limit}, func() { z.Close() }, nil
	case n == 4 && first[0] == 0x28 && first[1] == 0xb5 && first[2] == 0x2f && first[3] == 0xfd:
		options := []zstd.DOption{zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)}
		if limit > 0 {
			options = append(options, zstd.WithDecoderMaxMemory(uint64(limit)))
		}
		z, err := zstd.NewReader(m, options...)
		if err != nil {
			return nil, nil, unpackError("zstd", err)
		}
		return &unpacked{in: z, kind: "zstd", limit: limit}, z.Close, nil
	}
	return m, func() {}, nil
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
		return 0, &Error{What: fmt.Sprintf("the %s data expands to more than the memory limit of %s", u.kind,
			formatBytes(u.limit)),
			Hint: "raise --memory if you expect this much data"}
	}
	if err != nil && err != io.EOF {
		err = unpackError(u.kind, err)
	}
	return n, err
}

func unpackError(kind string, err error) *Error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{What: fmt.Sprintf("the %s data is cut off", kind),
			Hint: "was the file written or copied completely?"}
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return &Error{What: "the zstd data needs more than the memory limit",
			Hint: "raise --memory if you expect this much data"}
	}
	return &Error{What: fmt.Sprintf("the %s data is damaged: %v", kind, err),
		Hint: "check the file with the tool that compressed it"}
}
