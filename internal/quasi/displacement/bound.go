package displacement

import (
	"math"
	"strconv"
)

// Unbounded is the bound of a class whose operations may move anywhere.
const Unbounded int32 = math.MaxInt32

// FormatBound writes a bound as --quasi takes it: a number or inf.
func FormatBound(b int32) string {
	if b == Unbounded {
		return "inf"
	}
	return strconv.Itoa(int(b))
}
