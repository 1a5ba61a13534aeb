package cbor

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestValuesHaveTheBytesOfTheStandard compares with examples of RFC 8949, appendix A.
func TestValuesHaveTheBytesOfTheStandard(t *testing.T) {
	for want, v := range map[string]any{
		"00": int64(0), "0a": int64(10), "17": int64(23), "1818": int64(24), "1864": int64(100), "1903e8": int64(1000),
		"1a000f4240":         int64(1000000),
		"1b000000e8d4a51000": int64(1000000000000), "20": int64(-1), "29": int64(-10), "3863": int64(-100),
		"3903e7":             int64(-1000),
		"1b7fffffffffffffff": int64(math.MaxInt64), "3b7fffffffffffffff": int64(math.MinInt64),
		"f4": false, "f5": true, "f6": nil, "60": "", "6161": "a", "6449455446": "IETF",
		"62225c": "\"\\", "62c3bc": "ü",
		"80": []any{}, "83010203": []any{int64(1), int64(2), int64(3)}, "8301820203820405": []any{int64(1),
			[]any{int64(2), int64(3)}, []any{int64(4), int64(5)}},
		"a0": map[string]any{}, "a26161016162820203": map[string]any{"a": int64(1), "b": []any{int64(2), int64(3)}},
		// shorter names stand first
		"a2617a0162616102": map[string]any{"z": int64(1), "aa": int64(2)},
	} {
		assert.Equal(t, want, hex.EncodeToString(Append(nil, v)), "%v", v)
		b, err := hex.DecodeString(want)
		require.NoError(t, err)
		got, err := Decode(b)
		require.NoError(t, err, want)
		assert.Equal(t, v, got, want)
	}
	for in, want := range map[string]any{"f7": Undefined{}, "4401020304": Bytes{1, 2, 3, 4}, "1800": int64(0),
		"a2626161016162f6": map[string]any{"aa": int64(1), "b": nil}} {
		b, err := hex.DecodeString(in)
		require.NoError(t, err)
		got, err := Decode(b)
		require.NoError(t, err, in)
		assert.Equal(t, want, got, in)
	}
}

func TestWhatIsNoValueIsRefused(t *testing.T) {
	for in, want := range map[string]string{
		"": "ends too early", "18": "ends too early", "62": "ends too early", "8201": "ends too early",
		"9b7fffffffffffffff": "ends too early", "a16161": "ends too early",
		"1bffffffffffffffff": "too large", "3b8000000000000000": "too large", "0000": "1 bytes follow",
		"a10001": "not a text", "a2616101616102": "twice",
		"f93c00": "whole", "fb3ff199999999999a": "whole", "9f01ff": "lengths stand before",
		"c001": "a kind that no history has", "e0": "a kind that no history has", "1c": "no value of a history has",
		strings.Repeat("81", 64) + "00": "nested more than 64 deep",
	} {
		b, err := hex.DecodeString(in)
		require.NoError(t, err)
		_, err = Decode(b)
		if assert.Error(t, err, in) {
			assert.Contains(t, err.Error(), want, in)
		}
	}
}

// drawn returns a value of a history.
func drawn(r *rand.Rand, depth int) any {
	switch k := r.IntN(8); {
	case k == 0:
		return nil
	case k == 1:
		return r.IntN(2) == 0
	case k <= 3 || depth == 0:
		return int64(r.Uint64() >> r.IntN(64))
	case k <= 5:
		return strings.Repeat("é", r.IntN(40))
	case k == 6:
		list := make([]any, r.IntN(5))
		for i := range list {
			list[i] = drawn(r, depth-1)
		}
		return list
	}
	m := map[string]any{}
	for range r.IntN(5) {
		m[string(rune('a'+r.IntN(20)))] = drawn(r, depth-1)
	}
	return m
}

func TestDrawnValuesComeBack(t *testing.T) {
	for seed := range uint64(3000) {
		v := drawn(rand.New(rand.NewPCG(seed, 7)), 4)
		got, err := Decode(Append(nil, v))
		require.NoError(t, err)
		require.Equal(t, v, got, "seed %d", seed)
	}
}

// FuzzDecode reads any bytes; what it reads of the values of histories has one encoding.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0xa2, 0x61, 'z', 1, 0x62, 'a', 'a', 0x82, 0xf6, 0x20})
	f.Add([]byte{0x84, 0x42, 1, 2, 0xf7})
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := Decode(in)
		if err != nil || !ofHistories(v) {
			return
		}
		first := Append(nil, v)
		again, err := Decode(first)
		require.NoError(t, err)
		require.Equal(t, v, again)
		require.LessOrEqual(t, len(first), len(in))
	})
}

func ofHistories(v any) bool {
	switch v := v.(type) {
	case Undefined, Bytes:
		return false
	case []any:
		for _, e := range v {
			if !ofHistories(e) {
				return false
			}
		}
	case map[string]any:
		for _, e := range v {
			if !ofHistories(e) {
				return false
			}
		}
	}
	return true
}
