package history

// Merging: a history of which each thread or process wrote a file.
//
// What: the files become the records of one builder, which then orders them as it orders those of
// one file. They are put together before failed operations are dropped, since order may lead
// through these, and before times become ranks, since times of several files are comparable only
// as the files state them.
//
// How: values, names of processes, positions in "order" and chains of revisions are translated
// from the table of each file to that of the whole. A process of the same name in several files is
// one process. Operations without an id are named by file and position, since a position alone
// says nothing any more.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// withClocks are the formats that state times which files of one clock share. Others number events
// or times within a file.
var withClocks = []string{"json", "jsonl", porcupineJSON, csvFormat}

// ReadMerged reads files as parts of one history, for instance one of each thread, whose times are
// of one clock. The parts name the same specification and the same initial state, or none.
// Messages call the whole opts.Name.
func ReadMerged(files []string, opts ReadOptions) (*History, error) {
	if len(files) == 0 {
		return nil, &Error{File: opts.Name, What: "no files to merge"}
	}
	whole := merging{b: NewBuilder(), names: partNames(files)}
	whole.b.options = opts
	whole.b.setMemoryLimit(opts.MemoryLimit)
	reading := newAhead(files, opts)
	defer reading.close()
	format := ""
	for k, file := range files {
		p := reading.part(k)
		part, is, err := p.b, p.format, p.err
		if err == nil && is == cobraFormat && (format == "" || format == cobraFormat) {
			whole.b.untimed = true
		} else if err == nil && (!slices.Contains(withClocks, is) || part.counting) {
			err = &Error{What: "the format " + is +
				" does not state times that could be compared with those of other files",
				Hint: "write each file as jsonl, with times of one clock"}
		}
		if err == nil && format != "" && (is == porcupineJSON) != (format == porcupineJSON) {
			err = &Error{What: "the format is " + is + ", and that of another file is " + format,
				Hint: "the files of one history have one format"}
		}
		if err == nil && k > 0 && part.unit != whole.b.unit {
			err = &Error{What: "its times are not written as those of another file",
				Hint: "times of one history are of one clock: all integers, all decimal fractions or all dates"}
		}
		if err == nil {
			format, whole.b.unit = is, part.unit
			err = whole.add(part, is, k)
		}
		if err != nil {
			return nil, inFile(err, file)
		}
	}
	if f, err := findFormat(format); err == nil && f.Merged != nil {
		if err := f.Merged(&Reading{Builder: whole.b, Options: opts, Format: format}, files); err != nil {
			return nil, inFile(err, opts.Name)
		}
	}
	h, err := whole.b.finish(format, opts)
	if err != nil {
		return nil, inFile(err, opts.Name)
	}
	return h, nil
}

// buildFile reads the records of a file.
func buildFile(path string, opts ReadOptions) (*Builder, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", openError(opts.Name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, "", &Error{What: "is a directory", Hint: "name the files in it"}
	}
	return build(f, opts)
}

// partNames are short names of the files, in messages: without directories where these tell
// nothing apart.
func partNames(files []string) []string {
	names := make([]string, len(files))
	seen := map[string]bool{}
	for k, file := range files {
		names[k] = filepath.Base(file)
		if seen[names[k]] {
			return files
		}
		seen[names[k]] = true
	}
	return names
}

// merging is a history that is put together.
type merging struct {
	b       *Builder
	names   []string
	initial string // the text of the initial state, once a part states it
}

// add adds the part with number k.
func (m *merging) add(part *Builder, format string, k int) error {
	b := m.b
	as := b.Values.adoptSome(part.Values, part.mentioned())
	if err := m.agree(part, format, as); err != nil {
		return err
	}
	processes := make([]int32, len(part.processes))
	for p, name := range part.processes {
		if format == cobraFormat {
			name = strings.TrimSuffix(m.names[k], ".log")
		}
		processes[p] = b.Process(name)
	}
	base := len(b.records)
	for i, r := range part.records {
		r.Process = processes[r.Process]
		r.F, r.Arg, r.Result = as[r.F], as[r.Arg], as[r.Result]
		if r.Key != NoKey {
			r.Key = as[r.Key]
		}
		if r.Revision != nil {
			r.Revision = &Revision{Chain: as[r.Revision.Chain], Number: r.Revision.Number}
		}
		if r.ID == "" {
			r.ID = fmt.Sprintf("%s:%d", m.names[k], i)
		}
		if _, err := b.Add(r); err != nil {
			return err
		}
		b.records[base+i].Line = 0 // of a file, and the whole has none
	}
	for i, by := range part.expiries {
		if err := b.Expire(base+int(i), by); err != nil {
			return err
		}
	}
	for _, e := range part.edges {
		if err := b.Edge(base+int(e.before), base+int(e.after), 0); err != nil {
			return err
		}
	}
	for _, n := range part.notes {
		b.Annotate(n)
	}
	for _, w := range part.warnings {
		w.File = part.options.Name
		b.warnings = append(b.warnings, w)
	}
	return nil
}

// mentioned marks the values that records and the initial state name, and what these are made of.
func (b *Builder) mentioned() []bool {
	marked := make([]bool, b.Values.Len())
	for i := range b.records {
		r := &b.records[i]
		marked[r.F], marked[r.Arg], marked[r.Result] = true, true, true
		if r.Key != NoKey {
			marked[r.Key] = true
		}
		if r.Revision != nil {
			marked[r.Revision.Chain] = true
		}
	}
	if b.initial != nil {
		marked[*b.initial] = true
	}
	return marked
}

// agree takes over the specification and the initial state of a part.
func (m *merging) agree(part *Builder, format string, as []Value) error {
	const hint = "the files must be parts of one history"
	b := m.b
	if part.spec != "" {
		if b.spec != "" && b.spec != part.spec {
			return &Error{What: fmt.Sprintf("its specification is %s, and that of another file is %s", part.spec,
				b.spec), Hint: hint}
		}
		b.SetSpec(part.spec)
	}
	if part.initial == nil || format == porcupineJSON { // which follows from the operations of all
		return nil
	}
	text := part.Values.Format(*part.initial)
	if b.initial != nil && text != m.initial {
		return &Error{What: "its initial state is " + text + ", and that of another file is " + m.initial, Hint: hint}
	}
	m.initial = text
	b.SetInitial(as[*part.initial])
	return nil
}
