'use strict';
const frames = [...document.querySelectorAll('.f')].map(g => ({ g, rect: g.children[1], text: g.children[2],
  name: g.dataset.n, x: +g.dataset.x, w: +g.dataset.w, d: +g.dataset.d }));
const byId = id => document.getElementById(id), all = frames[0];
let zoomed = all, pattern = null;
function inside(f, o) { return f.x > o.x - .0005 && f.x + f.w < o.x + o.w + .0005; } // rounded
function fit(f, share) {
  const n = Math.floor((share * document.documentElement.clientWidth - 6) / 7.3);
  f.text.textContent = n >= f.name.length ? f.name : n > 4 ? f.name.slice(0, n - 2) + '..' : '';
}
function place(f) {
  const above = f.d < zoomed.d && inside(zoomed, f), below = f.d >= zoomed.d && inside(f, zoomed);
  const x = above ? 0 : (f.x - zoomed.x) / zoomed.w, w = above ? 1 : f.w / zoomed.w;
  f.g.style.display = (above || below) && w > 0.0002 ? '' : 'none';
  if (f.g.style.display) return;
  f.g.classList.toggle('above', above);
  f.rect.setAttribute('x', x * 100 + '%');
  f.rect.setAttribute('width', w * 100 + '%');
  f.text.setAttribute('x', x * 100 + '%');
  fit(f, w);
}
function zoom(f) { zoomed = f; frames.forEach(place); byId('reset').style.display = f === all ? 'none' : ''; count(); }
function count() {
  const spans = [];
  for (const f of frames) {
    const hit = !!pattern && f !== all && pattern.test(f.g.dataset.t);
    f.g.classList.toggle('hit', hit);
    if (hit && inside(f, zoomed)) spans.push([f.x, f.x + f.w]);
  }
  let sum = 0, end = -1;
  for (const [from, to] of spans.sort((a, b) => a[0] - b[0]))
    if (to > end) { sum += to - Math.max(from, end); end = to; }
  byId('matched').textContent = pattern ? 'matched: ' + (100 * sum / zoomed.w).toFixed(2) + ' %' : '';
}
function search(text) {
  try { pattern = text ? new RegExp(text, 'i') : null; }
  catch (e) { pattern = new RegExp(text.replace(/[^\w\s]/g, '\\$&'), 'i'); }
  count();
}
function ask() { const text = prompt('Search (a regular expression; empty: none)', ''); if (text !== null) search(text); }
for (const f of frames) {
  f.g.addEventListener('click', () => zoom(f));
  f.g.addEventListener('mouseenter', () => { byId('details').textContent = f.g.children[0].textContent.replace(/\n/g, '   '); });
  f.g.addEventListener('mouseleave', () => { byId('details').textContent = ''; });
}
byId('reset').addEventListener('click', () => zoom(all));
byId('search').addEventListener('click', ask);
addEventListener('keydown', e => {
  if (e.key === 'Escape') { search(''); zoom(all); }
  else if (e.key === '/' || (e.key === 'f' && e.ctrlKey)) { e.preventDefault(); ask(); }
});
addEventListener('resize', () => zoom(zoomed));
zoom(all);
