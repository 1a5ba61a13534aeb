package history

import (
	"os"
	"path/filepath"
	"strings"
)

// What watches of etcd's robustness tests tell about requests of unknown outcome. A report has a
// watch.json for each client that watched:
//
//	{"Request": {"Key": "k"}, "Responses": [{"Events": [{"Type": "put-operation", "Key": "k",
//	  "Value": {"Value": "5"}, "Revision": 7}], "Revision": 7, "Time": 120}]}
//
// An event of a put that only one request makes shows that this request took effect, at that
// revision, and before the event came. So a request of unknown outcome returned then, with nothing
// but its revision. Times are of one clock, since clients and watches are of one process. Events
// say nothing else here: whether watches miss some is not a question of linearizability.

// etcdWatches lists the files with watches of the report that a file with operations belongs to.
func etcdWatches(file string) []string {
	if name := filepath.Base(filepath.Dir(file)); filepath.Base(file) != "operations.json" ||
		!strings.HasPrefix(name, "client-") {
		return nil
	}
	// the pattern is right, and that is the only error
	files, _ := filepath.Glob(filepath.Join(escapePattern(filepath.Dir(filepath.Dir(file))), "client-*", "watch.json"))
	return files
}

// escapePattern is a pattern that matches one path.
func escapePattern(path string) string {
	if filepath.Separator == '\\' { // where patterns have no escapes
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// etcdPut is a put as texts: key and value.
type etcdPut struct{ key, value string }

// etcdEvent is what is known of a put: its revision, and when an event of it came first.
type etcdEvent struct{ revision, time int64 }

// watched gives requests of unknown outcome the returns that watches show.
func (m *merging) watched(files []string) error {
	events := map[etcdPut]etcdEvent{}
	for _, file := range files {
		if err := readWatch(file, events); err != nil {
			return inFile(err, file)
		}
	}
	if len(events) == 0 {
		return nil
	}
	t := etcdValues{m.b.Values}
	made := map[etcdPut]int{}
	for i := range m.b.records {
		for _, p := range t.puts(&m.b.records[i]) {
			made[p]++
		}
	}
	for i := range m.b.records {
		r := &m.b.records[i]
		if !r.Pending {
			continue
		}
		for _, p := range t.puts(r) {
			if e, seen := events[p]; seen && made[p] == 1 {
				r.Pending, r.Return = false, max(r.Call, e.time)
				r.Result, r.NoResult = t.object("revision", e.revision), false
				r.Revision = &Revision{Chain: Nil, Number: e.revision}
				r.Process = m.b.twin(r.Process)
				break
			}
		}
	}
	return nil
}

// puts lists the puts of a request.
func (t etcdValues) puts(r *Record) (all []etcdPut) {
	put := func(v Value) { all = append(all, etcdPut{t.text(v, "key"), t.text(v, "value")}) }
	switch f, _ := t.AsString(r.F); f {
	case "put":
		put(r.Arg)
	case "txn":
		for _, branch := range [...]string{"then", "else"} {
			for _, step := range t.list(r.Arg, branch) {
				pair, _ := t.AsList(step)
				if f, _ := t.AsString(pair[0]); f == "put" {
					put(pair[1])
				}
			}
		}
	}
	return all
}

// readWatch notes the puts of a file with watches.
func readWatch(file string, events map[etcdPut]etcdEvent) error {
	f, err := os.Open(file)
	if err != nil {
		return openError(file, err)
	}
	defer f.Close()
	t := etcdValues{newValues()}
	l := &jsonLexer{source: newSource(f, 0), values: t.Values}
	return l.documentsOf("a watch", func() error {
		return l.object("a watch", func(name []byte) error {
			if string(name) != "Responses" {
				return l.ignore()
			}
			if c, err := l.token("Responses"); err != nil || c != '[' {
				return l.ignore() // null
			}
			return l.array("Responses", func() error {
				response, err := l.value()
				time := t.number(response, "Time")
				for _, v := range t.list(response, "Events") {
					if t.text(v, "Type") != "put-operation" {
						continue
					}
					value, _ := t.AsString(t.value(v, "Value"))
					put := etcdPut{t.text(v, "Key"), value}
					if e, seen := events[put]; !seen || time < e.time {
						events[put] = etcdEvent{t.number(v, "Revision"), time}
					}
				}
				return err
			})
		})
	})
}
