package solve

// mostMinimized is of how many operations a contradiction is made smaller: each is left out once,
// and the rest decided again. More makes longer ones minimal, in time that grows with the square.
const mostMinimized = 400
