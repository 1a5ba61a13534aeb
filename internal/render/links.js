'use strict';
// Draws why transactions come before one another, in the program of page.js, which it stands before.

// Why one transaction comes before another: the colour of its arrow, and the words of the legend.
const LINKS = {
  ww: ['moved', 'ww: overwrote, or appended after, what the other wrote'],
  wr: ['point', 'wr: read what the other wrote'],
  rw: ['core', 'rw: read what the other overwrote, or without what it appended'],
  session: ['soft', 'session: of one process, in this order'],
  time: ['soft', 'time: returned before the other was called'],
};

// drawLink draws that one transaction comes before another, as a bow with its reason. Two that come before one another
// have bows on two sides.
function drawLink(l) {
  const [from, to] = [bars[l.a], bars[l.b]];
  if (rowOf[from.l] < 0 || rowOf[to.l] < 0 || !passes(l.a) || !passes(l.b)) return;
  const centre = b => [(Math.max(X(b.a), GUTTER) + Math.min(b.p ? X(b.a) + 80 : X(b.b), view.width)) / 2, rowTop(rowOf[b.l]) + rowHeight / 2];
  const half = Math.min(26, rowHeight - 8) / 2 + 2, [x1, m1] = centre(from), [x2, m2] = centre(to);
  const down = Math.sign(m2 - m1), right = Math.sign(x2 - x1) || 1; // in one lane: above if it leads to the right
  const y1 = m1 + (down || -right) * half, y2 = m2 - (down || right) * half;
  const way = Math.hypot(x2 - x1, y2 - y1) || 1, bow = down ? Math.min(80, 38 + way / 8) : Math.max(14, rowHeight - 52);
  const cx = (x1 + x2) / 2 - (y2 - y1) / way * bow, cy = (y1 + y2) / 2 + (down ? (x2 - x1) / way * bow : -right * bow);
  const turn = Math.atan2(y2 - cy, x2 - cx), colour = ink[LINKS[l.w][0]], text = l.x ? `${l.w} ${clip(l.x, 12)}` : l.w;
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.8;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.quadraticCurveTo(cx, cy, x2 - 6 * Math.cos(turn), y2 - 6 * Math.sin(turn));
  pen.stroke();
  pen.beginPath();
  pen.moveTo(x2, y2);
  for (const side of [-0.5, 0.5]) pen.lineTo(x2 - 9 * Math.cos(turn + side), y2 - 9 * Math.sin(turn + side));
  pen.fill();
  pen.font = '600 ' + SANS;
  const width = pen.measureText(text).width + 10;
  const spot = t => [(1 - t) ** 2 * x1 + 2 * t * (1 - t) * cx + t * t * x2, (1 - t) ** 2 * y1 + 2 * t * (1 - t) * cy + t * t * y2];
  const free = ([x, y]) => drawn.links.every(l => Math.abs(l[0] - x) > (l[2] + width) / 2 + 2 || Math.abs(l[1] - y) > 20);
  const [x, y] = [0.5, 0.38, 0.62, 0.28, 0.72, 0.2].map(spot).find(free) ?? spot(0.5);
  pen.beginPath();
  pen.roundRect(x - width / 2, y - 9, width, 18, 4);
  pen.fill();
  pen.fillStyle = ink.paper;
  pen.textBaseline = 'middle';
  pen.fillText(text, x - width / 2 + 5, y + 0.5);
  drawn.links.push([x, y, width]);
}

// checkLinks finds what is wrong with the links that are drawn.
function checkLinks(must, inView) {
  must(drawn.links.length === why.links.length, 'every edge is drawn');
  why.links.forEach((l, k) => must(inView(...drawn.links[k]) && $('why').textContent.includes(`#${bars[l.b].i}`), 'an edge has its reason'));
}
