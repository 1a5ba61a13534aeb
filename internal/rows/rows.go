package rows

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"

	"github.com/linsat/linsat/internal/engine"
	"github.com/linsat/linsat/internal/escape"
	"github.com/linsat/linsat/internal/render"
)

// Header is the first line that a run writes.
type Header struct {
	Version int `json:"version"` // render.Version
	Rows    Run `json:"rows"`
}

// Run says what a run was asked.
type Run struct {
	Linsat string            `json:"linsat"` // its release
	Shard  string            `json:"shard,omitempty"`
	Files  int               `json:"files"`            // with those answered before
	Asked  map[string]string `json:"asked,omitempty"`  // flags of the question
	Limits map[string]string `json:"limits,omitempty"` // flags of how to answer it
}

// Row is an answer, and the run that gave it.
type Row struct {
	*render.Object
	Run *Run
}

// Decided reports whether the row has a verdict that stays whatever limits are set.
func (r Row) Decided() bool {
	return r.Verdict == engine.Linearizable.String() || r.Verdict == engine.NotLinearizable.String()
}

// Settled reports whether a run with these limits would find what the row says again: a verdict, or
// that these limits are too small.
func (r Row) Settled(limits map[string]string) bool {
	return r.Decided() || r.Verdict == engine.Unknown.String() && r.Run != nil && maps.Equal(r.Run.Limits, limits)
}

// Read reads rows. What follows the last line feed is a line that was not finished, and is left
// out. name is that of the file, for messages.
func Read(in io.Reader, name string) ([]Row, []*Run, error) {
	var all []Row
	var runs []*Run
	var last *Run
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return all, runs, nil
		}
		if err != nil {
			return nil, nil, err
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var either struct {
			render.Object
			Rows *Run `json:"rows"`
		}
		if err := json.Unmarshal(line, &either); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: this is not a row: %w", name, n, err)
		}
		switch {
		case either.Version != render.Version:
			return nil, nil, fmt.Errorf("%s:%d: this is not a row of version %d", name, n, render.Version)
		case either.Rows != nil:
			last = either.Rows
			runs = append(runs, last)
		case either.Verdict == "" || either.File == "":
			return nil, nil, fmt.Errorf("%s:%d: this row has no file or no verdict", name, n)
		default:
			all = append(all, Row{&either.Object, last})
		}
	}
}

// File is a file of rows that a run appends to.
type File struct {
	f     *os.File
	known map[identity]Row
}

// identity is what a row is about.
type identity struct{ file, hash string }

// Open opens a file of rows, or makes it, for a run. What the file holds must answer the same
// question. A line that was not finished is cut off.
func Open(name string, run Run) (*File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", name, reason(err))
	}
	file, err := open(f, name, run)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return file, nil
}

func open(f *os.File, name string, run Run) (*File, error) {
	content, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	all, runs, err := Read(bytes.NewReader(content), name)
	if err != nil {
		return nil, err
	}
	for _, earlier := range runs {
		switch {
		case !maps.Equal(earlier.Asked, run.Asked):
			return nil, fmt.Errorf("%s has answers to another question (%s, not %s)", name, Question(earlier.Asked),
				Question(run.Asked))
		case earlier.Shard != run.Shard:
			return nil, fmt.Errorf("%s has answers of another shard (%s, not %s)", name, orAll(earlier.Shard),
				orAll(run.Shard))
		}
	}
	whole := int64(bytes.LastIndexByte(content, '\n') + 1)
	if err := f.Truncate(whole); err != nil {
		return nil, err
	}
	if _, err := f.Seek(whole, io.SeekStart); err != nil {
		return nil, err
	}
	file := &File{f, map[identity]Row{}}
	for _, r := range all {
		file.known[identity{r.File, r.SHA256}] = r
	}
	return file, file.write(Header{render.Version, run})
}

// Known returns the row about a file with this hash that a run with these limits need not find
// again; false if there is none.
func (f *File) Known(file, hash string, limits map[string]string) (*render.Object, bool) {
	r, ok := f.known[identity{file, hash}]
	if !ok || !r.Settled(limits) {
		return nil, false
	}
	return r.Object, true
}

// Add appends an answer.
func (f *File) Add(o *render.Object) error { return f.write(o) }

func (f *File) write(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	_, err = f.f.Write(append(escape.JSON(line), '\n'))
	return err
}

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }

func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
