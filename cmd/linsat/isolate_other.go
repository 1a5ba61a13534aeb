//go:build !linux

package main

// boundProcess leaves the bound to watchMemory.
func boundProcess(int64) {}
