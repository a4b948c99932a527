'use strict';
/* What is shown is in the link, "#from=1000&to=2000&sort.3=-1": of a link that is none, "#v-tasks", nothing is known. */
const state = { params: new URLSearchParams(), restore: [], timer: 0 };
function readState() {
  state.params = new URLSearchParams(location.hash.includes('=') ? location.hash.slice(1) : '');
}
function writeState() {
  clearTimeout(state.timer);
  state.timer = 0;
  const text = state.params.toString();
  history.replaceState(null, '', '#' + text);
}
function setState(changes) {
  for (const key of Object.keys(changes)) {
    const value = changes[key];
    if (value === null || value === '') state.params.delete(key);
    else state.params.set(key, value);
  }
  if (!state.timer) state.timer = setTimeout(writeState, 150); /* a browser refuses hundreds in a row */
}
function restoreState() {
  readState();
  for (const restore of state.restore) restore(state.params);
}
function element(name, properties, ...children) {
  const e = Object.assign(document.createElement(name), properties);
  e.append(...children);
  return e;
}
function key(row, column) {
  const cell = row.cells[column], text = cell.textContent.trim();
  if (text === '-' || text === '') return null;
  const number = Number('v' in cell.dataset ? cell.dataset.v : text);
  return Number.isNaN(number) ? text : number;
}
function compare(a, b) { return typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === 'number' ? -1 : 1; }
function sort(th, up) {
  const table = th.closest('table'), body = table.tBodies[0], column = th.cellIndex;
  for (const other of th.parentNode.cells) other.removeAttribute('aria-sort');
  th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const rows = [...body.rows].map(row => ({ row, key: key(row, column) }));
  rows.sort((a, b) => a.key === null || b.key === null ? (a.key === null) - (b.key === null) :
    up ? compare(a.key, b.key) : compare(b.key, a.key));
  body.append(...rows.map(r => r.row));
}
function clickSort(th) {
  const table = th.closest('table'), before = th.getAttribute('aria-sort');
  const up = before === 'descending' || (!before && !th.classList.contains('n'));
  sort(th, up);
  setState({ ['sort.' + tables.indexOf(table)]: (up ? '' : '-') + (th.cellIndex + 1) });
}
/* A row is shown if it has all words. */
function filter(table, text) {
  const words = text.toLowerCase().split(/\s+/).filter(word => word);
  let nr = 0;
  for (const row of table.tBodies[0].rows) {
    const has = row.textContent.toLowerCase();
    row.hidden = !words.every(word => has.includes(word));
    nr += !row.hidden;
  }
  table.filterNr.textContent = words.length ? nr + ' of ' + table.tBodies[0].rows.length : '';
}
function openAt(target) {
  for (let e = target; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
}
const tables = [...document.querySelectorAll('table.rows')];
tables.forEach((table, i) => {
  const head = table.tHead.rows[0];
  for (const th of head.querySelectorAll('th')) th.tabIndex = 0;
  if (table.tBodies[0].rows.length < 4) return;
  const title = table.closest('details, .card').querySelector('b, h3').textContent;
  table.filterBox = element('input', { type: 'search', placeholder: 'filter', className: 'filter' });
  table.filterBox.setAttribute('aria-label', 'filter the rows of ' + title);
  table.filterNr = element('span', { className: 'dim' });
  table.filterNr.setAttribute('role', 'status');
  table.before(element('div', { className: 'tools' }, table.filterBox, ' ', table.filterNr));
  table.filterBox.addEventListener('input', () => {
    filter(table, table.filterBox.value);
    setState({ ['filter.' + i]: table.filterBox.value });
  });
});
state.restore.push(params => tables.forEach((table, i) => {
  const column = parseInt(params.get('sort.' + i), 10), text = params.get('filter.' + i) || '';
  const th = column && table.tHead.rows[0].cells[Math.abs(column) - 1];
  if (th && th.tagName === 'TH') sort(th, column > 0);
  if (th || text) openAt(table);
  if (!table.filterBox || (!text && !table.filterBox.value)) return;
  table.filterBox.value = text;
  filter(table, text);
}));
state.restore.push(params => {
  const target = document.getElementById(params.get('at') || '');
  if (!target) return;
  openAt(target);
  target.scrollIntoView();
});
document.addEventListener('click', e => {
  const th = e.target.closest('.rows th'), a = e.target.closest('a[href^="#"]');
  if (th) clickSort(th);
  const target = a && !a.classList.contains('instance') && document.getElementById(a.getAttribute('href').slice(1));
  if (!target) return;
  e.preventDefault();
  openAt(target);
  target.scrollIntoView();
  setState({ at: target.id });
});
document.addEventListener('keydown', e => {
  const th = (e.key === 'Enter' || e.key === ' ') && e.target.closest('.rows th');
  if (!th) return;
  e.preventDefault();
  clickSort(th);
});
addEventListener('hashchange', restoreState);
addEventListener('DOMContentLoaded', restoreState); /* after all scripts */
addEventListener('beforeprint', () => { for (const e of document.querySelectorAll('details')) e.open = true; });
