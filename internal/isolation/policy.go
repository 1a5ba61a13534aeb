package isolation

// longestShown is how many bytes of a value a message shows: enough for short lists, little enough
// for one line.
const longestShown = 60
