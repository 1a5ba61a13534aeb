// Package history turns recorded histories of many formats into validated
// operations and their order, and back.
//
//	bytes ─► unpack ─► recognise ─► reader of the format ─► Builder ─► History ─► writer ─► bytes
//
// Past this package an operation holds small integers only: values are interned, and
// times are replaced by ranks such that a precedes b exactly when a.Return < b.Call. The
// package does not know what operations mean: names, arguments and results stay as the
// history spells them, and specifications judge them. docs/formats.md describes the formats.
//
//	history.go   operations and histories
//	values.go    the table of interned values
//	builder.go   collects and validates what a reader finds
//	order.go     times and explicit edges → ranks and the edges that ranks cannot say
//	room.go      where the texts and lists of values lie
//	radix.go     sorting by time
//	errors.go    bad input: place, what, hint
//
//	read.go       Read and ReadFile: unpack, recognise, read, validate
//	files.go      the histories in a directory
//	store.go      the files of a Jepsen test in it
//	compress.go   gzip and zstd, with a bound on what comes out
//	recognise.go  the formats and how they are told apart
//	source.go     bytes with line numbers, streamed
//	json_lex.go   streaming JSON with exact integers
//	json_atoms.go its strings and numbers
//	json.go       linsat's JSON and JSON Lines
//	parsevalue.go one value, as on a command line
//	edn_lex.go    EDN cut into forms
//	edn.go        Jepsen's, Knossos' and Porcupine's events in EDN
//	jepsen.go     Jepsen's text logs
//	jepsenfile.go Jepsen's binary files: blocks
//	fressian.go   the objects in them
//	fressian_atoms.go their numbers, texts and bytes
//	fressian_tags.go  what their tags stand for
//	testinfo.go   name and model of a Jepsen test
//	events.go     what Jepsen's events mean
//	keyed.go      keys inside their values
//	violin.go     call/return logs of Violin and LiMo
//	fastlin.go    fastlin's and PolyLin's lines
//	fptlin.go     FPTLin's lines
//	lowe.go       Lowe's logs of concurrent sets
//	json_shape.go  the formats that are JSON, told apart
//	json_events.go Jepsen's events as JSON
//	porcupine_json.go Porcupine's operations as JSON
//	fields.go     unknown fields and the names that were meant
//	nilreads.go   what a completed read of nil means
//
//	write.go     linsat's JSON and JSON Lines from a history
//	recorder.go  histories from Go tests
package history
