'use strict';
// Draws the history that stands in #data. Horizontal positions are "places": every call and every return has one,
// numbered in the order of time. A place is mapped to units (so that every bar has room for its text, or in proportion to
// the recorded times), and a unit to pixels by view.left and view.scale. Only what is in view is drawn.

const $ = id => document.getElementById(id);
const data = JSON.parse($('data').textContent);
const bars = data.bars, places = data.times.length;
for (const k of ['notes', 'facts', 'refuted']) data[k] ??= [];
for (const r of data.reasons) for (const k of ['orders', 'core', 'edges', 'links', 'sentences', 'before', 'partials']) r[k] ??= [];
let why = data.reasons[0]; // what the page shows the reasons of: one object, if several fail
bars.forEach((b, i) => { // what is left out of the data
  b.i ??= String(i);
  b.t ??= b.f + ' → ' + b.r;
  b.s ??= b.t; // what is drawn
  b.at = i;
  b.c ??= String(data.first + data.times[b.a]);
  if (!b.p) b.d ??= String(data.first + data.times[b.b]);
});
let core = new Set(why.core), seen = new Set(why.finding?.ops); // seen: named in the table
const hasCore = core.size > 0;
const root = document.documentElement;
const view = { left: 0, scale: 20, top: 0, width: 0, height: 0 };
const show = { dim: hasCore, fold: false, time: false, order: -1, hover: -1, pin: -1, note: -1, key: '', process: '' };
const GUTTER = 104, RULER = 22, MONO = '12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace';
const SANS = '12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif';
const canvas = $('timeline'), overview = $('overview');
let pen = canvas.getContext('2d');
const small = overview.getContext('2d');

// ---- Lanes -------------------------------------------------------------

const byLane = data.lanes.map(() => []);
bars.forEach((b, i) => byLane[b.l].push(i));
let shown = byLane; // by lane, the operations that pass the filters
let lanes = [], rowOf = [], rowHeight = 34;

// Processes in the order of the numbers in their names: 2 before 10.
const collator = new Intl.Collator('en', { numeric: true });
const laneOrder = data.lanes.map((_, lane) => lane).sort((a, b) => collator.compare(data.lanes[a], data.lanes[b]) || a - b);
const FOLDED_FROM = 8; // lanes, of which those without a part in the core are folded at first

// part reports whether an operation has a part in what is shown as the reason.
const part = i => core.has(i) || seen.has(i);

// passes reports whether the filters let an operation through.
const passes = i => !show.key || bars[i].k === show.key;

// layLanes chooses the lanes to show: those with operations that pass the filters, or only those of the core.
function layLanes() {
  lanes = [];
  rowOf = new Array(data.lanes.length).fill(-1);
  shown = byLane.map(list => show.key ? list.filter(passes) : list);
  for (const lane of laneOrder) {
    const list = shown[lane];
    if (show.process && data.lanes[lane] !== show.process) continue;
    if (list.length && (!show.fold || list.some(part))) {
      rowOf[lane] = lanes.length;
      lanes.push(lane);
    }
  }
}

// filter shows the operations of one object, or of one process; of all with ''.
function filter(what, value) {
  show[what] = value;
  $(what).value = value;
  if (value && show.fold) toggle('fold');
  layLanes();
  layRows();
  redraw();
}

// Notes have rows of their own above the lanes, one or more for each process that they are of: a note stands in the first
// row where it does not cover a span. Rows beyond the last share it.
const NOTE = 22, noteRows = [];
function layNotes() {
  const most = innerHeight < 700 ? 3 : 6, of = new Map();
  for (const n of data.notes) {
    const name = n.process ?? '', until = n.until ?? n.at;
    if (!of.has(name)) of.set(name, []);
    const rows = of.get(name);
    let row = rows.find(r => n.until !== undefined ? r.until < n.at : !(r.spans && r.until >= n.at));
    if (!row && noteRows.length >= most) row = rows.at(-1) ?? noteRows.at(-1);
    if (!row) {
      row = { name, until: -1, spans: false, notes: [], at: noteRows.length };
      rows.push(row);
      noteRows.push(row);
    }
    row.until = Math.max(row.until, until);
    row.spans ||= n.until !== undefined;
    row.notes.push(n);
    n.row = row;
  }
  noteRows.sort((a, b) => collator.compare(a.name, b.name) || a.at - b.at);
  noteRows.forEach((r, k) => { r.at = k; });
}
layNotes();
const head = RULER + noteRows.length * NOTE; // above the lanes

function layRows() {
  const room = view.height - head;
  rowHeight = Math.max(24, Math.min(why.links.length ? 96 : 40, Math.floor(room / Math.max(1, lanes.length))));
  view.top = Math.max(0, Math.min(view.top, lanes.length * rowHeight - room));
}

const bottom = () => Math.min(view.height, rowTop(lanes.length)); // of the lanes
const rowTop = row => head + row * rowHeight - view.top;

// ---- From places to pixels and back -----------------------------------

const span = places ? data.times[places - 1] : 0;
const timed = span > 0 && data.times.some((t, k) => t !== k);
const LEGIBLE = 7.4; // pixels per unit at which every text fits: a unit of the roomy axis is a character
const STEP = 1.6; // units between neighbouring places at least

const longest = 44, textUnits = b => Math.min(longest, b.s.length + b.i.length + 5) + numberUnits;
let numberUnits = 0; // room for an operation's place in the order that is shown
const roomy = new Float64Array(places + 1), timely = new Float64Array(places + 1);

// layAxes gives every place the smallest unit at which all bars that end there have room for their text; and, on the other
// axis, its share of the time. While the timeline is folded, what lies far from the reason takes a little room together.
const NEAR = 6, FAR = 14; // places around the calls and returns of the reason; units of a fold
let folds = []; // of places: from, to, how many operations are called there
function layAxes() {
  const o = why.orders[show.order];
  numberUnits = o ? String(o.steps.length).length + 2 + (o.steps.some(s => s.m) ? 3 : 0) : 0;
  const ending = new Array(places);
  for (const b of bars) if (!b.p) ending[b.b] = b;
  layFolds();
  const far = new Map(folds.flatMap(f => Array.from({ length: f.to - f.from }, (_, k) => [f.from + k, f])));
  let last = -STEP;
  for (let k = 0; k < places; k++) {
    const f = far.get(k);
    last += f ? FAR / (f.to - f.from) : STEP;
    if (ending[k] && !f && !far.has(ending[k].a) || ending[k] && partOf(ending[k])) last = Math.max(last, roomy[ending[k].a] + textUnits(ending[k]));
    roomy[k] = last;
  }
  let end = last + STEP;
  for (const b of bars) if (b.p) end = Math.max(end, roomy[b.a] + textUnits(b) + 4);
  roomy[places] = end;
  for (let k = 0; k < places; k++) timely[k] = span ? data.times[k] / span * last : 0;
  timely[places] = end;
}

// partOf is part, of a bar.
const partOf = b => part(b.at);

// layFolds finds the stretches that lie far from every call and return of the reason.
function layFolds() {
  folds = [];
  if (!show.fold || !hasCore) return;
  const near = new Uint8Array(places + 1), calls = new Uint32Array(places + 1);
  for (const i of new Set([...core, ...seen])) for (const k of bars[i].p ? [bars[i].a] : [bars[i].a, bars[i].b]) near.fill(1, Math.max(0, k - NEAR), k + NEAR + 1);
  for (const b of bars) calls[b.a]++;
  for (let k = 0; k < places;) {
    let to = k, n = 0;
    for (; to < places && !near[to]; to++) n += calls[to];
    if (to - k > 2 * NEAR) folds.push({ from: k, to, n });
    k = Math.max(to, k + 1);
  }
}

const axis = () => show.time ? timely : roomy;

// unit maps a place, or a point between two, to the axis in use.
function unit(place) {
  const a = axis(), k = Math.floor(place);
  if (place <= 0) return place * STEP;
  if (k >= places) return a[places] + (place - places) * STEP;
  return a[k] + (place - k) * (a[k + 1] - a[k]);
}

// placeAt is the last place at or before u.
function placeAt(u) {
  const a = axis();
  let low = 0, high = places;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (a[middle] <= u) low = middle + 1; else high = middle;
  }
  return low - 1;
}

const X = place => GUTTER + (unit(place) - view.left) * view.scale;
const unitAt = x => view.left + (x - GUTTER) / view.scale;
const endUnit = () => axis()[places] + 1;
const inner = () => Math.max(50, view.width - GUTTER);
const leastScale = () => inner() / (endUnit() + STEP);
const mostScale = () => show.time ? 4000 : 30;

function clampView() {
  view.scale = Math.max(leastScale(), Math.min(Math.max(mostScale(), leastScale()), view.scale));
  const most = endUnit() - inner() / view.scale;
  view.left = Math.max(-STEP, Math.min(view.left, Math.max(-STEP, most)));
}

function zoom(factor, x = GUTTER + inner() / 2) {
  const u = unitAt(x);
  view.scale *= factor;
  clampView();
  view.left = u - (x - GUTTER) / view.scale;
  clampView();
  redraw();
}

// fit shows the units from a to b, at most so many pixels each.
function fit(a, b, most) {
  view.scale = Math.min(most, inner() / Math.max(1e-9, b - a));
  clampView();
  view.left = (a + b) / 2 - inner() / view.scale / 2;
  clampView();
}

function fitAll() { fit(-STEP, endUnit(), mostScale()); view.top = 0; redraw(); }

// fitStart shows the beginning, legibly.
function fitStart() { fit(-STEP, Math.min(endUnit(), inner() / LEGIBLE), 2 * LEGIBLE); }

// fitCore shows the core with some surroundings; if it is spread too wide, its end.
function fitCore() {
  if (!hasCore) return;
  let from = Infinity, to = 0;
  for (const i of show.fold ? [...core, ...seen] : core) {
    from = Math.min(from, unit(bars[i].a));
    to = Math.max(to, bars[i].p ? unit(bars[i].a) + textUnits(bars[i]) : unit(bars[i].b));
  }
  if (!show.time && to - from > inner() / (LEGIBLE / 3)) {
    if (why.fails >= 0) to = unit(bars[why.fails].b);
    from = Math.max(from, to - inner() / LEGIBLE);
  }
  const air = Math.max(6, (to - from) * 0.06);
  fit(from - air, to + air, 1.4 * LEGIBLE);
  centreRow(bars[why.fails >= 0 ? why.fails : why.core[0]].l);
  redraw();
}

// spread is how far apart the operations of the reason stand, in units.
function spread() {
  const all = [...core, ...seen].map(i => bars[i]);
  return unit(Math.max(...all.map(b => (b.p ? b.a : b.b)))) - unit(Math.min(...all.map(b => b.a)));
}

function centreRow(lane) {
  const row = rowOf[lane], room = view.height - head;
  if (row < 0) return;
  if (row * rowHeight < view.top || (row + 1) * rowHeight > view.top + room) view.top = row * rowHeight - room / 2;
  layRows();
}

// ---- Colours -----------------------------------------------------------

const hues = [212, 158, 42, 270, 188, 96, 318, 24];
const functions = [...new Set(bars.map(b => b.f))].sort();
const hueOf = new Map(functions.map((f, k) => [f, hues[k % hues.length]]));
let ink = {};

function readColours() {
  const style = getComputedStyle(root), light = style.getPropertyValue('--light').trim() === '1';
  ink = { light };
  for (const name of ['paper', 'panel', 'line', 'ink', 'soft', 'faint', 'core', 'core-fill', 'core-ink', 'moved', 'moved-fill', 'point', 'select', 'note', 'window'])
    ink[name] = style.getPropertyValue('--' + name).trim();
  ink.fill = new Map(); ink.stroke = new Map();
  for (const [f, hue] of hueOf) {
    ink.fill.set(f, light ? `hsl(${hue} 52% 93%)` : `hsl(${hue} 24% 20%)`);
    ink.stroke.set(f, light ? `hsl(${hue} 32% 62%)` : `hsl(${hue} 26% 42%)`);
  }
}

// ---- Orders ------------------------------------------------------------

// byBar is a map from operations, which are small numbers.
function byBar() {
  const of = new Array(bars.length);
  return { size: 0, get: i => of[i], has: i => of[i] !== undefined, set(i, v) { of[i] = v; this.size++; } };
}

// For every order: the number of each operation, and (where operations stand within their intervals) the place
// at which it takes effect: the latest call so far, spread out between that call and the next event.
function prepare(o) {
  o.number = byBar();
  o.step = byBar();
  o.point = byBar();
  let latest = -1, group = []; // the operations that take effect right after the call at latest
  const spread = () => {
    if (!['ρ″', 'commit order'].includes(o.name)) group.forEach((i, k) => o.point.set(i, Math.min(latest + (k + 1) / (group.length + 1), bars[i].b - 0.05)));
    group = [];
  };
  o.steps.forEach((s, k) => {
    if (s.o < 0) return;
    o.number.set(s.o, k + 1);
    o.step.set(s.o, s);
    if (bars[s.o].a > latest) {
      spread();
      latest = bars[s.o].a;
    }
    group.push(s.o);
  });
  spread();
}
for (const r of data.reasons) for (const o of r.orders) prepare(o);

// partialOf is the longest partial linearization with an operation that is not in the order shown, null if there is none.
function partialOf(i) {
  if (!why.longest) { // on first use
    why.longest = byBar();
    let before = [];
    for (const p of why.partials) {
      before = p.all = before.slice(0, p.k).concat(p.o);
      for (const op of p.f ?? []) why.longest.set(op, p);
    }
  }
  const p = why.longest.get(i);
  if (!p) return null;
  if (!p.order) prepare(p.order = { name: 'partial linearization', steps: p.all.map(o => ({ o })) });
  return p.order;
}

// order is what numbers the operations: the order that the reader chose; otherwise, where there is no linearization, a
// longest partial linearization with the operation under the pointer, or with the pinned one.
function order() {
  if (show.order >= 0) return why.orders[show.order];
  const i = show.hover >= 0 ? show.hover : show.pin;
  return i >= 0 && why.partials.length ? partialOf(i) ?? undefined : undefined;
}

// ---- Drawing -----------------------------------------------------------

let drawn = { bars: 0, texts: 0, numbers: 0, links: [], milliseconds: 0 };
let wanted = false, charWidth = 7.2;

function redraw() {
  if (wanted) return;
  wanted = true;
  requestAnimationFrame(() => { wanted = false; draw(); });
}

function size(element, context, height) {
  const ratio = window.devicePixelRatio || 1, width = element.clientWidth;
  if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return width;
}

function measure() {
  const whole = view.width > 0 && view.scale <= leastScale() * 1.0001;
  view.width = size(canvas, pen, $('frame').clientHeight);
  view.height = $('frame').clientHeight;
  layRows();
  if (whole) view.scale = leastScale(); // what showed everything goes on doing so
  clampView();
}

function draw() {
  const start = performance.now();
  measure();
  pen.font = MONO;
  charWidth = pen.measureText('0000000000').width / 10;
  drawn = { bars: 0, texts: 0, numbers: 0, links: [], milliseconds: 0 };
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, view.width, view.height);
  drawRows();
  pen.save();
  pen.beginPath();
  pen.rect(GUTTER, head, view.width - GUTTER, view.height - head);
  pen.clip();
  drawWindow();
  drawFolds();
  const top = [];
  for (let row = firstRow(); row < lanes.length && rowTop(row) < view.height; row++) drawLane(row, top);
  for (const i of top) drawBar(i);
  drawFoldNames();
  drawGuides();
  for (const [a, b] of why.edges) drawEdge(a, b);
  for (const [a, b] of why.finding?.explains ?? []) drawEdge(a, b, ink.point);
  for (const l of why.links) drawLink(l);
  if (order()) drawPoints();
  pen.restore();
  drawHead();
  drawScroll();
  drawOverview();
  drawn.milliseconds = performance.now() - start;
}

const firstRow = () => Math.max(0, Math.floor(view.top / rowHeight));

function drawRows() {
  for (let row = firstRow(); row < lanes.length && rowTop(row) < view.height; row++) {
    const y = rowTop(row);
    pen.fillStyle = ink.line;
    pen.fillRect(0, Math.round(y + rowHeight) - 1, view.width, 1);
    pen.font = SANS;
    pen.fillStyle = ink.soft;
    pen.textBaseline = 'middle';
    pen.fillText(clip('process ' + data.lanes[lanes[row]], 14), 20, y + rowHeight / 2);
  }
  const hidden = byLane.filter(list => list.length).length - lanes.length, y = rowTop(lanes.length) + 12;
  if (hidden <= 0 || y > view.height) return;
  pen.font = SANS;
  pen.fillStyle = ink.soft;
  pen.textBaseline = 'middle';
  pen.fillText(`${hidden} more ${hidden > 1 ? 'processes' : 'process'} without a part in this`, 20, y);
}

const clip = (text, most) => text.length > most ? text.slice(0, Math.max(1, most - 1)) + '…' : text;

// The stretch of time that the argument is about.
function drawWindow() {
  const [from, to] = why.window;
  if (to <= from) return;
  pen.fillStyle = ink.window;
  pen.fillRect(X(from - 0.5), head, X(to + 0.5) - X(from - 0.5), bottom() - head);
}

// The stretches that are folded, and how many operations were called there.
function drawFolds() {
  if (show.time) return;
  pen.fillStyle = ink.panel;
  for (const f of folds) if (X(f.to) > GUTTER && X(f.from) < view.width) pen.fillRect(X(f.from), head, X(f.to) - X(f.from), bottom() - head);
}

function drawFoldNames() {
  if (show.time) return;
  pen.font = SANS;
  pen.textBaseline = 'middle';
  for (const f of folds) {
    const from = X(f.from), to = X(f.to), text = `${f.n} more`, width = pen.measureText(text).width;
    if (to - from < width + 6 || to < GUTTER || from > view.width) continue;
    pen.fillStyle = ink.paper;
    pen.fillRect((from + to - width) / 2 - 3, head + 2, width + 6, 15);
    pen.fillStyle = ink.soft;
    pen.fillText(text, (from + to - width) / 2, head + 10);
  }
}

// visible finds the bars of a lane that may be in view: they do not overlap, so they are sorted by both ends.
function visible(list) {
  const left = unitAt(GUTTER), right = unitAt(view.width);
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (unit(bars[list[middle]].b) < left) low = middle + 1; else high = middle;
  }
  let end = low;
  while (end < list.length && unit(bars[list[end]].a) <= right) end++;
  return list.slice(low, end);
}

// drawLane draws a row; the core and what is pinned go on top of everything.
function drawLane(row, top) {
  let edge = -1;
  for (const i of visible(shown[lanes[row]])) {
    if (part(i) || i === show.pin) { top.push(i); continue; }
    const right = X(bars[i].b);
    if (right < edge + 1 && right - X(bars[i].a) < 2) continue; // nothing of it would be seen
    drawBar(i);
    edge = right;
  }
}

// outside reports whether an operation is on another object than the reasons are about.
const outside = i => why.key && data.reasons.length > 1 ? bars[i].k !== why.key : bars[i].x;
const faded = i => (show.dim && hasCore && !part(i) || outside(i)) && i !== show.pin && i !== show.hover;

function shape(x, y, width, height, open) {
  const r = Math.min(4, width / 2, height / 2);
  pen.beginPath();
  if (!open) { pen.roundRect(x, y, width, height, r); return; }
  pen.moveTo(x + width, y);
  pen.lineTo(x + r, y);
  pen.quadraticCurveTo(x, y, x, y + r);
  pen.lineTo(x, y + height - r);
  pen.quadraticCurveTo(x, y + height, x + r, y + height);
  pen.lineTo(x + width, y + height);
}

function drawBar(i) {
  const b = bars[i], height = Math.min(26, rowHeight - 8), y = rowTop(rowOf[b.l]) + (rowHeight - height) / 2;
  const isCore = core.has(i), moved = order()?.step.get(i)?.m, fade = faded(i);
  let x = X(b.a), right = b.p ? Math.max(X(places), x + 30) : X(b.b);
  const least = isCore ? 4 : 1.2;
  if (right - x < least) right = x + least;
  if (right < GUTTER || x > view.width) return;
  // Keep the numbers that the canvas gets small: parts far outside cannot be seen.
  const begin = Math.max(x, GUTTER - 20), end = Math.min(right, view.width + 20);
  let fill = ink.fill.get(b.f), stroke = ink.stroke.get(b.f), text = ink.ink, weight = '';
  if (moved) { fill = ink['moved-fill']; stroke = ink.moved; }
  if (isCore) { fill = ink['core-fill']; stroke = ink.core; text = ink['core-ink']; weight = '600 '; }
  if (fade) { fill = ink.panel; stroke = ink.line; text = ink.faint; }
  drawn.bars++;
  if (end - begin < 4 && !isCore && !b.p && i !== show.pin && i !== show.hover) {
    pen.fillStyle = stroke;
    pen.fillRect(begin, y, end - begin, height);
    return;
  }
  if (b.p) { // open-ended: fades out instead of ending
    const solid = Math.min(end, begin + (b.s.length + b.i.length + 4) * charWidth + 30);
    const paint = pen.createLinearGradient(begin, 0, solid, 0);
    paint.addColorStop(0, fill);
    paint.addColorStop(0.7, fill);
    paint.addColorStop(1, ink.paper);
    fill = paint;
    pen.strokeStyle = stroke;
    pen.lineWidth = 1;
    pen.setLineDash([2, 4]);
    pen.beginPath();
    pen.moveTo(solid, Math.round(y + height / 2) + 0.5);
    pen.lineTo(end, Math.round(y + height / 2) + 0.5);
    pen.stroke();
    pen.setLineDash([]);
    shape(begin, y, solid - begin, height, true);
    pen.fillStyle = fill;
    pen.fill();
    const line = pen.createLinearGradient(begin, 0, solid, 0);
    line.addColorStop(0.3, stroke);
    line.addColorStop(1, ink.paper);
    pen.strokeStyle = line;
    pen.lineWidth = i === why.fails ? 2 : 1;
    pen.stroke();
  } else {
    shape(begin, y, end - begin, height, false);
    pen.fillStyle = fill;
    pen.fill();
    pen.strokeStyle = stroke;
    pen.lineWidth = i === why.fails ? 2 : 1;
    pen.stroke();
  }
  if (i === show.pin || i === show.hover) {
    shape(begin - 1.5, y - 1.5, end - begin + 3, height + 3, b.p);
    pen.strokeStyle = ink.select;
    pen.lineWidth = 2;
    pen.stroke();
  }
  const number = order()?.number.get(i);
  drawText(b, number, Math.max(begin, GUTTER - 2), end, y + height / 2, text, weight, moved, fade);
}

// drawText writes on a bar what there is room for: the operation, then its number, then both shortened.
function drawText(b, number, begin, end, y, color, weight, moved, fade) {
  let x = begin + 6;
  pen.textBaseline = 'middle';
  if (number !== undefined) {
    const label = String(number) + (moved ? (moved > 0 ? ' +' : ' −') + Math.abs(moved) : '');
    const width = label.length * charWidth + 8;
    if (end - begin > width + 4) {
      pen.globalAlpha = fade ? 0.5 : 1;
      pen.fillStyle = moved ? ink.moved : ink.point;
      pen.beginPath();
      pen.roundRect(begin + 3, y - 8, width, 16, 3);
      pen.fill();
      pen.fillStyle = ink.paper;
      pen.font = '600 ' + MONO;
      pen.fillText(label, begin + 7, y + 0.5);
      pen.globalAlpha = 1;
      x = begin + width + 9;
      drawn.numbers++;
    }
  }
  const room = Math.floor((end - x - 4) / charWidth);
  if (room < 2) return;
  pen.font = weight + MONO;
  pen.fillStyle = color;
  const whole = b.s + '  #' + b.i;
  pen.fillText(room >= whole.length ? b.s : clip(b.s, room), x, y + 0.5);
  drawn.texts++;
  if (room >= whole.length) {
    pen.globalAlpha = 0.6;
    pen.fillText('#' + b.i, x + (b.s.length + 1) * charWidth, y + 0.5);
    pen.globalAlpha = 1;
  }
}

// The call and the return of the pinned operation run through all lanes: what lies between is concurrent with it.
function drawGuides() {
  const b = bars[show.pin];
  if (!b) return;
  pen.strokeStyle = ink.select;
  pen.lineWidth = 1;
  pen.setLineDash([3, 3]);
  for (const x of b.p ? [X(b.a)] : [X(b.a), X(b.b)]) {
    pen.beginPath();
    pen.moveTo(Math.round(x) + 0.5, head);
    pen.lineTo(Math.round(x) + 0.5, bottom());
    pen.stroke();
  }
  pen.setLineDash([]);
}

// drawEdge draws an arrow from one operation to another: one that returned before, or one that never returned and left
// what the other found.
function drawEdge(a, b, colour = ink.core) {
  const rowA = rowOf[bars[a].l], rowB = rowOf[bars[b].l];
  if (rowA < 0 || rowB < 0 || !passes(a) || !passes(b)) return;
  const x1 = bars[a].p ? X(bars[a].a) + (bars[a].s.length + bars[a].i.length + 4) * charWidth : X(bars[a].b), x2 = bars[a].p ? Math.max(X(bars[b].a), X(bars[b].b) - 12) : X(bars[b].a), y1 = rowTop(rowA) + rowHeight / 2, y2 = rowTop(rowB) + rowHeight / 2;
  if (Math.max(x1, x2) < GUTTER - 50 || Math.min(x1, x2) > view.width + 50) return;
  const bend = Math.max(14, Math.abs(x2 - x1) / 2);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.8;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2 - 6, y2);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x2, y2);
  pen.lineTo(x2 - 8, y2 - 4.5);
  pen.lineTo(x2 - 8, y2 + 4.5);
  pen.fill();
}

// drawPoints marks where each operation takes effect, joined in order.
function drawPoints() {
  const o = order();
  if (!o.point.size || view.scale < 1.5) return;
  const spots = [];
  for (const s of o.steps) {
    if (s.o < 0) continue;
    const b = bars[s.o], row = rowOf[b.l], x = X(o.point.get(s.o));
    if (row < 0 || !passes(s.o)) continue;
    spots.push([x, rowTop(row) + (rowHeight + Math.min(26, rowHeight - 8)) / 2]);
  }
  pen.strokeStyle = ink.point;
  pen.globalAlpha = 0.35;
  pen.lineWidth = 1;
  pen.beginPath();
  let last = null;
  for (const [x, y] of spots) {
    if (last && !(Math.max(last[0], x) < 0 || Math.min(last[0], x) > view.width)) { pen.moveTo(...last); pen.lineTo(x, y); }
    last = [x, y];
  }
  pen.stroke();
  pen.globalAlpha = 1;
  pen.fillStyle = ink.point;
  for (const [x, y] of spots) {
    if (x < 0 || x > view.width) continue;
    pen.beginPath();
    pen.arc(x, y, 3, 0, 7);
    pen.fill();
  }
}

// drawHead draws the ruler and the notes over the lanes.
function drawHead() {
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, view.width, head);
  pen.fillStyle = ink.line;
  pen.fillRect(0, head - 1, view.width, 1);
  pen.font = SANS;
  pen.textBaseline = 'middle';
  pen.fillStyle = ink.faint;
  let end = GUTTER - 12, before = '';
  if (places) {
    pen.fillText(show.time ? 'time' : 'in order, at', 20, RULER / 2 + 1);
    const first = Number(bars.length ? bars[0].c : 0);
    for (let x = GUTTER + 8; x < view.width - 30; x += 130) {
      const u = unitAt(x);
      if (u < 0 || u > axis()[places - 1]) continue;
      const label = show.time ? String(Math.round(first + u / roomy[places - 1] * span)) : String(Math.round(first + data.times[placeAt(u)]));
      if (x < end || label === before) continue;
      before = label;
      pen.fillText(label, x + 5, RULER / 2 + 1);
      pen.fillRect(Math.round(x), 6, 1, RULER - 10);
      end = x + pen.measureText(label).width + 16;
    }
  }
  for (const r of noteRows) drawNotes(r);
}

// drawNotes draws a row of notes: spans as bars, moments as texts, each with a line through the lanes where it begins.
function drawNotes(row) {
  const y = RULER + row.at * NOTE + NOTE / 2;
  pen.font = SANS;
  pen.textBaseline = 'middle';
  pen.fillStyle = ink.soft;
  if (row.at === 0 || noteRows[row.at - 1].name !== row.name) pen.fillText(clip(row.name.replace(/^:/, '') || 'events', 14), 20, y);
  let noted = -1;
  row.notes.forEach((n, k) => {
    const x = X(n.at - 0.5), end = n.until === undefined ? x : Math.max(x + 3, X(n.until - 0.5));
    n.x = [1, 0]; // nowhere
    if (Math.max(end, x + 300) < GUTTER || x > view.width) return;
    const left = Math.max(x, GUTTER), next = row.notes[k + 1] ? X(row.notes[k + 1].at - 0.5) : Infinity;
    const most = n.until === undefined ? Math.max(next, x + 60) - x - 18 : Math.min(end, view.width) - left - 10;
    const text = clip(n.text, Math.max(n.until === undefined ? 6 : 0, Math.floor(most / 6)));
    if (x >= GUTTER) guide(x, n);
    if (n.until !== undefined && end >= GUTTER) {
      guide(end, n);
      band(n, left, Math.min(end, view.width), y);
      n.x = [left, end];
    }
    if (n.until === undefined && (x < GUTTER || x < noted)) {
      if (x >= GUTTER) n.x = [x - 3, x + 3];
      return;
    }
    if (n.until !== undefined && most < 12) return;
    const width = pen.measureText(text).width;
    if (n.until === undefined) {
      if (n.background) band(n, x, x + width + 10, y);
      n.x = [x, x + width + 10];
      noted = x + width + 12;
    }
    pen.fillStyle = n.color ?? (n.background ? legible(n.background) : ink.note);
    pen.fillText(text, left + 5, y);
  });
}

// guide draws the line of a note through the lanes.
function guide(x, n) {
  pen.strokeStyle = n.background ?? ink.note;
  pen.globalAlpha = 0.5;
  pen.lineWidth = 1;
  pen.setLineDash([2, 4]);
  pen.beginPath();
  pen.moveTo(Math.round(x) + 0.5, RULER + (n.row.at + 1) * NOTE - 3);
  pen.lineTo(Math.round(x) + 0.5, bottom());
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

// band draws the box of a note, and faintly what lasted through the lanes.
function band(n, from, to, y) {
  pen.fillStyle = n.background ?? ink.note;
  pen.globalAlpha = n.background ? 1 : 0.16;
  pen.beginPath();
  pen.roundRect(from, y - 9, to - from, 18, 3);
  pen.fill();
  if (n.until !== undefined) {
    pen.globalAlpha = 0.06;
    pen.fillRect(from, head, to - from, bottom() - head);
  }
  pen.globalAlpha = 1;
  if (n !== data.notes[show.note]) return;
  pen.strokeStyle = ink.select;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.roundRect(from, y - 9, to - from, 18, 3);
  pen.stroke();
}

// legible is black or white, whichever is read better on a colour.
const grounds = new Map();
function legible(colour) {
  if (!grounds.has(colour)) {
    const probe = new OffscreenCanvas(1, 1).getContext('2d');
    probe.fillStyle = '#fff';
    probe.fillRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data].map(v => (v / 255) ** 2.2);
    grounds.set(colour, 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? '#000' : '#fff');
  }
  return grounds.get(colour);
}

// hitNote finds the note at a point of the canvas, -1 if none.
function hitNote(x, y) {
  if (x < GUTTER || y < RULER || y >= head) return -1;
  const row = noteRows[Math.floor((y - RULER) / NOTE)];
  return data.notes.indexOf(row.notes.findLast(n => n.x && x >= n.x[0] - 2 && x <= n.x[1] + 2));
}

const describeNote = n => [['process', n.process], ['time', n.end ? `${n.time} to ${n.end}` : n.time], ['details', n.details]].filter(f => f[1]);

// pinNote keeps a note in the side panel, and moves the view to it.
function pinNote(k) {
  pin(-1);
  const n = data.notes[k], box = $('pinned');
  if (!n) return;
  show.note = k;
  box.hidden = false;
  box.firstElementChild.textContent = 'Event';
  const list = element('dl');
  for (const [name, text] of describeNote(n)) list.append(element('dt', {}, name), element('dd', {}, text));
  box.lastElementChild.replaceChildren(element('p', {}, n.text), list);
  $('live').textContent = [n.text, ...describeNote(n).map(f => f.join(' '))].join(', ');
  showSide();
  measure(); // the side panel may have opened
  const x = X(n.at - 0.5);
  if (x < GUTTER || x > view.width - 40) view.left = unit(Math.max(0, n.at - 0.5)) - inner() / view.scale / 3;
  clampView();
  redraw();
}

function drawScroll() {
  const room = view.height - head, all = lanes.length * rowHeight;
  if (all <= room) return;
  pen.fillStyle = ink.faint;
  pen.globalAlpha = 0.6;
  pen.beginPath();
  pen.roundRect(view.width - 7, head + view.top / all * room, 4, Math.max(20, room / all * room), 2);
  pen.fill();
  pen.globalAlpha = 1;
}

// The overview shows how many operations are open everywhere, the core, and what the timeline shows of it.
let density = [];
function drawOverview() {
  const width = size(overview, small, 44), left = GUTTER, room = width - GUTTER - 12;
  if (room <= 0) return;
  if (density.length !== Math.floor(room)) measureDensity(Math.floor(room));
  const scale = place => left + place / Math.max(1, places) * room, most = Math.max(1, ...density);
  small.font = SANS;
  small.textBaseline = 'middle';
  small.fillStyle = ink.faint;
  small.fillText('overview', 20, 22);
  small.fillStyle = ink.light ? '#cfd6de' : '#3a424c';
  density.forEach((n, x) => small.fillRect(left + x, 36 - n / most * 24, 1, n / most * 24));
  small.fillStyle = ink.core;
  for (const i of core) small.fillRect(Math.round(scale(bars[i].a)), 8, Math.max(2, scale(bars[i].p ? bars[i].a : bars[i].b) - scale(bars[i].a)), 4);
  if (why.fails >= 0) small.fillRect(Math.round(scale(bars[why.fails].b)) - 1, 8, 2, 28);
  small.fillStyle = ink.note;
  for (const n of data.notes) small.fillRect(Math.round(scale(n.at)), 37, Math.max(2, n.until === undefined ? 2 : scale(n.until) - scale(n.at)), 3);
  const from = scale(Math.max(0, placeAt(unitAt(GUTTER)))), to = scale(Math.min(places, placeAt(unitAt(view.width))));
  small.strokeStyle = ink.select;
  small.lineWidth = 1.5;
  small.strokeRect(from, 4, Math.max(5, to - from), 36);
}

function measureDensity(room) {
  const change = new Float64Array(room + 2);
  for (const b of bars) {
    change[Math.floor(b.a / Math.max(1, places) * room)]++;
    if (!b.p) change[Math.floor(b.b / Math.max(1, places) * room) + 1]--;
  }
  density = [];
  let open = 0;
  for (let x = 0; x < room; x++) density.push(open += change[x]);
}

// ---- What lies where ---------------------------------------------------

// hit finds the operation at a point of the canvas, -1 if none.
function hit(x, y) {
  if (x < GUTTER || y < head) return -1;
  const row = Math.floor((y - head + view.top) / rowHeight);
  if (row < 0 || row >= lanes.length) return -1;
  let best = -1, nearest = 4;
  for (const i of visible(shown[lanes[row]])) {
    const from = X(bars[i].a), to = bars[i].p ? Infinity : Math.max(from + 1, X(bars[i].b));
    const away = x < from ? from - x : x > to ? x - to : 0;
    if (away < nearest || away === nearest && core.has(i)) { best = i; nearest = away; }
  }
  return best;
}

// ---- Words -------------------------------------------------------------

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) if (k === 'onclick') e.onclick = v; else if (v !== false) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

const nameOf = i => `${bars[i].t} #${bars[i].i}`, briefly = i => `${bars[i].s} #${bars[i].i}`;
const reference = (i, text = nameOf(i)) =>
  element('button', { class: 'op' + (i === why.fails ? ' fails' : ''), onclick: () => go(i) }, text);

function describe(i) {
  const b = bars[i], out = [['process', data.lanes[b.l]]];
  if (b.k) out.push(['object', b.k]);
  if (b.g) out.push(['argument', b.g]);
  out.push(['result', b.p ? 'none: it never returned' : b.r ?? 'none']);
  out.push(['called at', b.c], ['returned at', b.d ?? 'never']);
  if (b.n) out.push(['input line', String(b.n)]);
  if (why.partials.length && !outside(i)) {
    const o = partialOf(i);
    out.push(['partial linearization', o ? `a longest one with it has ${o.steps.length} operations; it is place ${o.number.get(i)}` : 'none found with it']);
  }
  for (const o of why.orders) {
    const s = o.step.get(i);
    if (!s) continue;
    out.push([o.name, `place ${o.number.get(i)} of ${o.steps.length}` + (s.m ? `, ${shift(s.m)}` : '')]);
    if (s.s) out.push(['state after it', s.s]);
  }
  return out;
}

// partialList is the longest partial linearization with an operation, around it.
function partialList(i) {
  const o = why.partials.length && !outside(i) ? partialOf(i) : null;
  if (!o) return [];
  const k = o.number.get(i) - 1, from = Math.max(0, k - 12), to = Math.min(o.steps.length, k + 13);
  const list = element('ol', { class: 'ways', start: String(from + 1) });
  for (const s of o.steps.slice(from, to)) list.append(element('li', {}, s.o === i ? element('b', {}, nameOf(i)) : reference(s.o)));
  return [list];
}

const shift = m => `${Math.abs(m)} ${m > 0 ? 'later' : 'earlier'} in ρ″ than in ρ′`;

// pin keeps an operation in the side panel and marks it.
function pin(i) {
  show.pin = i;
  const box = $('pinned');
  box.hidden = i < 0;
  if (i >= 0) {
    const list = element('dl');
    for (const [name, text] of describe(i)) list.append(element('dt', {}, name), element('dd', {}, text));
    box.firstElementChild.textContent = 'Operation';
    box.lastElementChild.replaceChildren(element('span', { class: 'op' }, nameOf(i)), list, ...partialList(i));
    $('live').textContent = nameOf(i) + ', ' + describe(i).map(f => f.join(' ')).join(', ');
  }
  showSide();
  if (show.order >= 0 && i >= 0 && order().number.has(i)) revealStep(order().number.get(i) - 1);
  show.note = -1;
  drawSteps();
  redraw();
}

// go moves the view to an operation and pins it.
function go(i) {
  if (show.key && bars[i].k !== show.key) filter('key', '');
  if (show.process && data.lanes[bars[i].l] !== show.process) filter('process', '');
  if (rowOf[bars[i].l] < 0) toggle('fold');
  pin(i);
  measure(); // the side panel may have opened
  const b = bars[i], from = unit(b.a), to = b.p ? from + textUnits(b) : unit(b.b);
  if ((to - from) * view.scale < 30) view.scale = Math.max(view.scale, show.time ? Math.min(mostScale(), 60 / (to - from)) : LEGIBLE);
  clampView();
  if (from < view.left || to > view.left + inner() / view.scale) view.left = Math.min(from - 1, (from + to) / 2 - inner() / view.scale / 2);
  clampView();
  centreRow(b.l);
  redraw();
}

function tip(i, x, y) {
  const box = $('tip'), note = i < 0 && x !== undefined ? data.notes[hitNote(x, y)] : undefined;
  if (show.hover !== i) { show.hover = i; redraw(); }
  canvas.classList.toggle('over', i >= 0 || Boolean(note));
  box.hidden = i < 0 && !note;
  if (box.hidden) return;
  if (note) box.replaceChildren(note.text, ...describeNote(note).map(f => element('small', {}, f.join(' '))));
  else fillTip(box, i);
  box.style.left = Math.max(0, Math.min(x + 14, view.width - box.offsetWidth - 8)) + 'px';
  box.style.top = (y + 18 + box.offsetHeight > view.height ? Math.max(0, y - box.offsetHeight - 10) : y + 18) + 'px';
}

function fillTip(box, i) {
  const b = bars[i], o = order() ?? (why.partials.length ? undefined : why.orders.at(-1)), s = o?.step.get(i);
  const lines = [`process ${data.lanes[b.l]}`, b.p ? `called at ${b.c}, never returned` : `${b.c} to ${b.d}` + (b.n ? `, line ${b.n}` : '')];
  if (s) {
    const k = o.number.get(i) - 1, from = Math.max(0, k - 3);
    const part = o.steps.slice(from, k + 1).map(x => x.o < 0 ? x.t : bars[x.o].t).join(' · ');
    lines.push(`${k + 1} of ${o.steps.length} in ${o.name === 'partial linearization' ? 'a longest partial linearization with it' : o.name}: ${from ? '… · ' : ''}${part}${s.s ? ', then ' + s.s : ''}`);
  } else if (o && !outside(i)) lines.push(`not in ${o.name}`);
  else if (why.partials.length && !outside(i)) lines.push('in no partial linearization that was found');
  box.replaceChildren(nameOf(i), ...lines.map(t => element('small', {}, t)));
}

function showSide() {
  const empty = [...$('side').children].every(s => s.hidden);
  $('side').classList.toggle('empty', empty);
}

function fillHeader() {
  $('verdict').textContent = data.verdict || 'history';
  $('verdict').className = data.verdict ? data.answer : 'none';
  $('source').textContent = data.source;
  fillFacts();
  fillOrders();
  for (const id of ['core', 'dim', 'fold']) $(id).hidden = !hasCore;
  $('time').hidden = !timed;
  const failing = new Set(data.refuted);
  const options = (id, all, names) => {
    $(id).hidden = names.length < 2;
    if (names.length > 1) $(id).replaceChildren(...[element('option', { value: '' }, all), ...names.map(n => element('option', { value: n }, failing.has(n) && id === 'key' ? n + ' ✗' : n))]);
  };
  options('key', 'all objects', [...new Set(bars.map(b => b.k).filter(k => k))].sort(collator.compare));
  options('process', 'all processes', laneOrder.filter(l => byLane[l].length).map(l => data.lanes[l]));
}

function fillFacts() {
  const first = data.reasons[0].title, said = text => (first ? text.replace(first, () => why.title) : text);
  $('facts').replaceChildren(...data.facts.map(([name, text]) => element('div', {}, element('dt', {}, name), element('dd', {}, said(text)))));
}

function fillOrders() {
  $('orders').replaceChildren(...why.orders.map((o, k) =>
    element('button', { id: 'by' + k, 'aria-pressed': 'false', title: o.title + ' (o)', onclick: () => number(show.order === k ? -1 : k) }, k || why.orders.length > 1 ? o.name : 'Order')));
}

// choose shows the reasons about one of several objects that are not linearizable, and that object alone; or, if it was
// alone already, all objects again.
function choose(key) {
  const alone = show.key === key;
  const reason = data.reasons.find(r => r.key === key);
  number(-1);
  pin(-1);
  if (reason && reason !== why) {
    why = reason;
    core = new Set(why.core);
    seen = new Set(why.finding?.ops);
    fillOrders();
    fillFacts();
  }
  filter('key', alone ? '' : key);
  fillFinding();
  fillWhy();
  $('legend').replaceChildren();
  fillLegend();
  showSide();
  measure();
  fitCore();
}

// fillFinding writes the table above the timeline: what is wrong, at a glance.
function fillFinding() {
  const box = $('finding'), f = why.finding;
  box.hidden = !f;
  if (!f) return;
  const text = spans => (spans ?? []).map(s => s.o ? reference(s.o - 1, s.t) : s.t);
  const head = element('tr', {}, ...f.columns.map(c => element('th', {}, ...text(c))));
  const striped = f.rows.some(r => r.s);
  if (striped) head.append(element('th', {}, sign('added'), sign('found'), sign('missed')));
  const rows = f.rows.map(r => {
    const row = element('tr', { class: r.w ? 'wrong' : r.m ? 'maybe' : '' }, ...r.c.map(c => element('td', {}, ...text(c))));
    if (striped) row.append(element('td', {}, strip(r.s ?? [])));
    return row;
  });
  box.replaceChildren(element('h2', {}, ...text(f.title)), element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows)), ...(f.notes ?? []).map(n => element('p', {}, ...text(n))));
}

const sign = what => element('span', { class: 'key' }, element('i', { class: what }), what);

// strip draws stretches of the history.
function strip(stretches) {
  const box = element('div', { class: 'strip' });
  for (const s of stretches) {
    const piece = element('i', { class: s.w, title: s.w });
    piece.style.left = 100 * s.a / places + '%';
    piece.style.width = 100 * (Math.min(s.b, places) - s.a) / places + '%';
    box.append(piece);
  }
  return box;
}

function fillWhy() {
  const box = $('why').lastElementChild, parts = [];
  if (data.refuted.length > 1) {
    const not = data.verdict.includes('quasi-linearizable') ? 'not quasi-linearizable' : 'not linearizable';
    const known = k => data.reasons.some(r => r.key === k);
    parts.push(element('div', { class: 'keys', role: 'group', 'aria-label': `Objects that are ${not}` }, element('span', { class: 'soft' }, `${data.refuted.length} are ${not}:`),
      ...data.refuted.map(k => element('button', { class: 'key', 'aria-pressed': String(k === why.key), title: known(k) ? `the reasons about ${k}` : `${k}, whose reasons were not looked for`, onclick: () => choose(k) }, k))));
    if (show.key && show.key !== why.key && data.refuted.includes(show.key))
      parts.push(element('p', { class: 'soft' }, `Reasons about ${show.key} were not looked for; what follows is about ${why.key}.`));
  }
  for (const sentence of why.sentences)
    parts.push(element('p', {}, ...sentence.map(s => s.o ? reference(s.o - 1, s.t) : s.t)));
  if (why.fails >= 0 && !why.sentences.length) parts.push(element('p', {}, reference(why.fails), ' cannot be placed before it returns.'));
  if (why.before.length) {
    parts.push(element('p', { class: 'soft' }, 'What is possible just before that return' + (why.complete ? ':' : ', some of it:')));
    const list = element('ul', { class: 'ways' });
    for (const c of why.before) {
      const item = element('li', {}, element('code', {}, c.state));
      (c.after ?? []).forEach((i, k) => item.append(k ? ', ' : ' after ', reference(i, briefly(i))));
      for (const r of c.refused ?? []) item.append(element('div', { class: 'soft' }, ...(r.op === why.fails ? [] : ['nor ', reference(r.op, briefly(r.op)), ': ']), r.why));
      list.append(item);
    }
    parts.push(list);
  }
  box.replaceChildren(...parts);
  $('why').hidden = !parts.length;
}

function fillLegend() {
  const sign = (text, style, kind = '') => $('legend').append(element('li', {}, element('i', { class: kind, style }), text));
  if (hasCore) sign(why.sentences.length ? 'what the argument uses' : 'what the verdict rests on', 'background:var(--core-fill);border-color:var(--core)');
  for (const f of functions.slice(0, 8)) sign(f, `background:${ink.fill.get(f)};border-color:${ink.stroke.get(f)}`);
  if (bars.some(b => b.p)) sign('never returned', 'background:var(--line);border-color:var(--soft)', 'open');
  if (why.finding?.explains) sign('took effect, and was seen', 'background:var(--point);border-color:var(--point);height:2px;vertical-align:4px');
  if (why.links.length) for (const k of Object.keys(LINKS)) if (why.links.some(l => l.w === k)) sign(LINKS[k][1], `background:var(--${LINKS[k][0]});border-color:var(--${LINKS[k][0]});height:2px;vertical-align:4px`);
  if (why.orders.some(o => o.steps.some(s => s.m))) sign('stands elsewhere in ρ″ than in ρ′', 'background:var(--moved-fill);border-color:var(--moved)');
  if (data.notes.length) sign('event', 'background:var(--note);border-color:var(--note)');
  if (show.order >= 0 && order().point.size) sign('takes effect, in order', 'background:var(--point);border-color:var(--point)', 'dot');
}

// ---- The list of an order ----------------------------------------------

const ROW = 42;

// number turns an order on, or off with -1.
function number(k) {
  const whole = view.scale <= leastScale() * 1.0001, first = placeAt(view.left);
  show.order = k;
  layAxes();
  if (whole && leastScale() > LEGIBLE / 2) fitAll();
  else view.left = unit(first);
  clampView();
  why.orders.forEach((_, j) => $('by' + j).setAttribute('aria-pressed', String(j === k)));
  $('order').hidden = k < 0;
  if (k >= 0) {
    const o = why.orders[k];
    $('order').querySelector('h2').textContent = `${o.name[0] === 'ρ' ? o.name : o.name[0].toUpperCase() + o.name.slice(1)}, ${o.steps.length} operations`;
    $('order').querySelector('p').textContent = o.title;
    const inside = element('div');
    inside.style.height = o.steps.length * ROW + 'px';
    $('steps').replaceChildren(inside);
    $('steps').scrollTop = 0;
  }
  $('legend').replaceChildren();
  fillLegend();
  showSide();
  drawSteps();
  redraw();
}

// drawSteps makes the rows of the list that are in view.
function drawSteps() {
  const o = why.orders[show.order], box = $('steps');
  if (!o) return;
  const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 4), to = Math.min(o.steps.length, from + Math.ceil(box.clientHeight / ROW) + 9);
  const rows = [];
  for (let k = from; k < to; k++) {
    const s = o.steps[k], name = s.o < 0 ? s.t : nameOf(s.o);
    const row = element('div', { class: 'step' + (core.has(s.o) ? ' core' : '') + (s.o >= 0 && s.o === show.pin ? ' now' : ''), role: 'listitem', title: s.s ? `${name}\n${s.s}` : name },
      element('b', {}, String(k + 1)), element('span', {}, name, ...(s.m ? [element('em', {}, `  ${Math.abs(s.m)} ${s.m > 0 ? 'later' : 'earlier'}`)] : [])), element('small', {}, s.s ?? ''));
    row.style.top = k * ROW + 'px';
    if (s.o >= 0) row.onclick = () => go(s.o);
    rows.push(row);
  }
  box.firstElementChild.replaceChildren(...rows);
}

function revealStep(k) {
  const box = $('steps'), y = k * ROW;
  if (y < box.scrollTop || y + ROW > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 2;
}

// ---- Search ------------------------------------------------------------

let matches = [], match = -1;

function search(text) {
  const wanted = text.trim().toLowerCase();
  matches = [];
  match = -1;
  if (wanted) {
    const id = wanted.replace(/^#/, '');
    bars.forEach((b, i) => { if (b.i.toLowerCase() === id) matches.push(i); });
    if (!wanted.startsWith('#')) bars.forEach((b, i) => { if (b.i.toLowerCase() !== id && b.t.toLowerCase().includes(wanted)) matches.push(i); });
  }
  $('found').textContent = wanted ? String(matches.length) : '';
}

function nextMatch(step) {
  if (!matches.length) return;
  match = (match + step + matches.length) % matches.length;
  $('found').textContent = `${match + 1}/${matches.length}`;
  go(matches[match]);
}

// ---- Hands -------------------------------------------------------------

function toggle(what) {
  show[what] = !show[what];
  $(what).setAttribute('aria-pressed', String(show[what]));
  if (what === 'fold') {
    const middle = placeAt(view.left + inner() / view.scale / 2);
    layLanes();
    layRows();
    layAxes();
    view.left = unit(middle) - inner() / view.scale / 2;
    clampView();
  }
  if (what === 'time') {
    const middle = placeAtAll(view.left + inner() / view.scale / 2), shown = inner() / view.scale;
    view.left = unit(middle) - shown / 2;
    clampView();
  }
  redraw();
}

// placeAtAll is the place that stood at u before show.time was switched.
function placeAtAll(u) {
  show.time = !show.time;
  const place = Math.max(0, Math.min(places - 1, placeAt(u)));
  show.time = !show.time;
  return place;
}

// neighbour is the next operation by call after (step 1) or before (-1) the pinned one, within the core first.
function neighbour(step) {
  const list = hasCore && show.dim ? why.core : null;
  if (list) {
    const k = list.indexOf(show.pin);
    return list[(k < 0 ? (step > 0 ? 0 : list.length - 1) : k + step + list.length) % list.length];
  }
  return Math.max(0, Math.min(bars.length - 1, show.pin + step));
}

function theme(name) {
  root.dataset.theme = name;
  readColours();
  $('legend').replaceChildren();
  fillLegend();
  redraw();
}

const keys = {
  '+': () => zoom(1.4), '=': () => zoom(1.4), '-': () => zoom(1 / 1.4), '0': fitAll, 'c': fitCore,
  'd': () => hasCore && toggle('dim'), 'f': () => hasCore && toggle('fold'), 't': () => timed && toggle('time'),
  'o': () => why.orders.length && number(show.order + 1 < why.orders.length ? show.order + 1 : -1),
  'e': () => data.notes.length && pinNote((show.note + 1) % data.notes.length), 'E': () => data.notes.length && pinNote((Math.max(show.note, 0) + data.notes.length - 1) % data.notes.length),
  'n': () => bars.length && go(neighbour(1)), 'p': () => bars.length && go(neighbour(-1)),
  'ArrowLeft': () => pan(-inner() / 8, 0), 'ArrowRight': () => pan(inner() / 8, 0),
  'ArrowUp': () => pan(0, -rowHeight), 'ArrowDown': () => pan(0, rowHeight),
  'PageUp': () => pan(-inner() * 0.9, 0), 'PageDown': () => pan(inner() * 0.9, 0),
  'Home': () => { view.left = -STEP; clampView(); redraw(); }, 'End': () => { view.left = endUnit(); clampView(); redraw(); },
  'Escape': () => { pin(-1); tip(-1); }, '/': () => $('search').focus(),
};

function pan(x, y) {
  view.left += x / view.scale;
  view.top += y;
  layRows();
  clampView();
  redraw();
}

function listen() {
  document.addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || ['INPUT', 'SELECT'].includes(e.target.tagName)) return;
    if (e.target.closest?.('#side') && e.key !== 'Escape') return;
    const action = keys[e.key];
    if (action) { action(); e.preventDefault(); }
  });
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    if (e.offsetX < GUTTER && !e.ctrlKey) pan(0, e.deltaY);
    else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) pan(e.deltaX || e.deltaY, 0);
    else zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.0016)), e.offsetX);
  }, { passive: false });
  let from = null;
  const fingers = new Map(); // by pointer, where it is
  let pinch = null; // distance and middle of two fingers, while there are two
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { apart: Math.max(20, Math.hypot(a.x - b.x, a.y - b.y)), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const grasp = e => ({ x: e.offsetX, y: e.offsetY, left: view.left, top: view.top, moved: false });
  canvas.addEventListener('pointerdown', e => {
    if (e.isTrusted) canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    from = fingers.size === 1 ? grasp(e) : null;
    pinch = fingers.size === 2 ? spread() : null;
  });
  canvas.addEventListener('pointermove', e => {
    if (fingers.has(e.pointerId)) fingers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
    if (pinch) {
      const now = spread();
      pan(pinch.x - now.x, pinch.y - now.y);
      zoom(now.apart / pinch.apart, now.x);
      pinch = now;
      return;
    }
    if (!from) { if (!fingers.size) tip(hit(e.offsetX, e.offsetY), e.offsetX, e.offsetY); return; }
    if (Math.abs(e.offsetX - from.x) + Math.abs(e.offsetY - from.y) > 4) from.moved = true;
    if (!from.moved) return;
    canvas.classList.add('moving');
    tip(-1);
    view.left = from.left - (e.offsetX - from.x) / view.scale;
    view.top = from.top - (e.offsetY - from.y);
    layRows();
    clampView();
    redraw();
  });
  const release = e => {
    if (e.type === 'pointerup' && from && !from.moved) { const n = hitNote(e.offsetX, e.offsetY); if (n >= 0) pinNote(n); else pin(hit(e.offsetX, e.offsetY)); }
    fingers.delete(e.pointerId);
    from = pinch = null;
    canvas.classList.remove('moving');
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => tip(-1));
  canvas.addEventListener('dblclick', e => zoom(2, e.offsetX));
  const jump = e => {
    const place = (e.offsetX - GUTTER) / Math.max(1, overview.clientWidth - GUTTER - 12) * places;
    view.left = unit(Math.max(0, Math.min(places, Math.round(place)))) - inner() / view.scale / 2;
    clampView();
    redraw();
  };
  overview.addEventListener('pointerdown', e => { overview.setPointerCapture(e.pointerId); jump(e); });
  overview.addEventListener('pointermove', e => { if (e.buttons) jump(e); });
  $('in').onclick = () => zoom(1.4);
  $('out').onclick = () => zoom(1 / 1.4);
  $('all').onclick = fitAll;
  $('core').onclick = fitCore;
  for (const id of ['dim', 'fold', 'time']) $(id).onclick = () => toggle(id);
  for (const id of ['key', 'process']) $(id).onchange = e => filter(id, e.target.value);
  $('png').onclick = () => save('png', canvas.toDataURL('image/png'));
  $('svg').onclick = () => save('svg', URL.createObjectURL(new Blob([svg()], { type: 'image/svg+xml' })));
  $('trace').onclick = () => save('trace.json', URL.createObjectURL(new Blob([JSON.stringify(trace())], { type: 'application/json' })));
  $('theme').onclick = () => theme(root.dataset.theme === 'dark' ? 'light' : 'dark');
  $('search').addEventListener('input', e => search(e.target.value));
  $('search').addEventListener('keydown', e => {
    if (e.key === 'Enter') nextMatch(e.shiftKey ? -1 : 1);
    if (e.key === 'Escape') { e.target.value = ''; search(''); canvas.focus(); }
  });
  $('steps').addEventListener('scroll', drawSteps);
  new ResizeObserver(() => { density = []; drawSteps(); redraw(); }).observe($('frame'));
}

// ---- Files -------------------------------------------------------------

function save(ending, address) {
  const link = element('a', { href: address, download: (data.source.replace(/.*[/\\]/, '').replace(/\.[a-z]+$/i, '') || 'history') + '.' + ending });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// recorder is a pen that writes SVG.
function recorder() {
  const out = [], states = [];
  let path = '', at = {}, dash = [], box = [];
  const escaped = text => String(text).replace(/[&<>"]/g, c => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
  const round = x => Math.round(x * 100) / 100;
  const points = list => list.map(round).join(' ');
  const fading = { gradient: true };
  const paint = colour => escaped(colour.gradient ? colour.colour : colour);
  const looks = () => (at.globalAlpha < 1 ? ` opacity="${at.globalAlpha}"` : '');
  at = { fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, globalAlpha: 1, font: MONO };
  const r = {
    out, save: () => states.push({ ...at }), restore: () => { at = states.pop(); out.push('</svg>'); },
    beginPath: () => { path = ''; }, moveTo: (x, y) => { path += `M${points([x, y])}`; }, lineTo: (x, y) => { path += `L${points([x, y])}`; },
    quadraticCurveTo: (...p) => { path += `Q${points(p)}`; }, bezierCurveTo: (...p) => { path += `C${points(p)}`; },
    arc: (x, y, d) => { path += `M${points([x - d, y])}a${d} ${d} 0 1 0 ${2 * d} 0a${d} ${d} 0 1 0 ${-2 * d} 0`; },
    rect: (x, y, w, h) => { box = [x, y, w, h]; path += `M${points([x, y])}h${round(w)}v${round(h)}h${round(-w)}z`; },
    roundRect: (x, y, w, h, d) => {
      d = Math.min(d, w / 2, h / 2);
      path += `M${points([x + d, y])}h${round(w - 2 * d)}q${d} 0 ${d} ${d}v${round(h - 2 * d)}q0 ${d} ${-d} ${d}h${round(2 * d - w)}q${-d} 0 ${-d} ${-d}v${round(2 * d - h)}q0 ${-d} ${d} ${-d}z`;
    },
    clip: () => { // a rectangle, in this page
      const [x, y, w, h] = box.map(round);
      out.push(`<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="${x} ${y} ${w} ${h}">`);
    },
    fill: () => out.push(`<path d="${path}" fill="${paint(at.fillStyle)}"${looks()}/>`),
    stroke: () => out.push(`<path d="${path}" fill="none" stroke="${paint(at.strokeStyle)}" stroke-width="${at.lineWidth}"${dash.length ? ` stroke-dasharray="${dash}"` : ''}${looks()}/>`),
    fillRect: (x, y, w, h) => out.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, w))}" height="${round(Math.max(0, h))}" fill="${paint(at.fillStyle)}"${looks()}/>`),
    fillText: (text, x, y) => {
      const bold = at.font.startsWith('600'), mono = at.font.includes('monospace');
      out.push(`<text x="${round(x)}" y="${round(y)}" dominant-baseline="central" font-size="12" font-family="${mono ? 'monospace' : 'sans-serif'}"${bold ? ' font-weight="600"' : ''} xml:space="preserve" fill="${paint(at.fillStyle)}"${looks()}>${escaped(text)}</text>`);
    },
    setLineDash: list => { dash = list; }, setTransform: () => {}, clearRect: () => {},
    createLinearGradient: () => { const g = { ...fading, colour: '', addColorStop: (_, c) => { g.colour ||= c; } }; return g; },
    measureText: text => { const real = canvas.getContext('2d'); real.font = at.font; return real.measureText(text); },
  };
  for (const name of ['fillStyle', 'strokeStyle', 'lineWidth', 'globalAlpha', 'font', 'textBaseline'])
    Object.defineProperty(r, name, { get: () => at[name], set: v => { at[name] = v; } });
  return r;
}

// svg draws what is in view once more, as SVG.
function svg() {
  const screen = pen;
  pen = recorder();
  try {
    draw();
    const space = new DOMParser().parseFromString('<svg></svg>', 'text/html').querySelector('svg').namespaceURI;
    return `<svg xmlns="${space}" width="${view.width}" height="${view.height}" viewBox="0 0 ${view.width} ${view.height}">${pen.out.join('\n')}</svg>\n`;
  } finally {
    pen = screen;
    redraw();
  }
}

// trace is the history in the format of Chrome's traces, which Perfetto reads: a thread for each process. Its times are
// microseconds; those of the history are taken as they are, relative to the first.
function trace() {
  const events = [{ ph: 'M', pid: 1, name: 'process_name', args: { name: data.source } }];
  data.lanes.forEach((name, lane) => { if (byLane[lane].length) events.push({ ph: 'M', pid: 1, tid: lane + 1, name: 'thread_name', args: { name: 'process ' + name } }); });
  laneOrder.forEach((lane, k) => events.push({ ph: 'M', pid: 1, tid: lane + 1, name: 'thread_sort_index', args: { sort_index: k } }));
  bars.forEach((b, i) => {
    const ts = data.times[b.a], about = { operation: '#' + b.i, argument: b.g, result: b.p ? 'never returned' : b.r, object: b.k, core: core.has(i) || undefined };
    events.push({ ph: 'X', pid: 1, tid: b.l + 1, cat: b.f, name: b.t, ts, dur: (b.p ? span : data.times[b.b]) - ts, args: about });
  });
  const since = place => place < places ? data.times[place] : span;
  for (const r of noteRows) events.push({ ph: 'M', pid: 1, tid: data.lanes.length + 1 + r.at, name: 'thread_name', args: { name: r.name || 'events' } });
  for (const n of data.notes) {
    const e = { pid: 1, tid: data.lanes.length + 1 + n.row.at, name: n.text, cat: 'event', ts: since(n.at), args: { details: n.details } };
    events.push(n.until === undefined ? { ...e, ph: 'i', s: 'g' } : { ...e, ph: 'X', dur: since(n.until) - e.ts });
  }
  return { traceEvents: events, displayTimeUnit: 'ns' };
}

// ---- Self check --------------------------------------------------------

// check drives the page through what a reader does and returns what went wrong. With #selfcheck in the address its
// outcome stands in the attribute data-selfcheck of the document.
function check() {
  const wrong = [], must = (ok, what) => { if (!ok) wrong.push(what); };
  const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const pixel = (x, y) => {
    const r = window.devicePixelRatio || 1;
    copy.drawImage(canvas, Math.round(x * r), Math.round(y * r), 1, 1, 0, 0, 1, 1);
    return [...copy.getImageData(0, 0, 1, 1).data];
  };
  const press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  const middle = i => { const b = bars[i]; return [Math.max(GUTTER + 2, X(b.a) + 2), rowTop(rowOf[b.l]) + rowHeight / 2 - 6]; };
  const inView = (x, y) => x >= GUTTER && x < view.width && y >= head && y < view.height;
  const frames = [];
  const paint = () => { draw(); frames.push(drawn.milliseconds); };
  paint();
  must(view.width > 100 && view.height > 100, 'the timeline has a size');
  must(drawn.bars > 0 || !bars.length, 'bars are drawn');
  must(drawn.texts > 0 || !bars.length, 'some bars have room for their text at first');
  must($('verdict').textContent.length > 0, 'the verdict is shown');
  if (hasCore) {
    fitCore();
    paint();
    const i = why.fails >= 0 ? why.fails : why.core[0], [x, y] = middle(i), [red, green, blue] = pixel(x, y);
    must(inView(x, y), 'the core is in view');
    must(red > green + 8 && red > blue + 8, `the core is coloured: ${[red, green, blue]}`);
    must(!$('why').hidden, 'the reason is written out');
    must($('finding').hidden === !why.finding && $('finding').querySelectorAll('tbody tr').length === (why.finding?.rows.length ?? 0), 'the table of what is wrong is shown');
    if (why.links.length) checkLinks(must, inView);
    must(show.fold || !folds.length, 'nothing is folded unless asked for');
  }
  fitAll();
  paint();
  must(X(0) >= GUTTER && X(places) <= view.width + 1, 'everything fits');
  const few = view.scale;
  press('+'); paint();
  must(view.scale > few || few >= mostScale(), 'it zooms in');
  press('-'); press('-'); paint();
  must(Math.abs(view.scale - leastScale()) < 1e-6 || view.scale <= few, 'it zooms out');
  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -2000, cancelable: true }));
  must(view.scale >= few, 'the wheel zooms');
  view.left = 0; paint();
  const left = view.left;
  press('ArrowRight'); paint();
  must(view.left > left || endUnit() - inner() / view.scale <= left, 'it moves');
  if (bars.length) {
    const last = bars.length - 1;
    search('#' + bars[last].i);
    nextMatch(1);
    paint();
    must(matches[0] === last && show.pin === last && !$('pinned').hidden, 'the search finds an operation');
    const [x, y] = middle(last);
    must(inView(x, y), 'and moves to it');
    must(hit(x, y) === last, 'and it lies where it is drawn');
    tip(hit(x, y), x, y);
    must($('tip').textContent.includes(bars[last].t), 'its text shows on hovering');
    tip(-1);
  }
  const first = lanes.map(l => data.lanes[l]);
  must(first.every((n, k) => !k || collator.compare(first[k - 1], n) <= 0), 'processes stand in numeric order');
  if (!$('process').hidden) {
    const one = data.lanes[bars[0].l];
    filter('process', one); paint();
    must(lanes.length > 0 && lanes.every(l => data.lanes[l] === one), 'one process is shown alone');
    filter('process', '');
  }
  if (!$('key').hidden) {
    const one = bars.find(b => b.k).k;
    filter('key', one); paint();
    must(lanes.every(l => shown[l].length && shown[l].every(i => bars[i].k === one)), 'one object is shown alone');
    filter('key', '');
  }
  if (data.refuted.length > 1) {
    const button = n => $('why').querySelectorAll('button.key')[n];
    data.refuted.forEach((key, n) => {
      button(n).click(); paint();
      must(show.key === key && lanes.length > 0, 'a failing object can be chosen');
      const reason = data.reasons.find(r => r.key === key);
      if (!reason) return;
      must(why === reason && core.size > 0 && [...core].every(i => bars[i].k === key), `${key} shows its own core`);
      must(button(n).ariaPressed === 'true' && reason.sentences.every(s => $('why').textContent.includes(s.map(x => x.t).join(''))), `${key} shows its own argument`);
    });
    choose(show.key); paint();
    must(show.key === '', 'and left');
    choose(data.reasons[0].key); choose(data.reasons[0].key);
  }
  if (why.partials.length) {
    number(-1); pin(-1);
    for (const i of [...core, ...why.partials[0].o].slice(0, 20)) {
      tip(i, 200, 100); paint();
      const o = order(), p = partialOf(i);
      must(o === (p ?? undefined) && (!p || p.number.has(i) && new Set(p.steps.map(s => s.o)).size === p.steps.length), 'hovering shows a partial linearization with the operation');
      must(!p || why.partials.every(q => q.all.length <= p.steps.length || !q.all.includes(i)), 'and no longer one is known');
      must(!p || p.steps.every((s, k) => p.steps.slice(Math.max(0, k - 50), k).every(before => bars[s.o].b > bars[before.o].a)), 'and it respects the order of time');
    }
    tip(-1);
  }
  if (data.notes.length) {
    const tall = noteRows.length;
    must(tall > 0 && head === RULER + tall * NOTE, 'events have rows of their own');
    data.notes.slice(0, 20).forEach((n, k) => {
      pinNote(k); paint();
      must($('pinned').textContent.includes(n.text) && (!n.details || $('pinned').textContent.includes(n.details)), 'an event is described');
      const x = (Math.max(n.x[0], GUTTER) + Math.min(n.x[1], view.width)) / 2, found = data.notes[hitNote(x, RULER + n.row.at * NOTE + NOTE / 2)];
      must(found && found.row === n.row, 'an event lies where it is drawn');
      if (n.until !== undefined && n.background) {
        const [r, g, b] = pixel(Math.min(n.x[1], view.width) - 3, RULER + n.row.at * NOTE + NOTE / 2), want = new OffscreenCanvas(1, 1).getContext('2d');
        want.fillStyle = n.background;
        want.fillRect(0, 0, 1, 1);
        const [r2, g2, b2] = want.getImageData(0, 0, 1, 1).data;
        must(Math.abs(r - r2) + Math.abs(g - g2) + Math.abs(b - b2) < 40, 'a span has its colour');
      }
    });
    pin(-1);
  }
  fitAll(); paint();
  const touch = (type, id, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: 'touch', clientX: canvas.getBoundingClientRect().x + x, clientY: canvas.getBoundingClientRect().y + head + 20, bubbles: true }));
  const before2 = view.scale, centre = GUTTER + inner() / 2;
  touch('pointerdown', 91, centre - 20); touch('pointerdown', 92, centre + 20);
  touch('pointermove', 91, centre - 80); touch('pointermove', 92, centre + 80);
  touch('pointerup', 91, centre - 80); touch('pointerup', 92, centre + 80);
  paint();
  must(view.scale > before2 * 1.5 || view.scale >= mostScale() * 0.99, 'two fingers zoom');
  const drawing = new DOMParser().parseFromString(svg(), 'image/svg+xml');
  must(!drawing.querySelector('parsererror') && (drawing.querySelectorAll('rect, path').length > lanes.length || !bars.length), 'it is saved as SVG');
  must(canvas.toDataURL('image/png').length > 1000, 'it is saved as PNG');
  const traced = trace().traceEvents.filter(e => e.ph === 'X' && e.cat !== 'event');
  must(traced.length === bars.length && traced.every(e => e.dur >= 0 && e.ts >= 0), 'it is saved as a trace');
  why.orders.forEach((o, k) => {
    number(k);
    if (o.steps.length && o.steps[0].o >= 0) go(o.steps[0].o);
    paint();
    must(drawn.numbers > 0 || !o.steps.length, `${o.name}: numbers are drawn`);
    must($('steps').querySelectorAll('.step').length > 0 || !o.steps.length, `${o.name}: steps are listed`);
    must(o.steps.every(s => s.o < 0 || !o.point.has(s.o) || o.point.get(s.o) >= bars[s.o].a && o.point.get(s.o) <= bars[s.o].b), `${o.name}: points lie within their operations`);
  });
  number(-1);
  pin(-1);
  const before = pixel(GUTTER + 1, view.height - 2).join();
  theme(root.dataset.theme === 'dark' ? 'light' : 'dark'); paint();
  must(pixel(GUTTER + 1, view.height - 2).join() !== before, 'the theme changes');
  theme(root.dataset.theme === 'dark' ? 'light' : 'dark');
  for (const key of ['t', 't', 'f', 'd', 'd', 'f', 'Escape']) { press(key); paint(); }
  const typical = frames.sort((a, b) => a - b)[frames.length >> 1];
  must(typical < 100, `a frame takes ${Math.round(typical)} ms`);
  return { ok: wrong.length === 0, wrong, bars: bars.length, core: core.size, orders: why.orders.length, frame: Math.round(typical * 10) / 10 };
}

// ---- Start -------------------------------------------------------------

root.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
readColours();
layLanes();
layAxes();
fillHeader();
fillFinding();
fillWhy();
fillLegend();
showSide();
listen();
measure();
if (hasCore && (lanes.length > FOLDED_FROM || lanes.length * 24 > view.height - head || spread() > inner() / LEGIBLE)) toggle('fold');
if (!hasCore && why.orders.length && bars.length) number(why.orders.length - 1); // the proof: a linearization, or ρ″ with what moved
if (hasCore) fitCore();
else fitStart();
draw();
canvas.setAttribute('aria-label', `${bars.length} operations of ${lanes.length} processes`);
const asked = new URLSearchParams(location.hash.slice(1)); // page.html#key=x&order=1&op=39&theme=dark
if (asked.has('theme')) theme(asked.get('theme') === 'dark' ? 'dark' : 'light');
if (data.refuted.includes(asked.get('key'))) choose(asked.get('key'));
if (why.orders[asked.get('order') - 1]) number(asked.get('order') - 1);
if (asked.has('op')) {
  const i = bars.findIndex(b => b.i === asked.get('op'));
  if (i >= 0) go(i);
}
if (asked.has('selfcheck')) root.dataset.selfcheck = JSON.stringify(check());
