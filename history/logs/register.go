package logs

import (
	"github.com/linsat/linsat/history"
)

func init() {
	for _, f := range [...]history.Format{
		// Porcupine's operations as JSON: {"ClientId": 0, "Input": {"Op": "put"}, "Call": 0}
		{Name: "porcupine-json", Read: readPorcupineJSON, Merged: mergedPorcupine},
		// traces of OpenTelemetry: {"resourceSpans": [{"scopeSpans": [{"spans": [...]}]}]}
		{Name: "otlp", Read: readOTLP},
		// call/return logs of Violin and LiMo: [3] call push(1), [3] return
		{Name: "violin", Read: readViolin},
		// fastlin's and PolyLin's lines: # queue, then method value call return
		{Name: "fastlin", Read: readFastlin},
		// tables with a header: process,f,arg,result,call,return
		{Name: "csv", Read: readCSV, Begins: csvBegins},
		// FPTLin's lines: # queue, then process start end METHOD value
		{Name: "fptlin", Read: readFptlin},
		// Lowe's logs: 2 invokes add 23, 2 returns true
		{Name: "lowe", Read: readLowe},
	} {
		history.RegisterFormat(f)
	}
}
