// Package words says why reads are too old, and how old the reads of many objects are.
package words
