//go:build !wasip1 && !js

package main

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"github.com/linsat/linsat/internal/cli"
	"github.com/stretchr/testify/assert"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		now         phase
		done, steps int64
		took        time.Duration
		want        string
	}{
		{phase{"reading", 200e6, true}, 50e6, 0, 2 * time.Second,
			"reading [======                  ] 50.0 MB of 200.0 MB, 25.0 MB/s, 6s left"},
		{phase{"reading", 0, true}, 50e6, 0, 2 * time.Second, "reading, 2.00 s, 50.0 MB"},
		{phase{"judging partitions", 3000, false}, 0, 7, time.Second,
			"judging partitions [                        ] 0 of 3000, 0/s"},
		{phase{"judging partitions", 3000, false}, 2999, 7, time.Hour,
			"judging partitions [======================= ] 2999 of 3000, 1/s, 1s left"},
		{phase{"judging partitions", 3000, false}, 3000, 7, time.Hour,
			"judging partitions [========================] 3000 of 3000, 1/s"},
		{phase{what: "judging"}, 0, 3e6, 2 * time.Minute, "judging, 2m0s, 3000000 steps, 25000/s"},
		{phase{what: "judging"}, 0, 0, 1234 * time.Millisecond, "judging, 1.20 s"},
	} {
		assert.Equal(t, c.want, c.now.line(c.done, c.steps, c.took))
	}
}

// locked is a buffer that is written to and read side by side.
type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *locked) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

func (b *locked) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestProgressInAPipe: where remarks do not go to a terminal, each line says what is done.
func TestProgressInAPipe(t *testing.T) {
	var notes locked
	s := &solver{notes: &notes}
	p := &watch{quit: make(chan struct{}), gone: make(chan struct{})}
	go p.tell(s, "h.json", "[2/3] h.json", time.Nanosecond)
	for notes.String() == "" {
		time.Sleep(time.Millisecond)
	}
	p.stop()
	assert.Regexp(t, `^linsat: \[2/3\] h\.json: judging, [0-9.]+ .*\n`, notes.String())
	assert.Nil(t, (&solver{notes: &notes, screen: cli.Screen{Quiet: true}}).watch("h.json", true))
}
