// Package words puts results into words: Text writes one for a terminal, with the explanation of a
// violation in sentences; the other functions are the words that drawings, JSON and reports share.
package words
