package collections

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/stretchr/testify/require"
)

// TestSetsOfContentsAreSets compares unions of random sets of contents, and what is on top in them,
// with sets of words. Equal sets have to be the same number, as long as they are retained; what is
// not still has its words.
func TestSetsOfContentsAreSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s languages
	for range 20 {
		s = s.emptied()
		s.known = s.known[:min(len(s.known), 8)] // results are forgotten and computed again
		if len(s.known) == 0 {
			s.known = make([]unionOf, 8)
		}
		s.begin()
		number := map[string]language{}
		sets, words := []language{noContents}, []map[string]bool{{}}
		check := func(set language, want map[string]bool) {
			require.Equal(t, want, wordsOf(&s, set))
			key := ""
			for _, w := range slices.Sorted(maps.Keys(want)) {
				key += w + ","
			}
			if n, known := number[key]; known {
				require.Equal(t, n, set, "%s has two numbers", key)
			}
			number[key] = set
			sets, words = append(sets, set), append(words, want)
		}
		var left []language
		var leftWords []map[string]bool
		for range 200 {
			a, b := rng.IntN(len(sets)), rng.IntN(len(sets))
			v := int32(rng.IntN(3))
			switch rng.IntN(6) {
			case 0:
				if rng.IntN(4) == 0 {
					left, leftWords = append(left, sets[1:]...), append(leftWords, words[1:]...)
					from := rng.IntN(len(sets)/2 + 1)
					sets, words = append([]language{noContents}, sets[from:]...),
						append([]map[string]bool{{}}, words[from:]...)
					number = map[string]language{}
					s.retain(sets)
				}
				check(emptyStack, map[string]bool{".": true})
			case 1:
				check(anyContents, map[string]bool{"?": true})
			case 2:
				want := map[string]bool{}
				for w := range words[a] {
					want[string(rune('a'+v))+w] = true
				}
				check(s.onto(v, sets[a]), want)
			case 3:
				having, without := map[string]bool{}, map[string]bool{}
				for w := range words[a] {
					if w[0] == byte('a'+v) {
						having[w] = true
					} else {
						without[w] = true
					}
				}
				check(s.having(v, sets[a]), having)
				check(s.without(v, sets[a]), without)
			default:
				want := maps.Clone(words[a])
				maps.Copy(want, words[b])
				check(s.union(sets[a], sets[b]), want)
			}
		}
		for i, set := range sets {
			if set == noContents {
				continue
			}
			some := wordsOf(&s, s.some(set))
			require.Len(t, some, 1)
			for w := range some {
				require.True(t, words[i][w])
				for k, other := range append(left, sets...) {
					require.Equal(t, append(leftWords, words...)[k][w], s.has(other, s.some(set)))
				}
			}
		}
		require.False(t, s.short)
	}
}

// wordsOf lists the contents of a set, from the top.
func wordsOf(s *languages, set language) map[string]bool {
	out := map[string]bool{}
	for ; set != noContents; set = s.arcs[set].rest {
		switch x := s.arcs[set]; x.value {
		case model.Nothing:
			out["."] = true
		case model.Anything:
			out["?"] = true
		default:
			for w := range wordsOf(s, x.below) {
				out[string(rune('a'+x.value))+w] = true
			}
		}
	}
	return out
}
