package verify

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linsat/linsat/internal/model"
	"github.com/linsat/linsat/internal/testenv"
	"github.com/stretchr/testify/require"
)

// TestContentsAreSets compares operations on sets of contents with the same on lists of them.
func TestContentsAreSets(t *testing.T) {
	const values = 4
	for seed := range uint64(testenv.Scale(50, 2000)) {
		r := rand.New(rand.NewPCG(seed, 9))
		c := newContentSets()
		numbers := []contentsID{noContents, emptyStack}
		plain := []map[string]bool{{}, {"": true}} // contents as texts, the top first
		number := map[string]contentsID{}
		for range 60 {
			i, j, v := r.IntN(len(plain)), r.IntN(len(plain)), int32(r.IntN(values))
			top := func(s string) int32 {
				if s == "" {
					return model.Nothing
				}
				return int32(s[0] - 'a')
			}
			if r.IntN(6) == 0 {
				v = model.Nothing
			}
			n, want := contentsID(0), map[string]bool{}
			switch kind := r.IntN(4); {
			case kind == 0 && v >= 0:
				n = c.onto(v, numbers[i])
				for s := range plain[i] {
					want[string(rune('a'+v))+s] = true
				}
			case kind == 1:
				n = c.only(v, numbers[i])
				for s := range plain[i] {
					if top(s) == v {
						want[s] = true
					}
				}
			case kind == 2:
				n = c.but(v, numbers[i])
				for s := range plain[i] {
					if top(s) != v {
						want[s] = true
					}
				}
			default:
				n = c.union(numbers[i], numbers[j])
				maps.Copy(want, plain[i])
				maps.Copy(want, plain[j])
			}
			text := strings.Join(slices.Sorted(maps.Keys(want)), " ") + "|"
			if len(want) == 0 {
				text = ""
			}
			same, met := number[text]
			require.True(t, !met || same == n, "seed %d: %s is %d and %d", seed, text, same, n)
			number[text] = n
			require.Equal(t, want, listed(c, n), "seed %d", seed)
			numbers, plain = append(numbers, n), append(plain, want)
		}
	}
}

// listed returns the contents of a set as texts.
func listed(c *contentSets, set contentsID) map[string]bool {
	all := map[string]bool{}
	for ; set != noContents; set = c.at(set).others {
		switch x := c.at(set); {
		case x.value == model.Nothing:
			all[""] = true
		default:
			for s := range listed(c, x.below) {
				all[string(rune('a'+x.value))+s] = true
			}
		}
	}
	return all
}
