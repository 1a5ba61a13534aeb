package subhistory

// mostAlone is how many operations of a core are left out in turn: more finds the one that fails in
// more cores, in as many checks.
const mostAlone = 12
