// Package rows holds answers about many histories, one JSON object a line: a header for each run,
// which says what was asked, and the answers (render.Object) with the hash of what they are about.
// Lines are only ever appended, each at once, so a file is valid up to its last whole line whenever
// a process dies. docs/ci.md describes the use.
package rows
