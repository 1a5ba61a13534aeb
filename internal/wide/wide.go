// Package wide has a signed integer of 128 bits. Sums and differences of up to 2⁶³ numbers of 64
// bits are exact in it, which is more than a history can hold.
package wide

import (
	"cmp"
	"math/big"
	"math/bits"
)

// Int is a signed integer of 128 bits in two's complement. The zero value is 0. Equal numbers are
// equal under ==, so an Int can be the key of a map.
type Int struct {
	high int64
	low  uint64
}

// Of returns x.
func Of(x int64) Int { return Int{x >> 63, uint64(x)} }

// Plus returns a + b.
func (a Int) Plus(b Int) Int {
	low, carry := bits.Add64(a.low, b.low, 0)
	return Int{a.high + b.high + int64(carry), low}
}

// Minus returns a − b.
func (a Int) Minus(b Int) Int {
	low, borrow := bits.Sub64(a.low, b.low, 0)
	return Int{a.high - b.high - int64(borrow), low}
}

// Add returns a + x.
func (a Int) Add(x int64) Int { return a.Plus(Of(x)) }

// Sub returns a − x.
func (a Int) Sub(x int64) Int { return a.Minus(Of(x)) }

// Less reports whether a < b.
func (a Int) Less(b Int) bool { return a.Compare(b) < 0 }

// Compare returns −1, 0 or 1 as a is less than, equal to or greater than b.
func (a Int) Compare(b Int) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low))
}

// Int64 returns a as an int64, and reports whether it fits.
func (a Int) Int64() (int64, bool) {
	x := int64(a.low)
	return x, Of(x) == a
}

// String returns a in decimal digits.
func (a Int) String() string {
	x := new(big.Int).Lsh(big.NewInt(a.high), 64)
	return x.Or(x, new(big.Int).SetUint64(a.low)).String()
}
