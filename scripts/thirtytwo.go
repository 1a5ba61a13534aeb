//go:build ignore

// Command thirtytwo does nothing. scripts/check runs it to see whether the system runs programs of
// 32 bits.
package main

func main() {}
