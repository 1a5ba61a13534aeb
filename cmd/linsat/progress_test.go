//go:build !wasip1 && !js

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		now         phase
		done, steps int64
		took        time.Duration
		want        string
	}{
		{phase{"reading", 200e6, true}, 50e6, 0, 2 * time.Second, "reading [======                  ] 50.0 MB of 200.0 MB, 25.0 MB/s, 6s left"},
		{phase{"reading", 0, true}, 50e6, 0, 2 * time.Second, "reading, 2.00 s, 50.0 MB"},
		{phase{"judging partitions", 3000, false}, 0, 7, time.Second, "judging partitions [                        ] 0 of 3000, 0/s"},
		{phase{"judging partitions", 3000, false}, 2999, 7, time.Hour, "judging partitions [======================= ] 2999 of 3000, 1/s, 1s left"},
		{phase{"judging partitions", 3000, false}, 3000, 7, time.Hour, "judging partitions [========================] 3000 of 3000, 1/s"},
		{phase{what: "judging"}, 0, 3e6, 2 * time.Minute, "judging, 2m0s, 3000000 steps, 25000/s"},
		{phase{what: "judging"}, 0, 0, 1234 * time.Millisecond, "judging, 1.20 s"},
	} {
		assert.Equal(t, c.want, c.now.line(c.done, c.steps, c.took))
	}
}
