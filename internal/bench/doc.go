// Package bench runs engines side by side on recorded and generated histories (linsat bench).
//
// Plan.Run measures contenders on questions about histories and keeps a Row for each pair, with
// machine and commit. WriteRows and ReadRows store rows as JSON Lines. Tables (NewReport), charts
// (SVG, HTML) and comparisons (Since) are made from rows, never from the runs themselves. Reading
// is not timed, and nothing else runs meanwhile.
package bench
