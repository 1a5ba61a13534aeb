// A first-in first-out queue: enq v; deq and peek, null if it is empty; size. The state is the
// values in their encoding, one after another, the front first.
#include "linsat.h"

EXPORT(init) uint64_t init(const uint8_t *given, size_t length) {
  reader r = reads(given, length);
  writer state = {0};
  if (is_null(&r)) return done(&state);
  if (kind(&r) != LIST) return NONE;
  get_list(&r);
  put_value(&state, r);
  return done(&state);
}

EXPORT(step) uint64_t step(const uint8_t *state, size_t length, const uint8_t *op, size_t op_length) {
  operation o = get_operation(op, op_length);
  reader items = reads(state, length), rest = items;
  bool empty = length == 0;
  writer w = {0}, next = {0};
  put_list(&w, 1); // one outcome:
  put_list(&w, 2); // a result, and the next state
  if (is(o.f, "enq")) {
    put_any(&w);
    put_value(&next, items);
    put_value(&next, o.arg);
  } else if (is(o.f, "deq")) {
    empty ? put_null(&w) : put_value(&w, skip(&rest));
    put_value(&next, rest);
  } else if (is(o.f, "peek")) {
    empty ? put_null(&w) : put_value(&w, skip(&rest));
    put_value(&next, items);
  } else if (is(o.f, "size")) {
    int64_t n = 0;
    for (; rest.at < rest.end; n++) skip(&rest);
    put_int(&w, n);
    put_value(&next, items);
  } else {
    return NONE;
  }
  put_bytes(&w, next.start, next.length);
  return done(&w);
}

EXPORT(about) uint64_t about(void) {
  writer w = {0};
  put_map(&w, 3);
  put_text(&w, "samples"); // calls for linsat specs check: a name and its argument
  put_list(&w, 5);
  for (int64_t i = 1; i <= 2; i++) {
    put_list(&w, 2);
    put_text(&w, "enq");
    put_int(&w, i);
  }
  const char *names[] = {"deq", "peek", "size"};
  for (size_t i = 0; i < 3; i++) {
    put_list(&w, 1);
    put_text(&w, names[i]);
  }
  put_text(&w, "summary");
  put_text(&w, "a first-in first-out queue");
  put_text(&w, "operations");
  put_list(&w, 4);
  put_text(&w, "enq");
  for (size_t i = 0; i < 3; i++) put_text(&w, names[i]);
  return done(&w);
}

// describe lists the values as JSON does.
EXPORT(describe) uint64_t describe(const uint8_t *state, size_t length) {
  reader all = reads(state, length), r = all;
  writer list = {0};
  size_t n = 0;
  for (; r.at < r.end; n++) skip(&r);
  put_list(&list, n);
  put_value(&list, all);
  return done(&list);
}

EXPORT(readonly) bool readonly(const uint8_t *op, size_t length) {
  text f = get_operation(op, length).f;
  return is(f, "peek") || is(f, "size");
}
