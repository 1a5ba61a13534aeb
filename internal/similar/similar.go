// Package similar finds the name that a misspelled one was meant to be.
package similar

import "strings"

// most is how many letters of a long name may be wrong. More suggests names that were not meant,
// less misses some that were.
const most = 2

// Nearest returns the known name that a name most resembles, or "" if it resembles none: at most
// two letters differ, and fewer than half of the known name's. Case, blanks, hyphens and
// underscores do not count.
func Nearest(name string, known []string) string {
	plain := Plain(name)
	best, least := "", most+1
	for _, k := range known {
		p := Plain(k)
		if p == plain {
			return k
		}
		if d := Distance(plain, p); d < least && 2*d < len(p) {
			best, least = k, d
		}
	}
	return best
}

// Plain returns a name in lower case, without blanks, hyphens and underscores.
func Plain(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// Distance counts the letters that have to be inserted, left out or replaced to turn a into b
// (Levenshtein).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
