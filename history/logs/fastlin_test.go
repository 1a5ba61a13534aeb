package logs

import (
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/linsat/linsat/history"
)

// However the lines of a fastlin file are cut into blocks, and however its bytes arrive, what is
// read is the same, and so is the first error.
func TestFastlinBlocksMakeNoDifference(t *testing.T) {
	size := fastlinBlockBytes
	defer func() { fastlinBlockBytes = size }()
	good, bad := 0, 0
	for seed := range int64(600) {
		rng := rand.New(rand.NewSource(seed))
		var b strings.Builder
		pick := func(all ...string) string { return all[rng.Intn(len(all))] }
		if rng.Intn(4) > 0 {
			b.WriteString(pick("# queue", "# set", "#priorityqueue ", "#\n# stack", "# priorityqueue\r", "#") + "\n")
		}
		for i := range 1 + rng.Intn(40) {
			at := rng.Intn(100)
			if rng.Intn(8) == 0 {
				at += 1 << (rng.Intn(40) + 10)
			}
			fmt.Fprintf(&b, "%s %d %d %d", pick("enq", "deq", "peek", "pop", "Push", "contains_true"), i, at,
				at+rng.Intn(9))
			b.WriteString(pick("\n", "\n", "\n", "\n", " \n", "\r\n", "\n\n", "\n#x\n"))
			if rng.Intn(40) == 0 {
				b.WriteString(pick("enq 1 2\n", "enq  +3 04 5\n", "deq -1 3 4\n", "enq -1 3 4\n", "enq 1 5 4\n", "x",
					"enq 1234567890123456789 1 2\n", "enq 12345678901234567890 1 2\n",
					"enq 1 2 x\n", "enq\u00a07 1 2\n", "\tenq 1 18446744073709551615 18446744073709551615",
					"enq -9000000000000000000 1 2\n", "deq -3 1 2", strings.Repeat("e", 300)+"\n"))
			}
		}
		read := func(blocks int, in io.Reader) (string, error) {
			fastlinBlockBytes = blocks
			h, err := history.Read(in, history.ReadOptions{Format: "fastlin", MemoryLimit: 1 << 20})
			if err != nil {
				return "", err
			}
			var out strings.Builder
			require.NoError(t, history.WriteJSON(&out, h))
			for i := range h.Origins {
				fmt.Fprint(&out, h.Origins[i])
			}
			return out.String(), nil
		}
		want, wrong := read(1<<20, strings.NewReader(b.String()))
		for _, blocks := range []int{1, 7, 60, 500} {
			got, err := read(blocks, iotest.OneByteReader(strings.NewReader(b.String())))
			require.Equal(t, wrong, err, "seed %d, blocks of %d: %q", seed, blocks, b.String())
			require.Equal(t, want, got, "seed %d, blocks of %d: %q", seed, blocks, b.String())
		}
		if wrong == nil {
			good++
			require.True(t, strings.Contains(want, `"operations"`))
		} else {
			bad++
		}
	}
	require.Greater(t, good, 100)
	require.Greater(t, bad, 100)
}

// The quick way through a line says what the other one says, or nothing.
func TestFastlinPlainLines(t *testing.T) {
	for _, line := range []string{"enq 1 2 3", "deq -1 2 3", "deq -17 0 0", "enq -1 2 3", "enq 1 3 2", "enq 1 2 3 ",
		" enq 1 2 3", "enq  1 2 3", "enq 1 2", "enq 1 2 3 4", "enq 1 -2 3", "enq - 2 3",
		"# enq 1 2 3", "#x 1 2 3", "enq 999999999999999999 2 3", "enq 1999999999999999999 2 3", "enq 1 2 3\r",
		"énq 1 2 3", "", " ", "enq +1 2 3", "enq 1 02 3", "\t 1 2 3"} {
		var quick, slow fastlinBlock
		if quick.plain([]byte(line), 7) {
			require.NoError(t, slow.any([]byte(line), 7), line)
			require.Equal(t, slow, quick, line)
		}
	}
	var b fastlinBlock
	require.True(t, b.plain([]byte("deq -1 2 3"), 1))
	require.True(t, b.plain([]byte("enq 5 2 3"), 1))
}

func TestFastlinSets(t *testing.T) {
	h, err := history.Read(strings.NewReader("# set\ninsert 5 0 1\ncontains_true 5 2 3\nremove 5 4 5\ncontains_false 5 6 7\n"),
		history.ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, "set", h.Spec)
	for i, want := range []string{`"f": "insert", "arg": 5, "result": true`,
		`"f": "contains", "arg": 5, "result": true`, `"f": "remove", "arg": 5, "result": true`,
		`"f": "contains", "arg": 5, "result": false`} {
		o := h.Ops[i]
		name, _ := h.Values.AsString(o.F)
		require.Equal(t, want, fmt.Sprintf(`"f": %q, "arg": %s, "result": %s`, name, h.Values.Format(o.Arg),
			h.Values.Format(o.Result)))
	}
}

func TestFastlinErrorsHaveTheirLine(t *testing.T) {
	_, err := history.Read(io.MultiReader(strings.NewReader("# queue\nenq 1 2 3\nenq x 4 5\n"),
		iotest.ErrReader(io.ErrClosedPipe)), history.ReadOptions{Format: "fastlin"})
	require.ErrorContains(t, err, "x is not an integer")
	_, err = history.Read(io.MultiReader(strings.NewReader("# queue\nenq 1 2 3\nenq 2 4"),
		iotest.ErrReader(io.ErrClosedPipe)),
		history.ReadOptions{Format: "fastlin"})
	require.EqualError(t, err, "line 3: cannot read the input: "+io.ErrClosedPipe.Error())
}
