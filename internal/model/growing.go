package model

import "github.com/linsat/linsat/history"

// GrowingTheory says what the operations of one set do from which nothing is ever removed. An
// element is in it from one moment on, and reads of the whole set ascend by inclusion.
type GrowingTheory struct {
	Does []GrowthAction // by operation; of one that never returned, what it may have done
	// Element is the element that an operation is about, from 0 on, Nothing for none.
	Element []int32
	// Found are the elements that the operations of GrowthReads found, as words of 32 bits.
	Found [][]int32
	// Initial are the elements at the start, as words of 32 bits.
	Initial []int32
	Values  []history.Value // by element
}

// GrowthAction is what an operation does to a growing set, or says of it.
type GrowthAction uint8

// The actions.
const (
	GrowthSilent   GrowthAction = iota // it changes nothing and says nothing
	GrowthAdds                         // its element is in the set afterwards
	GrowthAddsNew                      // its element is in the set afterwards, and was not before
	GrowthFinds                        // its element is in the set
	GrowthMisses                       // its element is not in the set
	GrowthReads                        // Found is the whole set
	GrowthRepeated                     // it lists Element twice
)

// Has reports whether a set in words of 32 bits has an element.
func (*GrowingTheory) Has(words []int32, x int32) bool { return words[x/32]>>(x%32)&1 != 0 }
