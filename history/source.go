package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// source passes the bytes of an input to the reader of a format, and counts lines. Everything is
// streamed: what a reader keeps counts towards the memory limit.
type source struct {
	in      io.Reader
	buf     []byte
	pos     int // next byte in buf
	end     int
	line    int   // 1-based line of the next byte
	err     error // why there are no bytes past end, once that is known
	limit   int64 // bytes one token may take, 0 for no limit
	size    int64 // of the whole input, 0 if it is not known
	scratch []byte
}

func newSource(in io.Reader, limit int64) *source {
	return &source{in: in, buf: make([]byte, firstBytes), line: 1, limit: limit}
}

// fill reads more once everything is consumed, and reports whether there is any.
func (s *source) fill() bool {
	if s.err != nil {
		return false
	}
	if s.end == len(s.buf) && len(s.buf) < sourceBytes {
		s.buf = make([]byte, 4*len(s.buf))
	}
	s.pos, s.end = 0, 0
	return s.more()
}

// more appends to the buffer and reports whether anything came.
func (s *source) more() bool {
	for idle := 0; s.err == nil; idle++ {
		n, err := s.in.Read(s.buf[s.end:])
		s.end += n
		if err != nil {
			s.err = err
		} else if idle == 100 {
			s.err = io.ErrNoProgress
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// head returns the beginning of the input without consuming it.
func (s *source) head() []byte {
	for s.end < recogniseBytes && s.more() {
		if s.end == len(s.buf) && s.end < recogniseBytes {
			s.buf = append(s.buf, make([]byte, 3*len(s.buf))...)
		}
	}
	return s.buf[s.pos:min(s.end, s.pos+recogniseBytes)]
}

// peek returns the next byte, or false at the end of the input.
func (s *source) peek() (byte, bool) {
	if s.pos == s.end && !s.fill() {
		return 0, false
	}
	return s.buf[s.pos], true
}

// skip consumes the byte that peek returned.
func (s *source) skip() {
	if s.buf[s.pos] == '\n' {
		s.line++
	}
	s.pos++
}

// text consumes and returns the rest of the current line without its end, valid
// until the next call, or false at the end of the input.
func (s *source) text() (line []byte, ok bool, err error) {
	s.scratch = s.scratch[:0]
	for s.pos < s.end || s.fill() {
		chunk := s.buf[s.pos:s.end]
		if n := bytes.IndexByte(chunk, '\n'); n >= 0 {
			s.pos += n + 1
			s.line++
			if len(s.scratch) == 0 {
				return trimReturn(chunk[:n]), true, nil
			}
			s.scratch = append(s.scratch, chunk[:n]...)
			return trimReturn(s.scratch), true, nil
		}
		if err := s.keep(chunk); err != nil {
			return nil, false, err
		}
		s.pos = s.end
	}
	if s.err != io.EOF {
		return nil, false, s.fault()
	}
	return trimReturn(s.scratch), len(s.scratch) > 0, nil
}

// rest consumes and returns the rest of the input.
func (s *source) rest() ([]byte, error) {
	all := append([]byte(nil), s.buf[s.pos:s.end]...)
	for s.pos = s.end; s.fill(); s.pos = s.end {
		if all = append(all, s.buf[s.pos:s.end]...); s.limit > 0 && int64(len(all)) > s.limit {
			return nil, tooLarge(0, s.limit)
		}
	}
	if s.failed() {
		return nil, s.fault()
	}
	return all, nil
}

// lines consumes and returns whole lines, about the given number of bytes, and the number of the
// first line; none at the end of the input. The caller owns the bytes, and may give those of
// another call back as room.
func (s *source) lines(about int, room []byte) (text []byte, line int, err error) {
	text = room[:0]
	if most := max(about, s.end-s.pos); cap(text) < most {
		text = make([]byte, 0, most)
	}
	text = append(text, s.buf[s.pos:s.end]...)
	s.pos, s.end = 0, 0
	idle := 0
	for searched := 0; ; {
		if n := bytes.LastIndexByte(text[searched:], '\n'); n >= 0 && len(text) >= about {
			return s.cut(text, searched+n+1)
		}
		if s.err != nil {
			break
		}
		if len(text) >= about { // a line that is longer
			searched = len(text)
			if s.limit > 0 && int64(len(text)) > s.limit {
				return nil, 0, tooLarge(s.line, s.limit)
			}
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text))
		}
		n, err := s.in.Read(text[len(text):cap(text)])
		text, s.err = text[:len(text)+n], err
		if idle++; n > 0 {
			idle = 0
		} else if idle == 100 && err == nil {
			s.err = io.ErrNoProgress
		}
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	switch {
	case s.err == io.EOF && s.limit > 0 && int64(len(text)-whole) > s.limit:
		return nil, 0, tooLarge(s.line+bytes.Count(text[:whole], []byte{'\n'}), s.limit)
	case s.err == io.EOF:
		whole = len(text)
	case whole == 0:
		return nil, 0, s.fault()
	}
	return s.cut(text, whole)
}

// cut puts back what follows the whole lines.
func (s *source) cut(text []byte, whole int) ([]byte, int, error) {
	line := s.line
	s.unread(text[whole:], line+bytes.Count(text[:whole], []byte{'\n'}))
	return text[:whole], line, nil
}

// block consumes and returns whole lines, about the given number of bytes. It returns nil and
// consumes nothing where less is left, or no line ends within them. The caller owns the bytes, and
// may give those of another call back as room.
func (s *source) block(about int, room []byte) []byte {
	if s.end-s.pos < about {
		if most := about + about/4 + 1; len(s.buf) < most {
			s.buf = append(make([]byte, 0, most), s.buf...)[:most]
		}
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
		for s.end < about && s.more() {
		}
	}
	if s.end-s.pos < about {
		return nil
	}
	whole := bytes.LastIndexByte(s.buf[s.pos:min(s.end, s.pos+about+about/4)], '\n') + 1
	if whole == 0 {
		return nil
	}
	text := append(room[:0], s.buf[s.pos:s.pos+whole]...)
	s.line += bytes.Count(text, []byte{'\n'})
	s.pos += whole
	return text
}

// unread makes the text, from the given line on, what is read next, before what the input still
// has.
func (s *source) unread(text []byte, line int) {
	s.buf = append(s.buf[:0], text...)
	s.pos, s.end, s.line = 0, len(s.buf), line
	s.buf = s.buf[:cap(s.buf)]
}

func trimReturn(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// keep adds to the scratch space, which the memory limit bounds.
func (s *source) keep(b []byte) error {
	if s.limit > 0 && int64(len(s.scratch)+len(b)) > s.limit {
		return tooLarge(s.line, s.limit)
	}
	s.scratch = append(s.scratch, b...)
	return nil
}

// truncated returns an error about an input that ends too early, or cannot be read further.
func (s *source) truncated(inside string) error {
	if s.failed() {
		return s.fault()
	}
	return &Error{Line: s.line, What: "the input ends inside " + inside,
		Hint: "the file was cut off; was it written or copied completely?", syntax: true}
}

// failed reports whether the input ended because it could not be read further.
func (s *source) failed() bool { return s.err != nil && s.err != io.EOF }

// fault returns the error that stopped the reading of the input.
func (s *source) fault() error {
	var e *Error
	if errors.As(s.err, &e) {
		return e
	}
	return &Error{Line: s.line, What: "cannot read the input: " + s.err.Error()}
}

func tooLarge(line int, limit int64) *Error {
	return &Error{Line: line, What: fmt.Sprintf("the history takes more than the memory limit of %s",
		formatBytes(limit)),
		Hint: "raise --memory, or split the history"}
}

// formatBytes writes a number of bytes for people.
func formatBytes(n int64) string {
	units := [...]string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	u, f := 0, float64(n)
	for f >= 1024 && u+1 < len(units) {
		u, f = u+1, f/1024
	}
	if f == float64(int64(f)) {
		return fmt.Sprintf("%d %s", int64(f), units[u])
	}
	return fmt.Sprintf("%.1f %s", f, units[u])
}
