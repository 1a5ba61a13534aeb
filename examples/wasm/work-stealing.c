// A deque of tasks: its owner pushes and pops at one end, others steal at the other. A thief may
// give up although there is a task: two outcomes. The state is the tasks in their encoding, the
// oldest first.
#include "linsat.h"

EXPORT(init) uint64_t init(const uint8_t *given, size_t length) {
  reader r = reads(given, length);
  writer state = {0};
  return is_null(&r) ? done(&state) : NONE;
}

static void outcome(writer *w, const reader *result, reader next) {
  put_list(w, 2);
  result ? put_value(w, *result) : put_null(w);
  put_bytes(w, next.at, next.end - next.at);
}

EXPORT(step) uint64_t step(const uint8_t *state, size_t length, const uint8_t *op, size_t op_length) {
  operation o = get_operation(op, op_length);
  reader tasks = reads(state, length);
  writer w = {0};
  if (is(o.f, "push")) {
    writer next = {0};
    put_value(&next, tasks);
    put_value(&next, o.arg);
    put_list(&w, 1);
    put_list(&w, 2);
    put_any(&w);
    put_bytes(&w, next.start, next.length);
  } else if (is(o.f, "pop")) {
    reader rest = tasks, last = {0};
    while (rest.at < rest.end) last = skip(&rest);
    put_list(&w, 1);
    if (length == 0)
      outcome(&w, 0, tasks);
    else
      outcome(&w, &last, reads(state, last.at - state));
  } else if (is(o.f, "steal")) {
    reader rest = tasks;
    put_list(&w, length == 0 ? 1 : 2);
    outcome(&w, 0, tasks);
    if (length > 0) {
      reader first = skip(&rest);
      outcome(&w, &first, rest);
    }
  } else {
    return NONE;
  }
  return done(&w);
}

EXPORT(about) uint64_t about(void) {
  writer w = {0};
  put_map(&w, 2);
  put_text(&w, "samples"); // calls for linsat specs check: a name and its argument
  put_list(&w, 4);
  for (int64_t i = 1; i <= 2; i++) {
    put_list(&w, 2);
    put_text(&w, "push");
    put_int(&w, i);
  }
  put_list(&w, 1);
  put_text(&w, "pop");
  put_list(&w, 1);
  put_text(&w, "steal");
  put_text(&w, "operations");
  put_list(&w, 3);
  put_text(&w, "push");
  put_text(&w, "pop");
  put_text(&w, "steal");
  return done(&w);
}
