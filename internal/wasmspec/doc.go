// Package wasmspec reads specifications that are modules of WebAssembly. The program linsat-wasm,
// which is in a module of its own (package wasm), runs them: with the runtime linsat would be
// larger by a sixth. docs/own-specification.md describes what a module exports.
package wasmspec
