package history

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/linsat/linsat/history/internal/lex"
	"github.com/linsat/linsat/internal/escape"
)

// ReadOptions configure Read. The zero value recognises everything.
type ReadOptions struct {
	Name   string // of the file, for messages
	Format string // name of the format, "" to recognise it
	// bytes that the history may take in memory, and that decompressed data may have; 0 for no
	// limit
	MemoryLimit int64
	// Keyed is when the values of Jepsen's events are tuples [key value]: "always", "never", or
	// "", if all calls have pairs and some pair can only be a tuple
	Keyed  string
	Strict bool // make the first warning an error
	// Progress, unless it is nil, is called with the number of bytes that were read so far, before
	// they are decompressed
	Progress func(bytes int64)
	// NilReads is the meaning of a completed read of nil: "unknown" (what it found is not known, as
	// for Knossos), "null" (it found null), or "": unknown in the formats of Jepsen, null in others
	NilReads string
	// Order is what orders Jepsen's events where they state a :time: "time", "file", or "": the
	// time, with a warning if a precedence differs from that of the file
	Order string
	// Columns are fields of a table and the names of their columns, "call=start_ns,f=method"; those
	// that it does not name are recognised by their names
	Columns string
	// Uncertainty is by how much every time may be wrong, in the unit of the input (SetUncertainty)
	Uncertainty int64

	path string // of the file, "" if there is none or it is one of several
	size int64  // of the file in bytes, 0 if it is not known
}

// Read reads one history. Gzip and zstd are decompressed, and the format is recognised unless opts
// names it. Bad input gives an *Error.
func Read(in io.Reader, opts ReadOptions) (*History, error) {
	if in == nil {
		return nil, &Error{File: opts.Name, What: "there is nothing to read from: the reader is nil"}
	}
	h, err := read(in, opts)
	if err != nil {
		return nil, inFile(err, opts.Name)
	}
	return h, nil
}

// inFile names the file in an error that names none.
func inFile(err error, file string) error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{What: err.Error()}
	}
	if e.File == "" {
		e.File = file
	}
	e.What = escape.Text(e.What)
	return e
}

// counted tells how many bytes were read.
type counted struct {
	in   io.Reader
	n    int64
	tell func(bytes int64)
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	c.tell(c.n)
	return n, err
}

// check refuses words that mean nothing.
func (o ReadOptions) check() error {
	switch o.NilReads {
	case "", nilUnknown, nilNull:
	default:
		return &Error{What: fmt.Sprintf("unknown meaning of nil reads %q", o.NilReads),
			Hint: "unknown (what the read found is not known, as for Knossos) or null (it found null)"}
	}
	switch o.Order {
	case "", "time", "file":
	default:
		return &Error{What: fmt.Sprintf("unknown order of events %q", o.Order),
			Hint: "time (events count by their :time) or file (by their place in the file)"}
	}
	if o.Columns != "" && o.Format != "" && o.Format != csvFormat {
		return &Error{What: "columns are named, but the format is " + o.Format, Hint: "only tables have columns (csv)"}
	}
	switch o.Keyed {
	case "", "always", "never":
		return nil
	}
	return &Error{What: fmt.Sprintf("Keyed is %q", o.Keyed), Hint: "always, never, or nothing to find out"}
}

func read(in io.Reader, opts ReadOptions) (*History, error) {
	b, format, err := build(in, opts)
	if err != nil {
		return nil, err
	}
	return b.finish(format, opts)
}

// build reads the records of a history, failed operations included, and returns the name of its
// format.
func build(in io.Reader, opts ReadOptions) (b *Builder, format string, err error) {
	if err := opts.check(); err != nil {
		return nil, "", err
	}
	if opts.Progress != nil {
		in = &counted{in: in, tell: opts.Progress}
	}
	plain, packed, done, err := unpack(in, opts.MemoryLimit)
	if err != nil {
		return nil, "", err
	}
	defer done()
	s := lex.NewSource(plain, opts.MemoryLimit)
	if !packed {
		s.Size = opts.size
	}
	if opts.Columns != "" {
		opts.Format = csvFormat
	}
	f, err := formatOf(s, opts.Format)
	if err != nil {
		return nil, "", err
	}
	b = NewBuilder()
	b.options = opts
	b.setMemoryLimit(opts.MemoryLimit)
	r := &Reading{Builder: b, In: s, Path: opts.path, Options: opts, Format: f.Name}
	if err := f.Read(r); err != nil {
		return nil, "", err
	}
	return b, r.Format, nil
}

// finish orders and validates what was read.
func (b *Builder) finish(format string, opts ReadOptions) (*History, error) {
	h, err := b.Finish()
	if err != nil {
		return nil, err
	}
	h.Source, h.Format, h.Test = opts.Name, format, b.test
	h.nilReads(opts.NilReads)
	if h.Completed() == 0 {
		h.Warnings = append(h.Warnings, nothingReturned(h))
	}
	for _, w := range h.Warnings {
		if w.File == "" {
			w.File = opts.Name
		}
	}
	if opts.Strict && len(h.Warnings) > 0 {
		return nil, h.Warnings[0]
	}
	return h, nil
}

// nothingReturned returns a warning about a history that every specification allows, or nil.
func nothingReturned(h *History) *Error {
	what := "there are no operations, so there is nothing to check"
	switch {
	case len(h.Ops) > 0:
		what = fmt.Sprintf("no operation returned (%d are pending), so there is nothing to check", len(h.Ops))
	case h.Failed > 0:
		what = fmt.Sprintf("no operation took effect (%d failed), so there is nothing to check", h.Failed)
	}
	return &Error{What: what,
		Hint: "a history in which nothing returned is linearizable whatever the object does; is this the right file, " +
			"recorded to the end?"}
}

// formatOf returns the format with that name, or recognises it if the name is "".
func formatOf(s *lex.Source, name string) (*Format, error) {
	head := s.Head()
	if s.Failed() && len(head) == 0 {
		return nil, s.Fault()
	}
	if strings.TrimSpace(string(head)) == "" && s.Err == io.EOF {
		return nil, errEmpty()
	}
	if strings.HasPrefix(string(head), "\xef\xbb\xbf") {
		s.Pos += 3
		head = head[3:]
	}
	if name != "" {
		return findFormat(name)
	}
	f, err := recognise(head)
	if err != nil && s.Failed() {
		return nil, s.Fault()
	}
	return f, err
}

// ReadFile reads the history in a file. Messages call it opts.Name if that is not empty.
func ReadFile(path string, opts ReadOptions) (*History, error) {
	if opts.Name == "" {
		opts.Name = path
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, openError(opts.Name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil {
		if info.IsDir() {
			if files := append(etcdReport(path), cobraLogs(path)...); len(files) > 0 {
				return ReadMerged(files, opts)
			}
			return nil, &Error{File: opts.Name, What: "is a directory", Hint: "name the files in it"}
		}
		opts.size = info.Size()
	}
	opts.path = path
	h, err := Read(f, opts)
	var e *Error
	if errors.As(err, &e) && slices.Contains(testOthers, lex.UnpackedName(path)) {
		e.Hint = "Jepsen stores no history in a file of this name: it is in history.edn or test.jepsen next to it"
	}
	return h, err
}

func openError(path string, err error) *Error {
	var e *os.PathError
	what := err.Error()
	if errors.As(err, &e) {
		what = e.Err.Error()
	}
	return &Error{File: path, What: "cannot open it: " + what, Hint: "check the path"}
}
