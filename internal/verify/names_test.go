package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/linsat/linsat"
	"github.com/linsat/linsat/history"
	"github.com/linsat/linsat/internal/specs"
	"github.com/stretchr/testify/require"
)

// TestNamesOfOperations: whatever ids the operations of a history have, each operation has a name
// of its own, and the certificate about the history is valid.
func TestNamesOfOperations(t *testing.T) {
	some := []string{"0", "1", "2", "3", "4", `"1"`, `"2"`, "#1", "drain 1", "-1", "01", `\`, "w"}
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var text strings.Builder
		text.WriteString(`{"spec": "kv", "operations": [`)
		ids := rng.Perm(len(some))
		for i := range 5 {
			id := ""
			if rng.IntN(2) == 0 {
				id = fmt.Sprintf(`"id": %q, `, some[ids[i]])
			}
			if i > 0 {
				text.WriteString(", ")
			}
			fmt.Fprintf(&text, `{%s"process": %d, "f": "put", "key": "k%d", "arg": 1, "call": %d, "return": %d}`, id, i,
				rng.IntN(5), i, i+2)
		}
		text.WriteString("]}")
		h, err := history.Read(strings.NewReader(text.String()), history.ReadOptions{})
		require.NoError(t, err)
		names := map[string]bool{}
		for i := range h.Ops {
			names[h.ID(history.OpID(i))] = true
		}
		require.Len(t, names, len(h.Ops), text.String())
		s := specs.KV()
		r, err := linsat.Check(context.Background(), s, h)
		require.NoError(t, err)
		c, err := linsat.Certify(h, &r)
		require.NoError(t, err)
		var b strings.Builder
		_, err = c.WriteTo(&b)
		require.NoError(t, err)
		again, err := linsat.ReadCertificate(strings.NewReader(b.String()))
		require.NoError(t, err)
		require.NoError(t, linsat.Verify(context.Background(), s, h, again), text.String())
	}
}
