package explore

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzParseCase: what is read is written so that it reads the same.
func FuzzParseCase(f *testing.F) {
	for _, s := range []string{"push(1) pop|pop()", `a; b("x|;)") c([1,{"k":2}])|d`, ";b;d", "a()b", "f( null )",
		"é(\"\\u0000\")", "a|b;c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCase(treiberObject, text)
		if err != nil {
			return
		}
		again, err := ParseCase(treiberObject, c.String())
		require.NoError(t, err, "%q", c.String())
		assert.Equal(t, c, again)
	})
}

// FuzzParseSchedule: what is read is written so that it reads the same.
func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"0110", ":1(40):(36)z", " 0_1 ", "(2147483647)", ":", "(", "A", "01[10]", "["} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSchedule(text)
		if err != nil {
			return
		}
		again, err := ParseSchedule(s.String())
		require.NoError(t, err, "%q", s.String())
		assert.Equal(t, s, again)
	})
}
