// Package localize has the tests that make the paper's table of faults found by FGVT, with the
// objects of papers/objects/fgvt. The method is package explore/localize; README.md says which test
// stands for which part of the paper.
package localize
