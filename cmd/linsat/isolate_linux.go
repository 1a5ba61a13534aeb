package main

import "syscall"

// boundProcess lets the system refuse memory beyond so many bytes to this process.
func boundProcess(bytes int64) {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit) // watchMemory looks, too
}
