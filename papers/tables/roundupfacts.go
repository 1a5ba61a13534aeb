package tables

// roundUpFact is a row of the paper's Tables II, III and V. Histories are those of its reduction,
// and last is linearizations (Table II) or permutations.
type roundUpFact struct {
	name, calls, threads string // threads: "enq+deq" of Table V
	violation            bool
	sequential           int
	buggy, all, last     int
	object               string
	factor               string // "" in Table II
	first, second        string // time of the phases
}

// Table III calls the stack without a bug "Quasi Stack b3".
var (
	tableII = []roundUpFact{
		{"IQueue", "2*2+0", "", true, 3, 2, 6, 13, "iqueue", "", "0.1s", "0.3s"},
		{"Herlihy/Wing queue", "2*2+0", "", false, 3, 0, 4, 9, "herlihywing", "", "0.1s", "0.2s"},
		{"Quasi Queue", "2*2+4", "", true, 6, 16, 16, 61, "quasiqueue", "", "0.2s", "2.5s"},
		{"Quasi Queue", "3*3+4", "", true, 20, 64, 64, 505, "quasiqueue", "", "1.1s", "43.7s"},
		{"Quasi Queue", "2*3+3", "", true, 10, 24, 32, 169, "quasiqueue", "", "0.4s", "8.3s"},
		{"Quasi Queue", "3*3+2", "", true, 20, 108, 118, 1033, "quasiqueue", "", "0.8s", "1m23s"},
		{"Quasi Queue", "3*4+1", "", true, 35, 149, 198, 2260, "quasiqueue", "", "1.6s", "5m8s"},
		{"Quasi Queue", "4*4+0", "", true, 70, 274, 476, 8484, "quasiqueue", "", "2.6s", "37m34s"},
		{"Quasi Queue b1", "2*2+4", "", true, 6, 91, 91, 409, "quasiqueue-b1", "", "0.3s", "17.8s"},
		{"Quasi Queue b2", "2*2+4", "", true, 6, 91, 91, 409, "quasiqueue-b2", "", "0.3s", "18.1s"},
		{"Quasi Queue b3", "2*2+4", "", true, 6, 141, 141, 653, "quasiqueue-b3", "", "0.3s", "26.9s"},
		{"Quasi Stack b1", "2*2+4", "", true, 6, 9, 9, 34, "quasistack-b1", "", "0.3s", "1.6s"},
		{"Quasi Stack b2", "2*2+4", "", true, 6, 16, 16, 61, "quasistack-b2", "", "0.3s", "2.5s"},
		{"Quasi Stack", "2*2+4", "", false, 6, 0, 16, 61, "quasistack", "", "0.3s", "2.5s"},
		{"Quasi Priority Queue", "2*2+4", "", true, 6, 16, 16, 61, "quasipq", "", "0.5s", "4.9s"},
		{"Quasi Priority Queue b2", "2*2+4", "", true, 6, 125, 125, 532, "quasipq-b2", "", "0.5s", "27.0s"},
	}
	tableIII = []roundUpFact{
		{"Quasi Queue", "2*2+4", "", false, 6, 0, 16, 1708, "quasiqueue", "2", "0.2s", "2.9s"},
		{"Quasi Queue", "3*3+4", "", false, 20, 0, 64, 73730, "quasiqueue", "2", "1.1s", "5m33s"},
		{"Quasi Queue", "2*3+3", "", false, 10, 0, 32, 4732, "quasiqueue", "2", "0.4s", "9.6s"},
		{"Quasi Queue", "3*3+2", "", false, 20, 0, 118, 28924, "quasiqueue", "2", "0.8s", "1m34s"},
		{"Quasi Queue", "3*4+1", "", false, 35, 0, 198, 63280, "quasiqueue", "2", "1.6s", "5m40s"},
		{"Quasi Queue", "4*4+0", "", false, 70, 0, 476, 237552, "quasiqueue", "2", "2.6s", "40m56s"},
		{"Quasi Queue, factor 3", "2*3+3", "", false, 10, 0, 32, 8112, "quasiqueue", "3", "0.4s", "14.9s"},
		{"Quasi Queue, factor 3", "3*3+2", "", false, 20, 0, 118, 49584, "quasiqueue", "3", "0.8s", "2m36s"},
		{"Quasi Queue, factor 3", "3*4+1", "", false, 35, 0, 198, 108480, "quasiqueue", "3", "1.6s", "10m15s"},
		{"Quasi Queue, factor 3", "4*4+0", "", false, 70, 0, 476, 407232, "quasiqueue", "3", "2.6s", "69m32s"},
		{"Quasi Queue b1", "2*2+4", "", true, 6, 41, 91, 11452, "quasiqueue-b1", "2", "0.3s", "20.1s"},
		{"Quasi Queue b2", "2*2+4", "", true, 6, 91, 91, 11452, "quasiqueue-b2", "2", "0.3s", "20.2s"},
		{"Quasi Queue b3", "2*2+4", "", true, 6, 73, 141, 18284, "quasiqueue-b3", "2", "0.3s", "31.0s"},
		{"Quasi Stack b1", "2*2+4", "", true, 6, 9, 9, 2108, "quasistack-b1", "2", "0.3s", "3.5s"},
		{"Quasi Stack b2", "2*2+4", "", true, 6, 6, 16, 1708, "quasistack-b2", "2", "0.3s", "2.8s"},
		{"Quasi Stack", "2*2+4", "", false, 6, 0, 16, 1708, "quasistack", "2", "0.3s", "2.8s"},
		{"Quasi Priority Queue", "2*2+4", "", false, 6, 0, 16, 1708, "quasipq", "2", "0.5s", "4.7s"},
		{"Quasi Priority Queue b2", "2*2+4", "", true, 6, 54, 125, 6384, "quasipq-b2", "2", "0.5s", "20.0s"},
	}
	tableV = []roundUpFact{
		{"sl-queue", "1*1+10", "enq+deq", false, 2, 0, 2, 438, "scal-sl-queue", "2", "0.1s", "0.5s"},
		{"sl-queue", "1*1+10", "enq+enq", true, 2, 1, 2, 438, "scal-sl-queue", "2", "0.06s", "0.54s"},
		{"sl-queue", "1*1+10", "deq+deq", true, 2, 4, 8, 2190, "scal-sl-queue", "2", "0.07s", "2.29s"},
		{"t-stack", "1*1+10", "push+pop", false, 2, 0, 8, 2190, "scal-t-stack", "2", "0.16s", "2.6s"},
		{"t-stack", "1*1+10", "push+push", false, 2, 0, 8, 2190, "scal-t-stack", "2", "0.1s", "2.45s"},
		{"t-stack", "1*1+10", "pop+pop", false, 2, 0, 8, 2190, "scal-t-stack", "2", "0.12s", "2.34s"},
		{"ms-queue", "1*1+10", "enq+deq", false, 2, 0, 3, 730, "scal-ms-queue", "2", "0.11s", "0.96s"},
		{"ms-queue", "1*1+10", "enq+enq", false, 2, 0, 31, 8906, "scal-ms-queue", "2", "0.12s", "10.78s"},
		{"ms-queue", "1*1+10", "deq+deq", false, 2, 0, 12, 3358, "scal-ms-queue", "2", "0.13s", "3.68s"},
		{"rd-queue", "1*1+10", "enq+deq", false, 2, 0, 7, 1898, "scal-rd-queue", "2", "0.25s", "2.63s"},
		{"rd-queue", "1*1+10", "enq+enq", false, 2, 0, 31, 8906, "scal-rd-queue", "2", "0.2s", "11.23s"},
		{"rd-queue", "1*1+10", "deq+deq", false, 2, 0, 6, 1606, "scal-rd-queue", "2", "0.13s", "2.04s"},
		{"bk-queue", "1*1+10", "enq+deq", false, 2, 0, 1, 146, "scal-bk-queue", "2", "0.23s", "0.22s"},
		{"bk-queue", "1*1+10", "enq+enq", false, 2, 0, 12, 3358, "scal-bk-queue", "2", "0.18s", "3.94s"},
		{"bk-queue", "1*1+10", "deq+deq", false, 2, 0, 8, 2190, "scal-bk-queue", "2", "0.19s", "2.74s"},
		{"ubk-queue", "1*1+10", "enq+deq", false, 2, 0, 1, 146, "scal-ubk-queue", "2", "0.85s", "0.25s"},
		{"ubk-queue", "1*1+10", "enq+enq", false, 2, 0, 12, 3358, "scal-ubk-queue", "2", "0.65s", "6.55s"},
		{"ubk-queue", "1*1+10", "deq+deq", false, 2, 0, 8, 2190, "scal-ubk-queue", "2", "0.28s", "3.2s"},
		{"k-stack", "1*1+10", "push+pop", true, 2, 11, 69, 20002, "scal-k-stack-1", "2", "0.82s", "27.35s"},
		{"k-stack", "1*1+10", "push+push", false, 2, 0, 12, 3358, "scal-k-stack", "2", "0.26s", "4.86s"},
		{"k-stack", "1*1+10", "pop+pop", false, 2, 0, 8, 2190, "scal-k-stack", "2", "0.34s", "3.85s"},
	}
)

// roundUpObject is a row of the paper's Tables I and IV.
type roundUpObject struct{ name, lines, linearizable, quasi, methods, object string }

var (
	tableI = []roundUpObject{
		{"IQueue", "154", "NO", "NO", "enq, deq", "iqueue"},
		{"Herlihy/Wing queue", "109", "YES", "YES", "enq, deq", "herlihywing"},
		{"Quasi Queue", "464", "NO", "YES", "enq, deq", "quasiqueue"},
		{"Quasi Queue b1", "704", "NO", "NO", "enq, deq", "quasiqueue-b1"},
		{"Quasi Queue b2", "401", "NO", "NO", "enq, deq", "quasiqueue-b2"},
		{"Quasi Queue b3", "427", "NO", "NO", "enq, deq", "quasiqueue-b3"},
		{"Quasi Stack b1", "487", "NO", "NO", "push, pop", "quasistack-b1"},
		{"Quasi Stack b2", "403", "NO", "NO", "push, pop", "quasistack-b2"},
		{"Quasi Stack", "403", "YES", "YES", "push, pop", "quasistack"},
		{"Quasi Priority Queue", "508", "NO", "YES", "enq, deqMin", "quasipq"},
		{"Quasi Priority Queue b2", "537", "NO", "NO", "enq, deqMin", "quasipq-b2"},
	}
	tableIV = []roundUpObject{
		{"sl-queue", "73", "NO", "NO", "enq, deq", "sl-queue"},
		{"t-stack", "109", "YES", "YES", "push, pop", "t-stack"},
		{"ms-queue", "250", "YES", "YES", "enq, deq", "ms-queue"},
		{"rd-queue", "162", "NO", "YES", "enq, deq", "rd-queue"},
		{"bk-queue", "263", "NO", "YES", "enq, deq", "bk-queue"},
		{"ubk-queue", "259", "NO", "YES", "enq, deq", "ubk-queue"},
		{"k-stack", "337", "NO", "NO", "push, pop", "scal-k-stack-1"},
	}
)
