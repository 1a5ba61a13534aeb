// Package bench runs engines side by side over a corpus of recorded histories (linsat bench).
//
// Plan.Run measures contenders on files and keeps a Row for each pair, with machine and commit.
// WriteRows and ReadRows store rows as JSON Lines. Tables (NewReport) and charts (command
// bench/plot) are made from rows, never from the runs themselves. Runs ask for verdicts only,
// without explanations. Reading is not timed, and nothing else runs meanwhile.
package bench
