// Leases by name: taken if free or one's own, and may expire at any time. Operations have an
// argument {"by": holder, "lease": name}; the state is the holder of one lease, no bytes for none.
#include "linsat.h"

typedef struct {
  reader by, lease;
} argument;

static argument get_argument(const operation *o) {
  argument a = {0};
  reader r = o->arg;
  for (size_t n = get_map(&r); n > 0; n--) {
    text name = get_text(&r);
    reader v = skip(&r);
    if (is(name, "by")) a.by = v;
    if (is(name, "lease")) a.lease = v;
  }
  if (!a.by.at || !a.lease.at) __builtin_trap();
  return a;
}

EXPORT(key) uint64_t key(const uint8_t *op, size_t length) {
  operation o = get_operation(op, length);
  writer w = {0};
  put_value(&w, get_argument(&o).lease);
  return done(&w);
}

EXPORT(init) uint64_t init(const uint8_t *given, size_t length) {
  reader r = reads(given, length);
  writer state = {0};
  return is_null(&r) ? done(&state) : NONE;
}

static void outcome(writer *w, bool result, reader holder) {
  put_list(w, 2);
  put_bool(w, result);
  put_bytes(w, holder.at, holder.end - holder.at);
}

EXPORT(step) uint64_t step(const uint8_t *state, size_t length, const uint8_t *op, size_t op_length) {
  operation o = get_operation(op, op_length);
  reader by = get_argument(&o).by, holder = reads(state, length), nobody = {0};
  size_t n = by.end - by.at;
  bool free = length == 0, mine = length == n && memcmp(state, by.at, n) == 0;
  writer w = {0};
  if (is(o.f, "acquire")) {
    put_list(&w, free || mine ? 1 : 2);
    outcome(&w, true, by);
    if (!free && !mine) outcome(&w, false, holder);
  } else if (is(o.f, "renew")) {
    put_list(&w, mine ? 2 : 1);
    if (mine) outcome(&w, true, holder);
    outcome(&w, false, mine ? nobody : holder);
  } else if (is(o.f, "release")) {
    put_list(&w, 1);
    put_list(&w, 2);
    put_any(&w);
    reader next = mine ? nobody : holder;
    put_bytes(&w, next.at, next.end - next.at);
  } else {
    return NONE;
  }
  return done(&w);
}

EXPORT(describe) uint64_t describe(const uint8_t *state, size_t length) {
  writer w = {0};
  length == 0 ? put_text(&w, "free") : put_value(&w, reads(state, length));
  return done(&w);
}

EXPORT(about) uint64_t about(void) {
  static const char *fs[] = {"acquire", "renew", "release"}, *leases[] = {"x", "y"}, *holders[] = {"a", "b"};
  writer w = {0};
  put_map(&w, 1);
  put_text(&w, "samples");
  put_list(&w, 12);
  for (size_t i = 0; i < 12; i++) {
    put_list(&w, 2);
    put_text(&w, fs[i / 4]);
    put_map(&w, 2);
    put_text(&w, "by");
    put_text(&w, holders[i % 2]);
    put_text(&w, "lease");
    put_text(&w, leases[i / 2 % 2]);
  }
  return done(&w);
}
