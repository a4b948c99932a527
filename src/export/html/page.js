'use strict';
function key(row, column) {
  const cell = row.cells[column], text = cell.textContent.trim();
  if (text === '-' || text === '') return null;
  const number = Number(cell.dataset.v ?? text);
  return Number.isNaN(number) ? text : number;
}
function compare(a, b) { return typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1; }
function sort(th) {
  const table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;
  const up = th.getAttribute('aria-sort') === 'descending' || (!th.hasAttribute('aria-sort') && !th.classList.contains('n'));
  for (const other of th.parentNode.cells) other.removeAttribute('aria-sort');
  th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const rows = [...body.rows].map(row => ({ row, key: key(row, column) }));
  rows.sort((a, b) => a.key === null || b.key === null ? (a.key === null) - (b.key === null) : up ? compare(a.key, b.key) : compare(b.key, a.key));
  body.append(...rows.map(r => r.row));
}
document.addEventListener('click', e => {
  const th = e.target.closest('.rows th'), a = e.target.closest('a[href^="#v-"]');
  if (th) sort(th);
  const target = a && document.getElementById(a.getAttribute('href').slice(1));
  if (target) target.open = true;
});
const timeline = document.getElementById('timeline');
if (timeline) {
  const cursor = document.getElementById('cursor'), at = document.getElementById('at'), d = timeline.dataset;
  timeline.addEventListener('pointermove', e => {
    const box = timeline.getBoundingClientRect(), x = (e.clientX - box.left) / box.width * timeline.viewBox.baseVal.width;
    const share = (x - d.left) / d.width, inside = share >= 0 && share <= 1;
    cursor.style.display = inside ? 'inline' : 'none';
    cursor.setAttribute('transform', 'translate(' + x + ' 0)');
    const lane = e.target.querySelector && e.target.querySelector('title');
    at.textContent = inside ? (share * d.ns / 1e9).toFixed(6) + ' s' + (lane && e.target !== timeline ? '  ' + lane.textContent : '') : '\u00a0';
  });
}
addEventListener('beforeprint', () => { for (const e of document.querySelectorAll('details')) e.open = true; });
