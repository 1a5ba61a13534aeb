package roundup

import (
	"strings"
	"testing"

	"github.com/linsat/linsat/explore"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDimension(t *testing.T) {
	for _, text := range []string{"4*4+0", "1*1+10", "2*3*4+5", "7+0"} {
		d, err := ParseDimension(text)
		require.NoError(t, err)
		assert.Equal(t, text, d.String())
	}
	d, err := ParseDimension("3*4+1")
	require.NoError(t, err)
	assert.Equal(t, Dimension{Threads: []int{3, 4}, Main: 1}, d)
	assert.Equal(t, 8, d.Calls())
	for _, text := range []string{"", "4*4", "4*4+", "+1", "a*1+0", "1*-1+0", "1*1+1+1"} {
		_, err := ParseDimension(text)
		assert.Error(t, err, text)
	}
}

// Generated tests have the dimension, are well-formed, insert different values, and are all of
// them: as many as there are patterns of the threads that main can complete, counting patterns of
// threads of one length without order.
func TestHarnesses(t *testing.T) {
	o := &explore.Object{}
	for dimension, want := range map[string]int{
		"1*1+10": 3, "2*2+0": 4, "2*2+4": 10, "4*4+0": 38, "1*2+1": 6, "1*1+2": 3, "1*1*1+1": 2, "1*1+1": 0, "3+1": 6,
		"12+0": 924, "21+1": 0,
	} {
		d, err := ParseDimension(dimension)
		require.NoError(t, err)
		list := Harnesses(o, Methods{"enq", "deq"}, d)
		assert.Len(t, list, want, dimension)
		seen := map[string]bool{}
		for _, c := range list {
			text := c.String()
			assert.False(t, seen[text], text)
			seen[text] = true
			assert.Equal(t, d, DimensionOf(c), text)
			assert.Equal(t, d.Calls()/2, strings.Count(text, "enq"), text)
			assert.Equal(t, d.Calls()/2, strings.Count(text, "deq"), text)
			for i := 1; i <= d.Calls()/2; i++ {
				assert.Equal(t, 1, strings.Count(text, explore.Call{F: "enq", Arg: i}.String()), text)
			}
			for _, call := range c.Before {
				assert.Equal(t, "enq", call.F, text)
			}
			for _, call := range c.After {
				assert.Equal(t, "deq", call.F, text)
			}
			if len(seen) > 100 {
				break
			}
		}
	}
	c := Methods{"enq", "deq"}.Test(o, "ii", []string{"i", "ir"}, "rrr")
	assert.Equal(t, "enq(1) enq(2); enq(3) | enq(4) deq(); deq() deq() deq()", c.String())
	assert.Panics(t, func() { Methods{"enq", "deq"}.Test(o, "x", nil, "") })
}
