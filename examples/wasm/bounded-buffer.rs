//! A buffer for two values: put v, true if there was room; take, the oldest or null; size. The state
//! is the values in their encoding, one after another.
//!
//!     rustc --target wasm32-unknown-unknown -O --crate-type cdylib -o bounded-buffer.wasm bounded-buffer.rs

const ROOM: usize = 2;
const NONE: u64 = u64::MAX; // instead of bytes: the operation, or the initial state, is not one

/// Memory for the arguments. Every call of linsat starts with fresh memory, so it is not freed.
#[no_mangle]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    vec![0u8; length].leak().as_mut_ptr()
}

fn given(at: *const u8, length: usize) -> &'static [u8] {
    if length == 0 {
        return &[];
    }
    unsafe { std::slice::from_raw_parts(at, length) }
}

fn done(bytes: Vec<u8>) -> u64 {
    let bytes = bytes.leak();
    (bytes.as_ptr() as u64) << 32 | bytes.len() as u64
}

/// Takes a value off the front of some bytes: its kind and number, and its own bytes.
fn next<'a>(rest: &mut &'a [u8]) -> (u8, u64, &'a [u8]) {
    let all = *rest;
    let (kind, mut n) = (all[0] >> 5, (all[0] & 31) as u64);
    let mut length = 1;
    if n >= 24 {
        length += 1 << (n - 24);
        n = all[1..length].iter().fold(0, |n, b| n << 8 | *b as u64);
    }
    *rest = &all[length..];
    match kind {
        2 | 3 => *rest = &rest[n as usize..],              // bytes, a text
        4 => (0..n).for_each(|_| drop(next(rest))),        // a list
        5 => (0..2 * n).for_each(|_| drop(next(rest))),    // a map
        _ => {}                                            // a number; null, true, false
    }
    (kind, n, &all[..all.len() - rest.len()])
}

fn items(mut state: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while !state.is_empty() {
        all.push(next(&mut state).2);
    }
    all
}

/// The only outcome: a result, and the next state as a string of bytes.
fn outcome(result: &[u8], state: &[&[u8]]) -> u64 {
    let state = state.concat();
    let mut out = vec![0x81, 0x82];
    out.extend(result);
    out.push(0x59); // bytes, of which the length follows in two
    out.extend((state.len() as u16).to_be_bytes());
    out.extend(state);
    done(out)
}

#[no_mangle]
pub extern "C" fn init(at: *const u8, length: usize) -> u64 {
    match given(at, length) {
        [0xf6] => done(vec![]), // null: the history states none
        _ => NONE,
    }
}

#[no_mangle]
pub extern "C" fn step(state: *const u8, length: usize, op: *const u8, op_length: usize) -> u64 {
    let state = items(given(state, length));
    let mut fields = &given(op, op_length)[1..]; // a list of name, argument, key and process
    let (_, _, f) = next(&mut fields);
    let (_, _, arg) = next(&mut fields);
    match &f[1..] {
        b"put" if state.len() == ROOM => outcome(&[0xf4], &state),
        b"put" => outcome(&[0xf5], &[&state[..], &[arg]].concat()),
        b"take" if state.is_empty() => outcome(&[0xf6], &state),
        b"take" => outcome(state[0], &state[1..]),
        b"size" => outcome(&[state.len() as u8], &state),
        _ => NONE,
    }
}

/// Calls for linsat specs check: {"samples": [["put", 1], ["put", 2], ["take"], ["size"]]}
#[no_mangle]
pub extern "C" fn about() -> u64 {
    done(b"\xa1\x67samples\x84\x82\x63put\x01\x82\x63put\x02\x81\x64take\x81\x64size".to_vec())
}
