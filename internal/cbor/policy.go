package cbor

// maxDepth bounds how deep values nest: more reads deeper ones, and takes more of the stack.
const maxDepth = 64
