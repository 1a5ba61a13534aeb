package lex

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNamesAgreeWithAMap: of names short and long, few and many.
func TestNamesAgreeWithAMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		var had names
		seen := map[string]bool{}
		for range rng.IntN(60) {
			name := strings.Repeat("ab\x00"[rng.IntN(3):][:1], rng.IntN(10)) + fmt.Sprint(rng.IntN(20))
			require.Equal(t, seen[name], had.again([]byte(name)), "%q", name)
			seen[name] = true
		}
	}
}
