package model

// OldReads are the reads of the specifications whose reads may return old values: under a quasi
// factor these are the operations that it bounds.
var OldReads = map[string]string{"register": "read", "cas-register": "read", "kv": "get", "set": "contains"}

// ReadsAlone reports whether a specification has no classes of its own but old reads.
func ReadsAlone(info *Info) bool { return len(info.Classes) == 0 && OldReads[info.Name] != "" }
