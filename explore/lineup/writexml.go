package lineup

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/linsat/linsat/explore"
)

// Observation files are those of the paper (section 4.2, Figure 7): histories are grouped by the
// operations and results of each thread. An addition to the paper is the <test> at the beginning:
// it lists all operations, including those that no serial run reached. If the object is not
// deterministic, <observationset> says deterministic="false".
//
//	<observationset>
//	  <test>
//	    <thread id="A">1 2</thread>
//	    <thread id="B">3 4</thread>
//	    <op id="1" name="Add">value="200"</op>
//	    ...
//	  </test>
//	  <observation>
//	    <thread id="A">1 2</thread>
//	    <thread id="B">3B</thread>
//	    <op id="1" name="Add">value="200"</op>
//	    <op id="2" name="TryTake">result="200"</op>
//	    <op id="3" name="Take" />
//	    <history>1[ ]1 2[ ]2 3[ #</history>
//	  </observation>
//	</observationset>
// Values are JSON, with words unquoted. An <op> contains attributes, which are escaped as
// attributes and once more as text.

// WriteXML writes the observations as an observation file.
func (o *Observations) WriteXML(w io.Writer) error {
	if len(o.nodes) == 0 {
		return errNothingObserved
	}
	if o.learns {
		return errors.New("lineup: a program has no fixed calls, which a file of observations lists")
	}
	b := bufio.NewWriter(w)
	if o.Nondeterministic {
		b.WriteString("<observationset deterministic=\"false\">\n")
	} else {
		b.WriteString("<observationset>\n")
	}
	if o.Complete {
		var all []step
		for t := range o.threads {
			for k := range o.threads[t].ops {
				all = append(all, step{thread: int32(t), index: int32(k)})
			}
		}
		b.WriteString("  <test>\n")
		newSection(o, all).write(b, "    ")
		b.WriteString("  </test>\n")
	}
	for _, s := range o.sections() {
		b.WriteString("  <observation>\n")
		s.write(b, "    ")
		for _, h := range s.histories {
			fmt.Fprintf(b, "    <history>%s</history>\n", h)
		}
		b.WriteString("  </observation>\n")
	}
	b.WriteString("</observationset>\n")
	return b.Flush()
}

// WriteFile writes an observation file with the given name.
func (o *Observations) WriteFile(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := o.WriteXML(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// section is a group of histories with the same operations and results of each thread.
type section struct {
	obs       *Observations
	threads   [][]step
	histories []string
}

// newSection sorts the steps of a history by thread.
func newSection(o *Observations, run []step) *section {
	s := &section{obs: o, threads: make([][]step, len(o.threads))}
	for _, st := range run {
		s.threads[st.thread] = append(s.threads[st.thread], st)
	}
	return s
}

// sections groups all histories, in the order in which each group first appears.
func (o *Observations) sections() []*section {
	var all []*section
	known := map[string]*section{}
	var key []byte
	o.each(func(run []step) {
		s := newSection(o, run)
		key = key[:0]
		for _, steps := range s.threads {
			key = binary.AppendUvarint(key, uint64(len(steps)))
			for _, st := range steps {
				key = binary.AppendVarint(key, int64(st.result))
				if st.stuck {
					key = append(key, '#')
				}
			}
		}
		first, ok := known[string(key)]
		if !ok {
			known[string(key)] = s
			all = append(all, s)
			first = s
		}
		first.histories = append(first.histories, serialText(run, first.ids()))
	})
	return all
}

// ids returns the number of the first operation of each thread; operations are numbered from 1, by
// thread.
func (s *section) ids() []int {
	ids := make([]int, len(s.threads))
	n := 1
	for t := range s.threads {
		ids[t] = n
		n += len(s.threads[t])
	}
	return ids
}

// write writes threads and operations.
func (s *section) write(b *bufio.Writer, indent string) {
	ids := s.ids()
	for t, steps := range s.threads {
		fmt.Fprintf(b, "%s<thread id=\"%s\">", indent, escape(s.obs.threads[t].name))
		for k, st := range steps {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(ids[t] + k))
			if st.stuck {
				b.WriteByte('B')
			}
		}
		b.WriteString("</thread>\n")
	}
	for t, steps := range s.threads {
		for k, st := range steps {
			op := s.obs.threads[t].ops[st.index]
			fmt.Fprintf(b, "%s<op id=\"%d\" name=\"%s\"", indent, ids[t]+k, escape(op.f))
			var inner []string
			for _, a := range []struct {
				name  string
				value int32
			}{{"value", op.arg}, {"result", st.result}} {
				if a.value != 0 {
					inner = append(inner, a.name+`="`+escape(format(s.obs.values.list[a.value]))+`"`)
				}
			}
			if len(inner) == 0 {
				b.WriteString(" />\n")
			} else {
				fmt.Fprintf(b, ">%s</op>\n", contents(strings.Join(inner, " ")))
			}
		}
	}
}

// serialText writes a serial history: "1[ ]1 2[ #".
func serialText(run []step, ids []int) string {
	words := make([]string, len(run))
	for i, st := range run {
		n := strconv.Itoa(ids[st.thread] + int(st.index))
		if words[i] = n + "[ ]" + n; st.stuck {
			words[i] = n + "[ #"
		}
	}
	return strings.Join(words, " ")
}

// concurrentText writes the history of an execution with the same signs.
func concurrentText(x *explore.Execution, id func(op int) int) string {
	at := make([]string, 2*len(x.Ops)+1)
	for i := range x.Ops {
		n := strconv.Itoa(id(i))
		at[x.Ops[i].Call] = n + "["
		if r := x.Ops[i].Return; r >= 0 {
			at[r] = "]" + n
		}
	}
	if x.Outcome == explore.Stuck {
		at[len(at)-1] = "#"
	}
	return strings.Join(strings.Fields(strings.Join(at, " ")), " ")
}

var (
	attributes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r",
		"&#13;", "\t", "&#9;")
	texts = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

func escape(s string) string   { return attributes.Replace(s) }
func contents(s string) string { return texts.Replace(s) }
