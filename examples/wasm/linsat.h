// What a specification in C needs: memory for a call, values read and written in the canonical
// encoding, and the export of its functions. docs/own-specification.md describes what is read and
// written here.
//
//   clang --target=wasm32 -O2 -nostdlib -Wl,--no-entry -o queue.wasm queue.c
#ifndef LINSAT_H
#define LINSAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define NONE UINT64_MAX // instead of bytes: the operation, or the initial state, is not one

// Memory. Every call of linsat starts with fresh memory, so nothing is freed.

extern uint8_t __heap_base; // set by the linker

static uint8_t *linsat_free;

EXPORT(alloc) void *linsat_alloc(size_t n) {
  if (!linsat_free) linsat_free = &__heap_base;
  linsat_free = (uint8_t *)(((uintptr_t)linsat_free + 7) & ~(uintptr_t)7);
  uint8_t *at = linsat_free;
  linsat_free += n;
  size_t have = __builtin_wasm_memory_size(0), need = ((uintptr_t)linsat_free + 65535) / 65536;
  if (need > have) __builtin_wasm_memory_grow(0, need - have); // too much ends the call
  return at;
}

// clang calls these for copies, comparisons and zeros.
void *memcpy(void *to, const void *from, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
  return to;
}
void *memset(void *to, int c, size_t n) {
  for (size_t i = 0; i < n; i++) ((volatile uint8_t *)to)[i] = (uint8_t)c;
  return to;
}
int memcmp(const void *a, const void *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int d = ((const volatile uint8_t *)a)[i] - ((const uint8_t *)b)[i];
    if (d) return d;
  }
  return 0;
}

// Values are read from the front of a reader, which traps if the next one is of another kind.

typedef struct {
  const uint8_t *at, *end;
} reader;

typedef struct {
  const char *at;
  size_t length;
} text;

enum kind { INT = 0, NEGATIVE = 1, BYTES = 2, TEXT = 3, LIST = 4, MAP = 5, OTHER = 7 };

static inline reader reads(const uint8_t *at, size_t length) { return (reader){at, at + length}; }

// kind of the next value, OTHER for null, true and false.
static inline enum kind kind(const reader *r) {
  if (r->at == r->end) __builtin_trap();
  return *r->at >> 5;
}

static inline bool is_null(const reader *r) { return r->at < r->end && *r->at == 0xf6; }

static uint64_t linsat_head(reader *r) {
  if (r->at == r->end) __builtin_trap();
  uint64_t n = *r->at++ & 31;
  if (n < 24) return n;
  if (n > 27 || (size_t)(r->end - r->at) < (size_t)1 << (n - 24)) __builtin_trap();
  size_t bytes = (size_t)1 << (n - 24);
  for (n = 0; bytes > 0; bytes--) n = n << 8 | *r->at++;
  return n;
}

static inline uint64_t linsat_of(reader *r, enum kind k) {
  if (kind(r) != k) __builtin_trap();
  return linsat_head(r);
}

static inline int64_t get_int(reader *r) {
  if (kind(r) == NEGATIVE) return -1 - (int64_t)linsat_head(r);
  return (int64_t)linsat_of(r, INT);
}

static inline text get_text(reader *r) {
  size_t n = linsat_of(r, TEXT);
  if ((size_t)(r->end - r->at) < n) __builtin_trap();
  text t = {(const char *)r->at, n};
  r->at += n;
  return t;
}

static inline size_t get_list(reader *r) { return linsat_of(r, LIST); } // how many values follow
static inline size_t get_map(reader *r) { return linsat_of(r, MAP); }   // how many names, each with a value

static inline bool get_bool(reader *r) {
  uint64_t v = linsat_of(r, OTHER);
  if (v != 20 && v != 21) __builtin_trap();
  return v == 21;
}

// skip passes over a value, and returns where it stands.
static reader skip(reader *r) {
  reader v = {r->at, r->at};
  for (uint64_t left = 1; left > 0; left--) {
    enum kind k = kind(r);
    uint64_t n = linsat_head(r);
    if (k == BYTES || k == TEXT) {
      if ((size_t)(r->end - r->at) < n) __builtin_trap();
      r->at += n;
    } else if (k == LIST) {
      left += n;
    } else if (k == MAP) {
      left += 2 * n;
    }
  }
  v.end = r->at;
  return v;
}

static inline bool is(text t, const char *name) {
  size_t i = 0;
  while (i < t.length && name[i] && t.at[i] == name[i]) i++;
  return i == t.length && !name[i];
}

// An operation is a list of its name, argument, key and process.
typedef struct {
  text f;
  reader arg, key, process;
} operation;

static inline operation get_operation(const uint8_t *at, size_t length) {
  reader r = reads(at, length);
  if (get_list(&r) != 4) __builtin_trap();
  operation o;
  o.f = get_text(&r);
  o.arg = skip(&r);
  o.key = skip(&r);
  o.process = skip(&r);
  return o;
}

// Values are written to the end of a writer, which grows.

typedef struct {
  uint8_t *start;
  size_t length, room;
} writer;

static void put_raw(writer *w, const void *bytes, size_t n) {
  if (w->length + n > w->room) {
    w->room = 2 * (w->length + n) + 64;
    uint8_t *larger = linsat_alloc(w->room);
    memcpy(larger, w->start, w->length);
    w->start = larger;
  }
  memcpy(w->start + w->length, bytes, n);
  w->length += n;
}

static void linsat_put(writer *w, enum kind k, uint64_t n) {
  uint8_t head[9];
  size_t bytes = n < 24 ? 0 : n < 1 << 8 ? 1 : n < 1 << 16 ? 2 : n >> 32 ? 8 : 4;
  head[0] = (uint8_t)(k << 5 | (bytes == 0 ? n : bytes == 1 ? 24 : bytes == 2 ? 25 : bytes == 4 ? 26 : 27));
  for (size_t i = bytes; i > 0; i--, n >>= 8) head[i] = (uint8_t)n;
  put_raw(w, head, bytes + 1);
}

static inline void put_int(writer *w, int64_t v) { linsat_put(w, v < 0 ? NEGATIVE : INT, v < 0 ? -1 - v : v); }
static inline void put_bool(writer *w, bool v) { linsat_put(w, OTHER, v ? 21 : 20); }
static inline void put_null(writer *w) { linsat_put(w, OTHER, 22); }
static inline void put_any(writer *w) { linsat_put(w, OTHER, 23); } // as a result: whichever
static inline void put_list(writer *w, size_t n) { linsat_put(w, LIST, n); }
static inline void put_map(writer *w, size_t n) { linsat_put(w, MAP, n); }
static inline void put_value(writer *w, reader v) { put_raw(w, v.at, v.end - v.at); }

static inline void put_bytes(writer *w, const void *bytes, size_t n) {
  linsat_put(w, BYTES, n);
  put_raw(w, bytes, n);
}

static inline void put_text(writer *w, const char *t) {
  size_t n = 0;
  while (t[n]) n++;
  linsat_put(w, TEXT, n);
  put_raw(w, t, n);
}

// done returns what was written.
static inline uint64_t done(const writer *w) { return (uint64_t)(uintptr_t)w->start << 32 | w->length; }

#endif
