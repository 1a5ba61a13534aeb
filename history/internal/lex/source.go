package lex

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Errors about an input are those of package history, which sets these two: newError makes one, and
// asError returns the one that another error wraps, or nil.
var (
	NewError func(line int, what, hint string) error
	AsError  func(err error) error
)

// Decompress opens an input that is compressed with gzip or zstd. The package that reads these sets
// it.
var Decompress func(kind string, in io.Reader, limit int64) (out io.Reader, done func(), err error)

// Source passes the bytes of an input to the reader of a format, and counts lines. Everything is
// streamed: what a reader keeps counts towards the memory limit.
type Source struct {
	in      io.Reader
	Buf     []byte
	Pos     int // next byte in buf
	End     int
	Line    int   // 1-based line of the next byte
	Err     error // why there are no bytes past end, once that is known
	Limit   int64 // bytes one token may take, 0 for no limit
	Size    int64 // of the whole input, 0 if it is not known
	scratch []byte
}

// NewSource returns a source that reads an input. Not inlined: it has many callers.
//
//go:noinline
func NewSource(in io.Reader, limit int64) *Source {
	return &Source{in: in, Buf: make([]byte, firstBytes), Line: 1, Limit: limit}
}

// SourceOf returns the source that an input is, or one that reads it.
func SourceOf(in io.Reader) *Source {
	if s, is := in.(*Source); is {
		return s
	}
	return NewSource(in, 0)
}

// Read reads the bytes that follow. Lines are not counted.
func (s *Source) Read(p []byte) (int, error) {
	if s.Pos == s.End && !s.fill() {
		return 0, s.Err
	}
	n := copy(p, s.Buf[s.Pos:s.End])
	s.Pos += n
	return n, nil
}

// fill reads more once everything is consumed, and reports whether there is any.
func (s *Source) fill() bool {
	if s.Err != nil {
		return false
	}
	if s.End == len(s.Buf) && len(s.Buf) < sourceBytes {
		s.Buf = make([]byte, 4*len(s.Buf))
	}
	s.Pos, s.End = 0, 0
	return s.more()
}

// more appends to the buffer and reports whether anything came.
func (s *Source) more() bool {
	for idle := 0; s.Err == nil; idle++ {
		n, err := s.in.Read(s.Buf[s.End:])
		s.End += n
		if err != nil {
			s.Err = err
		} else if idle == 100 {
			s.Err = io.ErrNoProgress
		}
		if n > 0 {
			return true
		}
	}
	return false
}

// Head returns the beginning of the input without consuming it.
func (s *Source) Head() []byte {
	for s.End < recogniseBytes && s.more() {
		if s.End == len(s.Buf) && s.End < recogniseBytes {
			s.Buf = append(s.Buf, make([]byte, 3*len(s.Buf))...)
		}
	}
	return s.Buf[s.Pos:min(s.End, s.Pos+recogniseBytes)]
}

// Peek returns the next byte, or false at the end of the input.
func (s *Source) Peek() (byte, bool) {
	if s.Pos == s.End && !s.fill() {
		return 0, false
	}
	return s.Buf[s.Pos], true
}

// Skip consumes the byte that peek returned.
func (s *Source) Skip() {
	if s.Buf[s.Pos] == '\n' {
		s.Line++
	}
	s.Pos++
}

// Text consumes and returns the rest of the current line without its end, valid
// until the next call, or false at the end of the input.
func (s *Source) Text() (line []byte, ok bool, err error) {
	s.scratch = s.scratch[:0]
	for s.Pos < s.End || s.fill() {
		chunk := s.Buf[s.Pos:s.End]
		if n := bytes.IndexByte(chunk, '\n'); n >= 0 {
			s.Pos += n + 1
			s.Line++
			if len(s.scratch) == 0 {
				return trimReturn(chunk[:n]), true, nil
			}
			s.scratch = append(s.scratch, chunk[:n]...)
			return trimReturn(s.scratch), true, nil
		}
		if err := s.keep(chunk); err != nil {
			return nil, false, err
		}
		s.Pos = s.End
	}
	if s.Err != io.EOF {
		return nil, false, s.Fault()
	}
	return trimReturn(s.scratch), len(s.scratch) > 0, nil
}

// Rest consumes and returns the rest of the input.
func (s *Source) Rest() ([]byte, error) {
	all := append([]byte(nil), s.Buf[s.Pos:s.End]...)
	for s.Pos = s.End; s.fill(); s.Pos = s.End {
		if all = append(all, s.Buf[s.Pos:s.End]...); s.Limit > 0 && int64(len(all)) > s.Limit {
			return nil, TooLarge(0, s.Limit)
		}
	}
	if s.Failed() {
		return nil, s.Fault()
	}
	return all, nil
}

// Lines consumes and returns whole lines, about the given number of bytes, and the number of the
// first line; none at the end of the input. The caller owns the bytes, and may give those of
// another call back as room.
func (s *Source) Lines(about int, room []byte) (text []byte, line int, err error) {
	text = room[:0]
	if most := max(about, s.End-s.Pos); cap(text) < most {
		text = make([]byte, 0, most)
	}
	text = append(text, s.Buf[s.Pos:s.End]...)
	s.Pos, s.End = 0, 0
	idle := 0
	for searched := 0; ; {
		if n := bytes.LastIndexByte(text[searched:], '\n'); n >= 0 && len(text) >= about {
			return s.cut(text, searched+n+1)
		}
		if s.Err != nil {
			break
		}
		if len(text) >= about { // a line that is longer
			searched = len(text)
			if s.Limit > 0 && int64(len(text)) > s.Limit {
				return nil, 0, TooLarge(s.Line, s.Limit)
			}
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text))
		}
		n, err := s.in.Read(text[len(text):cap(text)])
		text, s.Err = text[:len(text)+n], err
		if idle++; n > 0 {
			idle = 0
		} else if idle == 100 && err == nil {
			s.Err = io.ErrNoProgress
		}
	}
	whole := bytes.LastIndexByte(text, '\n') + 1
	switch {
	case s.Err == io.EOF && s.Limit > 0 && int64(len(text)-whole) > s.Limit:
		return nil, 0, TooLarge(s.Line+bytes.Count(text[:whole], []byte{'\n'}), s.Limit)
	case s.Err == io.EOF:
		whole = len(text)
	case whole == 0:
		return nil, 0, s.Fault()
	}
	return s.cut(text, whole)
}

// cut puts back what follows the whole lines.
func (s *Source) cut(text []byte, whole int) ([]byte, int, error) {
	line := s.Line
	s.Unread(text[whole:], line+bytes.Count(text[:whole], []byte{'\n'}))
	return text[:whole], line, nil
}

// Block consumes and returns whole lines, about the given number of bytes. It returns nil and
// consumes nothing where less is left, or no line ends within them. The caller owns the bytes, and
// may give those of another call back as room.
func (s *Source) Block(about int, room []byte) []byte {
	if s.End-s.Pos < about {
		if most := about + about/4 + 1; len(s.Buf) < most {
			s.Buf = append(make([]byte, 0, most), s.Buf...)[:most]
		}
		s.End = copy(s.Buf, s.Buf[s.Pos:s.End])
		s.Pos = 0
		for s.End < about && s.more() {
		}
	}
	if s.End-s.Pos < about {
		return nil
	}
	whole := bytes.LastIndexByte(s.Buf[s.Pos:min(s.End, s.Pos+about+about/4)], '\n') + 1
	if whole == 0 {
		return nil
	}
	text := append(room[:0], s.Buf[s.Pos:s.Pos+whole]...)
	s.Line += bytes.Count(text, []byte{'\n'})
	s.Pos += whole
	return text
}

// Unread makes the text, from the given line on, what is read next, before what the input still
// has.
func (s *Source) Unread(text []byte, line int) {
	s.Buf = append(s.Buf[:0], text...)
	s.Pos, s.End, s.Line = 0, len(s.Buf), line
	s.Buf = s.Buf[:cap(s.Buf)]
}

func trimReturn(line []byte) []byte { return bytes.TrimSuffix(line, []byte{'\r'}) }

// keep adds to the scratch space, which the memory limit bounds.
func (s *Source) keep(b []byte) error {
	if s.Limit > 0 && int64(len(s.scratch)+len(b)) > s.Limit {
		return TooLarge(s.Line, s.Limit)
	}
	s.scratch = append(s.scratch, b...)
	return nil
}

// Truncated returns an error about an input that ends too early, or cannot be read further.
func (s *Source) Truncated(inside string) error {
	if s.Failed() {
		return s.Fault()
	}
	return NewError(s.Line, "the input ends inside "+inside,
		"the file was cut off; was it written or copied completely?")
}

// Failed reports whether the input ended because it could not be read further.
func (s *Source) Failed() bool { return s.Err != nil && s.Err != io.EOF }

// Fault returns the error that stopped the reading of the input.
func (s *Source) Fault() error {
	if e := AsError(s.Err); e != nil {
		return e
	}
	return NewError(s.Line, "cannot read the input: "+s.Err.Error(), "")
}

func TooLarge(line int, limit int64) error {
	return NewError(line, fmt.Sprintf("the history takes more than the memory limit of %s",
		FormatBytes(limit)),
		"raise --memory, or split the history")
}

// FormatBytes writes a number of bytes for people.
func FormatBytes(n int64) string {
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

func TooDeep(line int) error {
	return NewError(line, fmt.Sprintf("a value is nested more than %d deep", MaxDepth),
		"write such a value as a string")
}

// EachLine calls do with each line that is not blank, without the spaces around it, and its number.
func (s *Source) EachLine(do func(text []byte, line int) error) error {
	for {
		line := s.Line
		text, ok, err := s.Text()
		if err != nil || !ok {
			return err
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		if err := do(text, line); err != nil {
			return err
		}
	}
}
