package similar_test

import (
	"testing"

	"github.com/linsat/linsat/internal/similar"
	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"cas-register", "register", "queue", "stack", "set", "kv"}
	for name, want := range map[string]string{"regster": "register", "CASRegister": "cas-register",
		"cas_registr": "cas-register", "qeue": "queue", "stak": "stack",
		"sett": "set", "seta": "set", "zzz": "", "": "", "k": "", "quasi": "", "priority": ""} {
		assert.Equal(t, want, similar.Nearest(name, known), name)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abc", "acb", 2}} {
		assert.Equal(t, c.want, similar.Distance(c.a, c.b), c.a+" "+c.b)
		assert.Equal(t, c.want, similar.Distance(c.b, c.a), c.b+" "+c.a)
	}
}
