package rewrite

// mostErrors is how many errors of a package that does not compile are shown: more fill the screen.
const mostErrors = 10

// mostDeep is how deep types of arguments of assembly are looked into: deeper lets more functions
// be called, and takes longer.
const mostDeep = 4
