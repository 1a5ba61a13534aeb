package jepsen

import (
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/history/internal/eventlog"
)

func init() {
	for _, f := range [...]history.Format{
		// Jepsen's events as JSON, a list or JSON Lines: {"type": "invoke", "f": "read"}
		{Name: "jepsen-json", Read: besideTest(eventlog.ReadJSONEvents)},
		// Jepsen and Knossos: {:process 0, :type :invoke, :f :read}, or a vector or list
		{Name: "edn", Read: besideTest(readEDN)},
		// Porcupine's key-value logs: the same with a :key in each event, and get, put and append
		{Name: "porcupine", Read: besideTest(readEDN)},
		// Jepsen's text logs: INFO  jepsen.util - 3 :invoke :cas [1 2]
		{Name: "jepsen", Read: besideTest(readJepsen)},
		// Jepsen's binary files: test.jepsen, test.fressian
		{Name: "fressian", Read: readFressian},
	} {
		history.RegisterFormat(f)
	}
}
