// Package roundup has the tests that make the tables of the paper on Round-Up, with the objects of
// papers/objects/relaxed and scal. The method is package explore/roundup; README.md says which test
// stands for which part of the paper.
package roundup
