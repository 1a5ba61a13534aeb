package smt

// maxScript bounds a script, in bytes: more tries longer histories, and takes more memory.
const maxScript = 256 << 20
