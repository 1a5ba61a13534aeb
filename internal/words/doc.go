// Package words describes results in words: Text writes one for a terminal, with the explanation of
// a violation in sentences; the other functions are shared with drawings, JSON and reports.
package words
