/*
 * The timeline, drawn over its picture: what a track has no slices of, or too many to show, is that of the picture,
 * which is scaled. Times count from the first event, in ns; names come from the trace and are text, never HTML.
 */
function readTimeline(svg) {
  const data = JSON.parse(document.getElementById('slices').textContent), t = { svg, data };
  const number = name => Number(svg.dataset[name]);
  Object.assign(t, { left: number('left'), width: number('width'), row: number('row'), length: number('ns') });
  t.height = svg.viewBox.baseVal.height;
  t.tracks = data.tracks.map(readTrack);
  t.byTid = new Map(t.tracks.filter(track => track.cpu === undefined).map(track => [data.parties[track.party][1], track]));
  t.classes = new Map();
  readPaths(t);
  return t;
}
function readTrack(track, nr) {
  const n = track.slices, count = n.length / 3;
  const t = Object.assign({}, track, { nr, count, paths: [], from: new Float64Array(count), to: new Float64Array(count), kind: new Uint32Array(count) });
  for (let i = 0, at = 0; i < count; i++) {
    t.from[i] = at + n[3 * i];
    t.to[i] = at = t.from[i] + n[3 * i + 1];
    t.kind[i] = n[3 * i + 2];
  }
  return t;
}
/* The picture's paths, each of the track whose label it follows. */
function readPaths(t) {
  let nr = -1;
  for (const e of t.svg.children) {
    if (e.matches('text.lane')) t.tracks[++nr].cmdline = e.dataset.cmdline;
    if (!e.matches('path') || e.matches('.tick, .ground') || !t.tracks[nr]) continue;
    const name = e.getAttribute('class');
    t.tracks[nr].paths.push({ name, path: new Path2D(e.getAttribute('d')) });
    if (t.tracks[nr].cpu !== undefined) t.classes.set(e.textContent, name);
  }
}
function durationText(ns) {
  for (const [unit, of] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]])
    if (ns >= of) return Number((ns / of).toPrecision(3)).toString() + unit;
  return Math.round(ns) + 'ns';
}
function secondsText(ns, digits) { return (ns / 1e9).toFixed(digits || 6); }
function partyText(t, party) {
  const [name, tid, pid, process] = t.data.parties[party];
  if (!tid) return name;
  return name + ' (' + tid + ')' + (process && process !== name ? ' of ' + process + ' (' + pid + ')' : '');
}
function trackText(t, track) { return track.cpu !== undefined ? 'CPU ' + track.cpu : partyText(t, track.party); }
/* Returns the last slice that begins by then; -1: none. */
function sliceBefore(track, ns) {
  let low = 0, high = track.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track.from[middle] <= ns) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
function sliceAt(track, ns) {
  const i = sliceBefore(track, ns);
  return i >= 0 && ns < track.to[i] ? i : -1;
}
function kindOf(t, track, i) {
  const [state, ran, waker, culprit, part, cpu, open] = t.data.kinds[track.kind[i]];
  return { state, ran, waker, culprit, part, cpu: cpu - 1, open };
}
/* Lines: who does what, when, and because of whom. */
function sliceText(t, track, i) {
  const k = kindOf(t, track, i), lines = [];
  if (track.cpu !== undefined) lines.push(trackText(t, track) + ': ' + partyText(t, k.ran) + ' runs');
  else lines.push(trackText(t, track) + ': ' + t.data.states[k.state][0] + (k.cpu >= 0 ? ' on CPU ' + k.cpu : ''));
  lines.push((k.open ? 'at least ' : '') + durationText(track.to[i] - track.from[i]) + ' from ' + secondsText(track.from[i], 9) + ' s' + (k.open ? ', open at the end' : ''));
  if (track.cmdline) lines.push('command line: ' + track.cmdline);
  if (t.data.parts[k.part]) lines.push('culprit: ' + partyText(t, k.culprit) + ', ' + t.data.parts[k.part]);
  if (k.waker) lines.push('woken by ' + partyText(t, k.waker));
  return lines;
}
/* Tracks of those that woke, or had what was waited for, and of those in turn; and the CPUs they ran on then. */
function partiesOf(t, track, from, to) {
  const found = new Set([track]), todo = [[track, 0]];
  while (todo.length) {
    const [of, depth] = todo.pop();
    for (let i = Math.max(sliceBefore(of, from), 0); i < of.count && of.from[i] < to; i++) {
      if (of.to[i] <= from) continue;
      const k = kindOf(t, of, i);
      const cpu = k.cpu >= 0 && t.tracks.find(other => other.cpu === k.cpu);
      if (cpu) found.add(cpu);
      for (const party of [k.waker, k.culprit]) {
        const other = t.byTid.get(t.data.parties[party][1]);
        if (!other || found.has(other) || depth >= 3) continue;
        found.add(other);
        todo.push([other, depth + 1]);
      }
    }
  }
  return found;
}

/* ---- drawing ---- */

function readColors(t) {
  const probe = element('i', {}), of = name => {
    probe.className = name;
    return getComputedStyle(probe).backgroundColor;
  };
  document.body.append(probe);
  t.causes = t.data.states.map(state => of('c-' + state[1]));
  t.colors = new Map(t.tracks.flatMap(track => track.paths.map(p => [p.name, of(p.name)])));
  t.others = of('p12');
  t.sleep = of('c-sleep');
  probe.remove();
  const root = getComputedStyle(document.documentElement);
  for (const name of ['paper', 'ground', 'ink', 'dim', 'line', 'key']) t[name] = root.getPropertyValue('--' + name).trim();
}
/* As on the terminal: nothing; dim and thin, what cost nobody; work; a wait that cost; and one by choice that cost, as a sleep. */
const quiet = 0.4; /* as .q of the style */
const ink = { blank: 0, dim: 1, calm: 2, full: 3, sleep: 4 };
function sliceInk(t, track, i) { return track.inks ? Number(track.inks[t.data.kinds[track.kind[i]][0]]) : ink.calm; }
function sliceColor(t, track, i) {
  const [state, ran] = t.data.kinds[track.kind[i]];
  if (track.cpu === undefined) return sliceInk(t, track, i) === ink.sleep ? t.sleep : t.causes[state];
  const [name, , , process] = t.data.parties[ran];
  return t.colors.get(t.classes.get(process || name)) || t.others;
}
function drawSlice(t, c, track, i, x, width) {
  const of = sliceInk(t, track, i), y = track.y * t.scale, height = t.row * t.scale, faded = c.globalAlpha;
  const shown = width > 3 ? width - 0.5 : width;
  if (of === ink.blank) return;
  c.fillStyle = sliceColor(t, track, i);
  if (of === ink.dim) {
    c.globalAlpha = faded * quiet;
    c.fillRect(x, y + height * 0.75, shown, height * 0.25);
    c.globalAlpha = faded;
  } else c.fillRect(x, y, shown, height);
  c.fillStyle = t.ground; /* what is open at the end has a torn edge */
  if (width > 6 && kindOf(t, track, i).open) for (let dy = 0; dy < height; dy += 4) c.fillRect(x + shown - 3, y + dy, 3, 2);
}
function drawPicture(t, c, track) {
  const pixels = t.pixels / (t.view[1] - t.view[0]), unit = t.length / t.width; /* ns of a unit of the picture */
  c.save();
  c.setTransform(unit * pixels * t.ratio, 0, 0, t.scale * t.ratio, -(t.left * unit + t.view[0]) * pixels * t.ratio, 0);
  const faded = c.globalAlpha;
  for (const p of track.paths) {
    c.globalAlpha = p.name.endsWith(' q') ? faded * quiet : faded;
    c.fillStyle = t.colors.get(p.name);
    c.fill(p.path);
  }
  c.restore();
}
function drawTrack(t, c, track) {
  const [from, to] = t.view, pixels = t.pixels / (to - from), y = track.y * t.scale, height = t.row * t.scale;
  const first = Math.max(sliceBefore(track, from), 0), end = sliceBefore(track, to) + 1;
  const isExact = track.shorter_ns === 0 && end - first < 2 * t.pixels;
  c.globalAlpha = t.shown && !t.shown.has(track) ? 0.25 : 1;
  c.fillStyle = t.ground;
  c.fillRect(0, y, t.pixels, height);
  if (!isExact) drawPicture(t, c, track);
  for (let i = first; i < end; i++) {
    const x = (track.from[i] - from) * pixels, width = (track.to[i] - track.from[i]) * pixels;
    if (!isExact && width < 0.7) continue;
    c.fillStyle = t.ground;
    if (!isExact) c.fillRect(x, y, width, height);
    drawSlice(t, c, track, i, x, width);
  }
  c.globalAlpha = 1;
}
function drawAxis(t, c) {
  const [from, to] = t.view, least = (to - from) / (t.pixels / 110);
  let step = Math.pow(10, Math.floor(Math.log10(least)));
  step *= [1, 2, 5, 10].find(n => n * step >= least);
  const digits = Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(step))));
  c.font = '11px ' + t.font;
  c.textAlign = 'center';
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
    const x = (at - from) / (to - from) * t.pixels;
    c.fillStyle = t.line;
    c.fillRect(x, 16 * t.scale, 1, t.height * t.scale);
    c.fillStyle = t.dim;
    c.fillText(secondsText(at, digits) + ' s', Math.min(Math.max(x, 24), t.pixels - 24), 12 * t.scale);
  }
}
function drawBox(t, c, track, from, to) {
  const pixels = t.pixels / (t.view[1] - t.view[0]), x = (from - t.view[0]) * pixels;
  c.strokeStyle = t.key;
  c.lineWidth = 2;
  c.strokeRect(x, track.y * t.scale - 1, Math.max((to - from) * pixels, 2), t.row * t.scale + 2);
}
/* From the waker's track to the end of a wait, or to the begin of what came then. */
function drawWake(t, c, track, i) {
  const k = kindOf(t, track, i), waker = t.byTid.get(t.data.parties[k.waker][1]);
  if (!waker || waker === track) return;
  const blocked = t.data.parts[k.part] && !/run|preempted/.test(t.data.states[k.state][0]);
  const at = blocked ? track.to[i] : track.from[i], down = waker.y < track.y ? 1 : -1;
  const x = (at - t.view[0]) / (t.view[1] - t.view[0]) * t.pixels, end = (track.y + (down > 0 ? 0 : t.row)) * t.scale;
  c.fillStyle = t.key;
  c.fillRect(x - 0.75, Math.min((waker.y + t.row / 2) * t.scale, end), 1.5, Math.abs((waker.y + t.row / 2) * t.scale - end));
  c.beginPath();
  c.moveTo(x, end);
  c.lineTo(x - 4, end - 6 * down);
  c.lineTo(x + 4, end - 6 * down);
  c.fill();
}
function draw(t) {
  const c = t.context, finding = t.finding >= 0 && t.data.findings[t.finding];
  t.drawn = 0;
  c.setTransform(t.ratio, 0, 0, t.ratio, 0, 0);
  c.fillStyle = t.paper;
  c.fillRect(0, 0, t.pixels, t.height * t.scale);
  drawAxis(t, c);
  for (const track of t.tracks) drawTrack(t, c, track);
  if (finding && t.byTid.has(finding[0])) drawBox(t, c, t.byTid.get(finding[0]), finding[1], finding[2]);
  if (t.picked) {
    drawBox(t, c, t.picked.track, t.picked.track.from[t.picked.i], t.picked.track.to[t.picked.i]);
    drawWake(t, c, t.picked.track, t.picked.i);
  }
  if (t.cursor >= 0) {
    c.fillStyle = t.key;
    c.fillRect(t.cursor, 16 * t.scale, 1, t.height * t.scale);
  }
}
function redraw(t) {
  if (!t.drawn) t.drawn = requestAnimationFrame(() => draw(t));
}
function resize(t) {
  const box = t.svg.getBoundingClientRect();
  t.scale = box.width / t.svg.viewBox.baseVal.width;
  t.pixels = t.width * t.scale;
  t.ratio = devicePixelRatio || 1;
  Object.assign(t.canvas.style, { left: t.left * t.scale + 'px', width: t.pixels + 'px', height: t.height * t.scale + 'px' });
  Object.assign(t.canvas, { width: Math.round(t.pixels * t.ratio), height: Math.round(t.height * t.scale * t.ratio) });
  redraw(t);
}

/* ---- what is shown ---- */

function setView(t, from, to) {
  const width = Math.min(Math.max(to - from, 100), t.length);
  from = Math.min(Math.max(from, 0), t.length - width);
  t.view = [from, from + width];
  const all = width >= t.length;
  t.range.textContent = secondsText(from) + ' s to ' + secondsText(from + width) + ' s, ' + durationText(width);
  setState({ from: all ? null : Math.round(from), to: all ? null : Math.round(from + width) });
  redraw(t);
}
/* factor below 1: nearer; at: the time that stays where it is. */
function zoom(t, factor, at) {
  const [from, to] = t.view, width = Math.min(Math.max((to - from) * factor, 100), t.length);
  const share = (at - from) / (to - from);
  setView(t, at - share * width, at + (1 - share) * width);
}
function zoomKey(t, factor) {
  const { picked, view } = t, middle = picked ? (picked.track.from[picked.i] + picked.track.to[picked.i]) / 2 : -1;
  zoom(t, factor, middle > view[0] && middle < view[1] ? middle : (view[0] + view[1]) / 2);
}
function pan(t, share) {
  const by = (t.view[1] - t.view[0]) * share;
  setView(t, t.view[0] + by, t.view[1] + by);
}
/* So that a time range has half of the width. */
function zoomTo(t, from, to) {
  const around = Math.max((to - from) / 2, 50);
  setView(t, from - around, to + around);
}
function pick(t, track, i) {
  t.picked = i >= 0 ? { track, i } : null;
  t.details.textContent = '';
  setState({ slice: t.picked ? track.nr + '@' + track.from[i] : null });
  redraw(t);
  if (!t.picked) return;
  t.details.append(sliceText(t, track, i).join('\n') + '\n');
  const k = kindOf(t, track, i), button = (text, click) => t.details.append(element('button', { type: 'button', textContent: text, onclick: click }), ' ');
  button('zoom to it', () => zoomTo(t, track.from[i], track.to[i]));
  for (const [text, party] of [['waker', k.waker], ['culprit', k.culprit], ['thread', k.ran]]) {
    const other = t.byTid.get(t.data.parties[party][1]);
    const near = other && sliceBefore(other, text === 'waker' ? track.to[i] : (track.from[i] + track.to[i]) / 2);
    if (near >= 0 && other !== track) button('go to the ' + text, () => showSlice(t, other, near));
  }
}
function showSlice(t, track, i) {
  pick(t, track, i);
  if (track.to[i] < t.view[0] || track.from[i] > t.view[1]) zoomTo(t, track.from[i], track.to[i]);
}
function step(t, tracks, slices) {
  const { track, i } = t.picked || { track: t.tracks[0], i: sliceBefore(t.tracks[0], t.view[0]) };
  const to = t.tracks[track.nr + tracks];
  if (!to) return;
  if (!tracks) showSlice(t, track, Math.min(Math.max(i + slices, 0), track.count - 1));
  else showSlice(t, to, Math.max(sliceBefore(to, Math.max(track.from[i] || 0, t.view[0])), Math.min(0, to.count - 1)));
}
function showFinding(t, nr, moves) {
  const finding = t.data.findings[nr];
  t.finding = finding ? nr : -1;
  t.shown = null;
  for (const e of document.querySelectorAll('a[data-finding]')) e.closest('.finding').classList.toggle('shown', Number(e.dataset.finding) === t.finding);
  setState({ finding: finding ? nr : null });
  redraw(t);
  if (!finding) return;
  const track = t.byTid.get(finding[0]);
  if (moves) zoomTo(t, finding[1], finding[2]);
  if (!track) return;
  t.shown = partiesOf(t, track, finding[1], finding[2]);
  if (moves) pick(t, track, sliceAt(track, (finding[1] + finding[2]) / 2));
}

/* Of a row of the tree below a finding, or of an incident. */
function showPiece(t, a) {
  const from = Number(a.dataset.from), to = Number(a.dataset.to), track = t.byTid.get(Number(a.dataset.tid));
  const finding = a.closest('.finding');
  showFinding(t, finding ? Number(finding.querySelector('[data-finding]').dataset.finding) : -1);
  zoomTo(t, from, to);
  pick(t, track, track ? sliceAt(track, (from + to) / 2) : -1);
}

/* ---- pointer and keys ---- */

function pointed(t, e) {
  const box = t.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = (e.clientY - box.top) / t.scale;
  const ns = t.view[0] + x / box.width * (t.view[1] - t.view[0]);
  const track = t.tracks.find(of => y >= of.y && y < of.y + t.row);
  const slack = (t.view[1] - t.view[0]) / box.width; /* a pixel */
  let i = track ? sliceAt(track, ns) : -1;
  if (track && i < 0 && (i = sliceBefore(track, ns + slack)) >= 0 && track.to[i] < ns - slack) i = -1;
  return { x, y: e.clientY - box.top, ns, track, i };
}
function hover(t, e) {
  const at = pointed(t, e), lines = [secondsText(at.ns) + ' s'];
  if (at.i >= 0) lines.unshift(...sliceText(t, at.track, at.i));
  else if (at.track && at.track.shorter_ns) lines.unshift(trackText(t, at.track) + ': no slice longer than ' + durationText(at.track.shorter_ns), 'shorter ones are not in this page');
  else if (at.track) lines.unshift(trackText(t, at.track));
  t.tip.textContent = lines.join('\n');
  t.tip.hidden = false;
  const left = t.left * t.scale + at.x, room = t.svg.getBoundingClientRect().width - t.tip.offsetWidth - 4;
  Object.assign(t.tip.style, { left: Math.max(0, left + 14 > room ? left - t.tip.offsetWidth - 14 : left + 14) + 'px', top: at.y + 18 + 'px' });
  t.cursor = at.x;
  redraw(t);
}
function leave(t) {
  t.tip.hidden = true;
  t.cursor = -1;
  redraw(t);
}
function wheel(t, e) {
  const turned = Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey;
  if (!turned && !e.ctrlKey && !e.metaKey && document.activeElement !== t.canvas) return; /* the page scrolls */
  e.preventDefault();
  const by = (turned && e.deltaX || e.deltaY) * (e.deltaMode ? 30 : 1);
  /* two fingers on a trackpad come as Ctrl and the wheel, 100 times the logarithm of what they scale by; a wheel's step is 100 or more */
  const pinched = e.ctrlKey && !e.deltaMode && Math.abs(by) < 50;
  if (turned) pan(t, by / 1000);
  else zoom(t, pinched ? Math.exp(by / 100) : Math.pow(1.002, Math.max(-500, Math.min(500, by))), pointed(t, e).ns);
}
/* Safari's trackpad: the scale is since the gesture's start, 2 shows half of the time. On a touch screen the pointers tell the same. */
function gesture(t, e) {
  e.preventDefault(); /* the page does not zoom */
  if (e.type === 'gesturechange' && t.gestured && e.scale > 0 && !(t.held && t.held.pinched)) zoom(t, t.gestured / e.scale, pointed(t, e).ns);
  t.gestured = e.type === 'gestureend' ? 0 : e.scale;
}
/* Calls move for what these pointers do, and up when one of them is let go: by the user, not by the page's scrolling. */
function follow(t, pointers, move, up) {
  const ends = new AbortController(), on = (name, does) =>
    t.canvas.addEventListener(name, e => pointers.includes(e.pointerId) && does(e), { signal: ends.signal });
  const end = () => {
    ends.abort();
    t.held = null;
  };
  on('pointermove', move);
  on('pointerup', e => {
    end();
    up(e);
  });
  on('pointercancel', end);
  for (const id of pointers) t.canvas.setPointerCapture(id);
  return end;
}
function drag(t, down) {
  const start = t.view.slice(), from = pointed(t, down);
  let moved = false;
  const move = e => {
    const by = e.clientX - down.clientX;
    held.last = e;
    moved = moved || Math.abs(by) > 3;
    if (moved && !down.shiftKey) setView(t, start[0] - by / t.pixels * (start[1] - start[0]), start[1] - by / t.pixels * (start[1] - start[0]));
  };
  const up = e => {
    const at = pointed(t, e);
    if (!moved) pick(t, at.track, at.i);
    else if (down.shiftKey) setView(t, Math.min(from.ns, at.ns), Math.max(from.ns, at.ns));
  };
  const held = { last: down, end: follow(t, [down.pointerId], move, up) };
  t.held = held;
}
/* The times that two fingers touched stay under them. */
function pinch(t, first, second) {
  const left = t.canvas.getBoundingClientRect().left;
  const fingers = new Map([first, second].map(e => [e.pointerId, { x: e.clientX, ns: pointed(t, e).ns }]));
  const end = follow(t, [...fingers.keys()], e => {
    fingers.get(e.pointerId).x = e.clientX;
    const [a, b] = fingers.values(), of_pixel = (b.ns - a.ns) / (b.x - a.x);
    if (!(of_pixel > 0) || of_pixel === Infinity) return; /* one is above the other */
    const from = a.ns - (a.x - left) * of_pixel;
    setView(t, from, from + t.pixels * of_pixel);
  }, () => {});
  t.held = { pinched: true, end };
}
function pointerDown(t, e) {
  if (e.button) return;
  if (!t.held || e.pointerType !== 'touch') return drag(t, e);
  if (t.held.pinched) return; /* a third finger */
  const { last, end } = t.held;
  end();
  pinch(t, last, e);
}
const timelineKeys = {
  w: t => zoomKey(t, 0.7), s: t => zoomKey(t, 1 / 0.7), a: t => pan(t, -0.2), d: t => pan(t, 0.2),
  n: t => step(t, 0, 1), p: t => step(t, 0, -1), j: t => step(t, 1, 0), k: t => step(t, -1, 0),
  0: t => setView(t, 0, t.length),
  Enter: t => t.picked && zoomTo(t, t.picked.track.from[t.picked.i], t.picked.track.to[t.picked.i]),
  Escape: t => { pick(t, null, -1); showFinding(t, -1); },
};
Object.assign(timelineKeys, { ArrowUp: timelineKeys.w, ArrowDown: timelineKeys.s, ArrowLeft: timelineKeys.a, ArrowRight: timelineKeys.d,
  '+': timelineKeys.w, '=': timelineKeys.w, '-': timelineKeys.s, Home: timelineKeys[0] });
function keyDown(t, e) {
  const does = Object.prototype.hasOwnProperty.call(timelineKeys, e.key) && timelineKeys[e.key];
  if (!does || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  leave(t);
  does(t);
}

/* ---- the parts of the page ---- */

/* The picture sums by category; slices have the colors of causes, which are more. */
function addLegend(t) {
  const shown = new Set(t.tracks.filter(track => track.cpu === undefined).flatMap(track => Array.from(track.kind, k => t.data.kinds[k][0])));
  const legend = element('p', { className: 'legend' }, 'Slices:');
  for (const state of shown) {
    const [name, color] = t.data.states[state];
    legend.append(element('span', {}, element('i', { className: 'c-' + color }), name));
  }
  if (shown.size) t.svg.closest('section').append(legend);
}

function addParts(t) {
  const stage = document.getElementById('stage'), tools = element('div', { className: 'tools' });
  const tool = (text, label, does) => {
    const b = element('button', { type: 'button', textContent: text, title: label, onclick: () => does(t) });
    b.setAttribute('aria-label', label);
    tools.append(b, ' ');
  };
  t.canvas = element('canvas', { id: 'detail', tabIndex: 0 });
  t.canvas.setAttribute('role', 'application');
  t.canvas.setAttribute('aria-label', 'timeline: w and s zoom, a and d pan, j and k choose a track, n and p a slice, 0 shows all');
  t.canvas.setAttribute('aria-describedby', 'picked');
  t.context = t.canvas.getContext('2d', { alpha: false });
  t.tip = element('div', { id: 'tip', hidden: true });
  t.range = element('span', { id: 'range', className: 'dim' });
  t.details = element('div', { id: 'picked' });
  t.details.setAttribute('role', 'status');
  tool('+', 'zoom in (w, +)', timelineKeys.w);
  tool('\u2212', 'zoom out (s, -)', timelineKeys.s);
  tool('\u2190', 'earlier (a)', timelineKeys.a);
  tool('\u2192', 'later (d)', timelineKeys.d);
  tool('all', 'show all (0)', timelineKeys[0]);
  tools.append(t.range, element('span', { className: 'dim', textContent: '  Click it: then the wheel zooms. Drag pans, Shift and drag zooms to a range, two fingers zoom; keys: wasd, n p, j k, Enter, Esc' }));
  stage.append(t.canvas, t.tip);
  stage.parentElement.before(tools);
  stage.parentElement.after(t.details);
  t.svg.classList.add('drawn');
  addLegend(t);
  t.font = getComputedStyle(t.svg.querySelector('text')).fontFamily;
}
/* Its section; the track itself where that is longer than the window. */
function scrollToTrack(t, track) {
  const section = document.getElementById('timeline-of-all'), isLong = t.canvas.getBoundingClientRect().height > innerHeight / 2;
  if (track && isLong) t.svg.querySelectorAll('text.lane')[track.nr].scrollIntoView({ block: 'center' });
  else section.scrollIntoView();
}
function addListeners(t) {
  const on = (name, does) => t.canvas.addEventListener(name, e => does(t, e));
  on('pointermove', hover);
  on('pointerleave', leave);
  on('pointerdown', pointerDown);
  on('keydown', keyDown);
  on('dblclick', (of, e) => zoom(of, 0.25, pointed(of, e).ns));
  t.canvas.addEventListener('wheel', e => wheel(t, e), { passive: false });
  for (const name of ['gesturestart', 'gesturechange', 'gestureend']) t.canvas.addEventListener(name, e => gesture(t, e), { passive: false });
  new ResizeObserver(() => resize(t)).observe(t.svg);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColors(t); redraw(t); });
  document.addEventListener('click', e => {
    const a = e.target.closest('a.instance');
    if (!a) return;
    e.preventDefault();
    if (a.dataset.finding) showFinding(t, Number(a.dataset.finding), true);
    else showPiece(t, a);
    scrollToTrack(t, t.picked && t.picked.track);
    t.canvas.focus({ preventScroll: true });
  });
}
function restoreTimeline(t, params) {
  const number = name => parseFloat(params.get(name)), [nr, from] = (params.get('slice') || '').split('@');
  const track = t.tracks[nr], i = track ? sliceAt(track, Number(from)) : -1, range = [number('from'), number('to')];
  showFinding(t, params.has('finding') ? number('finding') : -1);
  setView(t, ...(range[1] > range[0] ? range : [0, t.length]));
  pick(t, track, i);
}
function startTimeline(svg) {
  const t = readTimeline(svg);
  t.view = [0, t.length];
  t.cursor = t.finding = -1;
  addParts(t);
  readColors(t);
  resize(t);
  draw(t);
  addListeners(t);
  state.restore.unshift(params => restoreTimeline(t, new URLSearchParams(params)));
}
if (document.getElementById('timeline')) startTimeline(document.getElementById('timeline'));
performance.mark('ready');
