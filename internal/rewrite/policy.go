package rewrite

// mostErrors is how many errors of a package that does not compile are shown: more fill the screen.
const mostErrors = 10
