package history

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWriteIDs: a write in place of another one is a cas of ids and values.
func TestWriteIDs(t *testing.T) {
	const text = `{:type :invoke :f :read :value nil :process 8}
{:type :ok :f :read :value 0 :process 8 :write-id "00"}
{:type :invoke :f :write :value 1 :write-id "e2" :prev-write-id "00" :process 9}
{:type :ok :f :write :value 1 :write-id "e2" :prev-write-id "00" :process 9}
{:type :invoke :f :write :value 2 :write-id "a1" :prev-write-id "e2" :process 9}
{:type :info :f :write :value 2 :write-id "a1" :prev-write-id "e2" :process 9}
{:type :invoke :f :write :value 3 :write-id "b7" :process 10}
{:type :ok :f :write :value 3 :write-id "b7" :process 10}
{:type :invoke :f :read :value nil :process 8}
{:type :ok :f :read :value 2 :process 8 :write-id "a1"}
`
	h, err := Read(strings.NewReader(text), ReadOptions{})
	require.NoError(t, err)
	want := []string{`read - null ["00", 0]`, `cas - [["00", 0], ["e2", 1]] true`, `cas - [["e2", 1], ["a1", 2]] null`,
		`write - ["b7", 3] null`, `read - null ["a1", 2]`}
	assert.Equal(t, want, opsOf(h))
	assert.Equal(t, `["00", 0]`, h.Values.Format(h.Initial))
	asJSON(t, h)

	// the same with keys, and as JSON
	keyed := strings.NewReplacer(":value nil", `:value ["k" nil]`, ":value 0", `:value ["k" 0]`, ":value 1",
		`:value ["k" 1]`, ":value 2", `:value ["k" 2]`, ":value 3", `:value ["k" 3]`).Replace(text)
	h, err = Read(strings.NewReader(keyed), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, strings.Replace(want[1], "-", `"k"`, 1), opsOf(h)[1])
	h, err = Read(strings.NewReader(strings.NewReplacer("{:type :", `{"type": "`, " :f :", `", "f": "`, " :value ",
		`", "value": `, " :write-id", `, "write-id":`, " :prev-write-id", `, "prev-write-id":`, " :process",
		`, "process":`, "nil", "null").Replace(text)), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, want, opsOf(h))

	// two ids that nothing wrote: neither is the initial one for certain
	h, err = Read(strings.NewReader(text+`{:type :invoke :f :read :value nil :process 8}
{:type :ok :f :read :value 2 :process 8 :write-id "??"}
`), ReadOptions{})
	require.NoError(t, err)
	assert.False(t, h.HasInitial)

	for text, want := range map[string]string{
		`{:type :invoke :f :add :value 1 :write-id "e2" :process 9}`:                                               "line 1: ids of writes, and an operation add",
		"{:type :invoke :f :write :value 1 :write-id 1 :process 9}\n{:type :invoke :f :write :value 1 :process 8}": "line 2: a write without its :write-id",
	} {
		_, err = Read(strings.NewReader(text), ReadOptions{})
		assert.ErrorContains(t, err, want)
	}
}

// TestVersions: versions are the places of writes in a known order, and of reads between them.
func TestVersions(t *testing.T) {
	for _, key := range []string{"", "0 "} {
		value := func(v string) string {
			if key == "" {
				return v
			}
			return "[" + key + v + "]"
		}
		h, err := Read(strings.NewReader(jepsen([]string{"0", "write", value("[nil 3]"), value("[1 3]")},
			[]string{"0", "cas", value("[nil [3 4]]"), value("[2 [3 4]]")},
			[]string{"1", "read", value("[nil nil]"), value("[2 4]")}, []string{"2", "write", value("[nil 5]")})),
			ReadOptions{})
		require.NoError(t, err)
		k := "-"
		if key != "" {
			k = "0"
		}
		assert.Equal(t, []string{"write " + k + " 3 null", "cas " + k + " [3, 4] true", "read " + k + " null 4",
			"write " + k + " 5 null"}, opsOf(h))
		require.Len(t, h.Revisions, 4)
		assert.Equal(t, []int64{2, 4, 5}, []int64{h.Revisions[0].Number, h.Revisions[1].Number, h.Revisions[2].Number})
		assert.Nil(t, h.Revisions[3])
		asJSON(t, h)
	}
	h, err := Read(strings.NewReader(jepsen([]string{"0", "write", "[nil 3]", "[1 3]"},
		[]string{"0", "write", "[nil 4]", "[1 4]"}, []string{"0", "read", "[nil nil]", "[nil nil]"})), ReadOptions{})
	require.NoError(t, err)
	require.Len(t, h.Warnings, 1)
	assert.Contains(t, h.Warnings[0].Error(), "3: a second write has version 1")
	// pairs that are no versions stay values
	h, err = Read(strings.NewReader(jepsen([]string{"0", "write", "[1 3]", "[1 3]"},
		[]string{"0", "read", "nil", "[1 3]"})), ReadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"write - [1, 3] null", "read - null [1, 3]"}, opsOf(h))
}
