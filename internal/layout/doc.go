// Package layout lays out a partition for searches: its operations by layers, bits and classes, and
// lists and hashes that such searches need. It decides nothing.
package layout
