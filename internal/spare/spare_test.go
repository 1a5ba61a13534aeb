package spare_test

import (
	"runtime"
	"sync"
	"testing"

	"github.com/linsat/linsat/internal/spare"
	"github.com/stretchr/testify/assert"
)

func TestOneIsKeptForGood(t *testing.T) {
	var m spare.Memory[[4]int]
	first, second := m.Get(), m.Get()
	assert.NotSame(t, first, second)
	m.Put(first, false)
	m.Put(second, true)
	for range 3 {
		runtime.GC()
	}
	assert.Same(t, second, m.Get())
	assert.NotSame(t, second, m.Get())
}

func TestNothingIsHandedOutTwice(t *testing.T) {
	var m spare.Memory[int]
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for i := range 1000 {
				x := m.Get()
				*x = k
				if i%10 == 0 {
					runtime.Gosched()
				}
				if *x != k {
					t.Error("two have the same memory")
				}
				m.Put(x, i%3 > 0)
			}
		})
	}
	wait.Wait()
}
