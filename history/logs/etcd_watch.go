package logs

import (
	"errors"
	"os"

	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/lex"
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

// etcdPut is a put as texts: key and value.
type etcdPut struct{ key, value string }

// etcdEvent is what is known of a put: its revision, and when an event of it came first.
type etcdEvent struct{ revision, time int64 }

// watched gives requests of unknown outcome the returns that watches show.
func watched(b *history.Reading, files []string) error {
	events := map[etcdPut]etcdEvent{}
	for _, file := range files {
		if err := readWatch(file, events); err != nil {
			return fileError(file, err)
		}
	}
	if len(events) == 0 {
		return nil
	}
	t := etcdValues{b.Values}
	made := map[etcdPut]int{}
	for i := range b.Records() {
		for _, p := range t.puts(&b.Records()[i]) {
			made[p]++
		}
	}
	for i := range b.Records() {
		r := &b.Records()[i]
		if !r.Pending {
			continue
		}
		for _, p := range t.puts(r) {
			if e, seen := events[p]; seen && made[p] == 1 {
				r.Pending, r.Return = false, max(r.Call, e.time)
				r.Result, r.NoResult = t.object("revision", e.revision), false
				r.Revision = &history.Revision{Chain: history.Nil, Number: e.revision}
				r.Process = b.Twin(r.Process)
				break
			}
		}
	}
	return nil
}

// fileError names the file in an error.
func fileError(file string, err error) error {
	var e *history.Error
	if !errors.As(err, &e) {
		e = &history.Error{What: "cannot read it: " + err.Error()}
	}
	e.File = file
	return e
}

// puts lists the puts of a request.
func (t etcdValues) puts(r *history.Record) (all []etcdPut) {
	put := func(v history.Value) { all = append(all, etcdPut{t.text(v, "key"), t.text(v, "value")}) }
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
		return err
	}
	defer f.Close()
	t := etcdValues{history.NewBuilder().Values}
	l := lex.NewJSON[history.Value](lex.NewSource(f, 0), t.Values, false)
	return l.DocumentsOf("a watch", func() error {
		return l.Object("a watch", func(name []byte) error {
			if string(name) != "Responses" {
				return l.Ignore()
			}
			if c, err := l.Token("Responses"); err != nil || c != '[' {
				return l.Ignore() // null
			}
			return l.Array("Responses", func() error {
				response, err := l.Value()
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
