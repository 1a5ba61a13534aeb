package schedule

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Schedule is every decision of an execution in order: a thread that was picked as its number, the
// data choice v as -1-v. What follows Again, at most once, is repeated for ever.
type Schedule []int32

// Again is where a schedule begins to repeat itself.
const Again = math.MinInt32

// String writes the schedule as Replay and Parse read it: one base-36 digit per thread
// picked, a colon and one digit per data choice; numbers beyond 35 stand in parentheses, and what
// is repeated for ever in brackets.
func (s Schedule) String() string {
	var b strings.Builder
	closing := ""
	for _, d := range s {
		if d == Again {
			b.WriteByte('[')
			closing = "]"
			continue
		}
		if d < 0 {
			b.WriteByte(':')
			d = -1 - d
		}
		if d < 36 {
			b.WriteString(strconv.FormatInt(int64(d), 36))
		} else {
			fmt.Fprintf(&b, "(%d)", d)
		}
	}
	return b.String() + closing
}

// Parse reads what String writes. Spaces and underscores are skipped.
func Parse(text string) (Schedule, error) {
	var s Schedule
	choice, again := false, 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		var d int64
		switch {
		case c == ' ' || c == '_':
			continue
		case c == ':' && !choice:
			choice = true
			continue
		case c == '[' && !choice && again == 0:
			again = len(s) + 1
			s = append(s, Again)
			continue
		case c == ']' && !choice && 0 < again && again < len(s) && strings.Trim(text[i+1:], " _") == "":
			return s, nil
		case c == '(':
			end := strings.IndexByte(text[i:], ')')
			if end < 0 {
				return nil, fmt.Errorf("schedule %q: parenthesis at %d is not closed", text, i)
			}
			n, err := strconv.ParseUint(text[i+1:i+end], 10, 31)
			if err != nil {
				return nil, fmt.Errorf("schedule %q: no number in parentheses at %d", text, i)
			}
			d = int64(n)
			i += end
		default:
			n, err := strconv.ParseInt(text[i:i+1], 36, 32)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("schedule %q: no digit at %d", text, i)
			}
			d = n
		}
		if choice {
			d = -1 - d
		}
		choice = false
		s = append(s, int32(d))
	}
	if choice {
		return nil, fmt.Errorf("schedule %q ends after a colon", text)
	}
	if again > 0 {
		return nil, fmt.Errorf("schedule %q: the bracket is not closed", text)
	}
	return s, nil
}
