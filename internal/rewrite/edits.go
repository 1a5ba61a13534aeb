package rewrite

import (
	"bytes"
	"sort"
)

// edit replaces source[from:to].
type edit struct {
	from, to int
	text     string
	place    place
	number   int // in the order in which edits were made
}

// place orders edits at one position.
type place uint8

const (
	after   place = iota // inserted behind what ends there; inner ones first
	before               // inserted in front of what begins there; outer ones first
	replace              // in place of what begins there
)

// edits are the changes of one file. Those of what stands inside of another thing are made first.
type edits struct {
	source []byte
	all    []edit
}

func (e *edits) insertBefore(at int, text string) { e.add(edit{at, at, text, before, 0}) }
func (e *edits) insertAfter(at int, text string)  { e.add(edit{at, at, text, after, 0}) }

// replace keeps the lines of what it replaces: the new text, and then as many ends of lines.
func (e *edits) replace(from, to int, text string) {
	e.add(edit{from, to, text + lines(e.source[from:to]), replace, 0})
}

func (e *edits) add(one edit) {
	one.number = len(e.all)
	e.all = append(e.all, one)
}

// lines returns the ends of lines in a text.
func lines(text []byte) string {
	return string(bytes.Repeat([]byte{'\n'}, bytes.Count(text, []byte{'\n'})))
}

// render returns source[from:to] with the edits in it, those at both ends included.
func (e *edits) render(from, to int) string {
	in := make([]edit, 0, len(e.all))
	for _, one := range e.all {
		if from <= one.from && one.to <= to {
			in = append(in, one)
		}
	}
	sort.Slice(in, func(i, j int) bool {
		a, b := in[i], in[j]
		switch {
		case a.from != b.from:
			return a.from < b.from
		case a.place != b.place:
			return a.place < b.place
		case a.place == before:
			return a.number > b.number
		case a.place == replace && a.to != b.to:
			return a.to > b.to // the outer one
		}
		return a.number < b.number
	})
	var out bytes.Buffer
	at := from
	for _, one := range in {
		if one.from < at {
			continue // inside of what was replaced
		}
		out.Write(e.source[at:one.from])
		out.WriteString(one.text)
		at = one.to
	}
	out.Write(e.source[at:to])
	return out.String()
}
