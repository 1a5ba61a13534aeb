package solve

import (
	"testing"

	iso "github.com/linsat/linsat/internal/isolation"
	"github.com/stretchr/testify/assert"
)

// TestLargeTransactionsAreLinear: a transaction of many writes, which another one reads, is looked
// at as often as its logarithm says, not as its square does.
func TestLargeTransactionsAreLinear(t *testing.T) {
	const n = 10_000
	for name, h := range map[string]*iso.History{"registers": {}, "a list": {}, "lists": {}} {
		h.Txns = make([]iso.Txn, 2)
		write, read := &h.Txns[0].Accesses, &h.Txns[1].Accesses
		var shown []int32
		for k := range int32(n) {
			h.Values = append(h.Values, "v")
			if shown = append(shown, k); name != "a list" || k == 0 {
				h.Objects = append(h.Objects, iso.Object{List: name != "registers", Initial: -1})
			}
			x := int32(len(h.Objects)) - 1
			kind := map[string]iso.Kind{"registers": iso.Write}[name]
			if name != "registers" {
				kind = iso.Append
			}
			*write = append(*write, iso.Access{Kind: kind, Object: x, Value: k})
			if name == "a list" && k < n-1 {
				continue
			}
			*read = append(*read, iso.Access{Object: x, Value: k, List: shown})
			shown = nil
		}
		// what they wrote is read again by themselves
		*read = append(append([]iso.Access{}, *read...), *write...)
		for k := range *write {
			(*read)[len(*read)-n+k].Value = int32(len(h.Values))
			h.Values = append(h.Values, "w")
		}
		d := newDigest(h)
		assert.Nil(t, d.wrong, name)
		assert.Less(t, d.looks, 100*n, name)
	}
}
