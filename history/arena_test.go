package history

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTextsAndListsKeepTheirContents takes in texts and lists of all lengths, also ones longer than
// a block, and looks at all of them again when the blocks have been left behind.
func TestTextsAndListsKeepTheirContents(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var room room
		var texts, keptTexts []string
		var lists, keptLists [][]Value
		for range 3000 {
			n := r.IntN(1 << r.IntN(7))
			if r.IntN(200) == 0 {
				n = r.IntN(2 * mostRoom)
			}
			b, list := make([]byte, n), make([]Value, n)
			for i := range n {
				b[i], list[i] = byte('a'+r.IntN(26)), Value(r.Int32())
			}
			texts, lists = append(texts, string(b)), append(lists, slices.Clone(list))
			keptTexts, keptLists = append(keptTexts, room.text(string(b))), append(keptLists, room.list(list))
			clear(list) // not kept
		}
		for k, text := range keptTexts {
			require.True(t, texts[k] == text, "seed %d text %d", seed, k)
			require.True(t, slices.Equal(lists[k], keptLists[k]), "seed %d list %d", seed, k)
			_ = append(keptLists[k], -1) // which must not reach its neighbour
		}
	}
}
