// Package history reads recorded histories in many formats, validates them, and writes them back.
//
//	bytes ─► unpack ─► recognise ─► Format ─► Builder ─► History ─► writer ─► bytes
//
// The operations of a History hold small integers only: values are interned, and times are replaced
// by ranks such that a precedes b exactly when a.Return < b.Call. Explicit order that ranks cannot
// express is kept as edges. The package does not know what operations mean: names, arguments and
// results stay as the history spells them, and specifications interpret them.
//
// Read and ReadFile read an input, and a Recorder records a Go test. linsat's own formats (json and
// jsonl) are read as they are, and others once their package is imported:
//
//	import _ "github.com/linsat/linsat/history/formats" // all, and compressed inputs
//
// Packages jepsen, logs, transactions and compressed below this one are parts of it. RegisterFormat
// adds a format of one's own. Bad input gives an *Error with file, line, what is wrong and what to
// do. docs/formats.md describes the formats.
package history
