package jepsen

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
)

// A stored Jepsen test has, besides its history, a name and a model with the initial state. Jepsen
// stores a test as test.jepsen or test.fressian, and some users as test.edn.

// testInfo is what is known of a test.
type testInfo struct {
	name  string // "" if unknown
	spec  string // of its model or workload, "" if unknown
	value string // the initial value of that in EDN, "" if unknown
}

// models are the models of Knossos that have an initial state, each with the beginning of its EDN
// up to the value, and its specification.
var models = []struct{ begin, spec string }{
	{"#knossos.model.Register {:value ", "register"},
	{"#knossos.model.CASRegister {:value ", "cas-register"},
}

// queues are the models of Knossos that start empty.
var queues = []struct{ begin, spec string }{
	{"#knossos.model.UnorderedQueue", "unordered-queue"},
	{"#knossos.model.FIFOQueue", "queue"},
}

// readTestInfo reads the map that is the test, in EDN, as far as it can be read.
func readTestInfo(in io.Reader) testInfo {
	var info testInfo
	l := newEDNLexer(lex.NewSource(in, 1<<20), history.NewBuilder().Values)
	c, _, ok, err := l.space()
	if err != nil || !ok || c != '{' {
		return info
	}
	l.Skip()
	for {
		c, hash, ok, err := l.space()
		if err != nil || !ok || c == '}' && !hash {
			return info
		}
		l.text = l.text[:0]
		if l.rest(c, hash, true) != nil {
			return info
		}
		key := string(l.text)
		l.text = l.text[:0]
		if l.form(key == ":name" || key == ":model" || key == ":workload") != nil {
			return info
		}
		switch key {
		case ":name":
			if v, err := l.decode(l.text, 0); err == nil {
				info.name, _ = l.values.AsString(v)
			}
		case ":workload":
			for _, name := range []string{"total-queue", "unordered-queue"} {
				if info.spec == "" && bytes.Contains(l.text, []byte(name)) {
					info.spec = "unordered-queue"
				}
			}
		case ":model":
			for _, m := range queues {
				if bytes.HasPrefix(l.text, []byte(m.begin)) {
					info.spec = m.spec
				}
			}
			for _, m := range models {
				if value, ok := bytes.CutPrefix(l.text, []byte(m.begin)); ok {
					info.spec, info.value = m.spec, string(bytes.TrimSuffix(value, []byte("}")))
				}
			}
		}
	}
}

// merge fills in from other what info lacks.
func (info *testInfo) merge(other testInfo) {
	if info.name == "" {
		info.name = other.name
	}
	if info.spec == "" {
		info.spec, info.value = other.spec, other.value
	}
}

// beside reads name and model of the test whose history lies in the file: from test.edn or
// test.jepsen next to it. A file that cannot be read is ignored.
func beside(path string) testInfo {
	var info testInfo
	if !slices.Contains([]string{"history.edn", "history.txt", "jepsen.log"}, lex.UnpackedName(path)) {
		return info
	}
	for _, name := range [...]string{"test.edn", "test.jepsen"} {
		f, err := os.Open(filepath.Join(filepath.Dir(path), name))
		if err != nil {
			continue
		}
		if size, err := f.Seek(0, io.SeekEnd); name == "test.edn" {
			if _, err := f.Seek(0, io.SeekStart); err == nil {
				info.merge(readTestInfo(f))
			}
		} else if t, bad := openTest(f, size, 1<<24); err == nil && bad == nil {
			info.merge(t.about)
		}
		f.Close()
	}
	return info
}

// apply passes what is known of the test to the builder: its model or workload identifies the
// specification better than the names of the functions do.
func (info testInfo) apply(b *history.Reading) error {
	if info.name != "" {
		b.SetTest(info.name)
	}
	if info.spec == "" {
		return nil
	}
	b.SetSpec(info.spec)
	if info.value == "" {
		return nil
	}
	l := newEDNLexer(lex.NewSource(strings.NewReader(""), 0), b.Values)
	v, err := l.decode([]byte(info.value), 0)
	if err != nil {
		return err
	}
	b.SetInitial(v)
	return nil
}

// besideTest makes a reader apply what files beside the input say of the test.
func besideTest(read func(b *history.Reading) error) func(b *history.Reading) error {
	return func(b *history.Reading) error {
		if err := read(b); err != nil {
			return err
		}
		return beside(b.Path).apply(b)
	}
}
