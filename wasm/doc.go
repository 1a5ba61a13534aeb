// Package wasm runs specifications that are modules of WebAssembly, for the command linsat-wasm.
//
// It is a module of its own, and the command a program of its own, since the runtime would make
// linsat larger by a sixth. docs/own-specification.md says what a specification exports;
// internal/meter bounds what it may use.
package wasm
