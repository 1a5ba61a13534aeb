package history

import (
	"fmt"
	"io"

	"github.com/linsat/linsat/history/internal/lex"
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
func unpack(in io.Reader, limit int64) (out io.Reader, packed bool, done func(), err error) {
	first := make([]byte, 4)
	n, err := io.ReadFull(in, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, false, nil, &Error{What: "cannot read the input: " + err.Error()}
	}
	m := &magic{first: first[:n], in: in}
	kind := ""
	switch {
	case n >= 2 && first[0] == 0x1f && first[1] == 0x8b:
		kind = "gzip"
	case n == 4 && first[0] == 0x28 && first[1] == 0xb5 && first[2] == 0x2f && first[3] == 0xfd:
		kind = "zstd"
	default:
		return m, false, func() {}, nil
	}
	if lex.Decompress == nil {
		return nil, true, nil, &Error{What: fmt.Sprintf("the input is compressed with %s, which this program does not read", kind),
			Hint: fmt.Sprintf("import _ %q, or %q for all formats", packagePath+"compressed", packagePath+"formats")}
	}
	out, done, err = lex.Decompress(kind, m, limit)
	return out, true, done, err
}
