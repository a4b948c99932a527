#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# html.sh [PNG] - the page of a recording in a real browser: it opens without an error, sorts by a click, has all findings, and a
# flame graph whose script runs; html-timeline.sh works with its timeline
#
# Needs what no build needs: apt-get install chromium. With PNG, pictures of the page are saved as light-PNG, dark-PNG.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/browser.sh
failed=0

# What a user does, after the script of the page; the page's own number lets it run. What it saw is left in a <pre>.
cat >"$tmp/user.js" <<'EOS'
const said = [], check = (what, ok) => said.push((ok ? 'ok ' : 'FAILED ') + what);
const click = e => e.dispatchEvent(new MouseEvent('click', { bubbles: true }));
const column = (table, n) => [...table.tBodies[0].rows].map(r => r.cells[n]).map(c => c.dataset.v ?? c.textContent.trim());
const known = list => list.filter(v => v !== '-').map(Number);
let sorted = 0;
for (const table of document.querySelectorAll('table.rows')) {
  const heads = [...table.tHead.rows[0].cells], n = heads.findIndex(h => h.classList.contains('n'));
  if (n < 0 || table.tBodies[0].rows.length < 3 || known(column(table, n)).some(Number.isNaN)) continue;
  const before = column(table, n).sort().join();
  click(heads[n]);
  const down = known(column(table, n)), state = heads[n].getAttribute('aria-sort');
  click(heads[n]);
  const up = known(column(table, n));
  if (down.some((v, i) => i && down[i - 1] < v) || up.some((v, i) => i && up[i - 1] > v) || state !== 'descending' ||
      heads[n].getAttribute('aria-sort') !== 'ascending' || column(table, n).sort().join() !== before)
    check('sorted by click: ' + heads[n].textContent, false);
  sorted++;
}
check('tables sort by click, where time went too', sorted >= 3 && document.querySelectorAll('table.bars th.n').length > 0);
const texts = [...document.querySelectorAll('table.rows')].find(t => t.tHead.rows[0].cells[0].textContent === 'COMM' && t.tBodies[0].rows.length > 2);
if (texts) click(texts.tHead.rows[0].cells[0]);
check('texts sort upwards first', !texts || column(texts, 0).filter(v => v !== '-').every((v, i, all) => !i || all[i - 1] <= v));
check('findings', [...document.querySelectorAll('.finding > b')].length === WANTED_FINDINGS);
const link = document.querySelector('.finding a[href^="#v-"]'), to = link && document.getElementById(link.getAttribute('href').slice(1));
if (to) { to.open = false; click(link); }
check('evidence opens its table', !link || !to || to.open);
check('a lane for each CPU and task', document.querySelectorAll('#timeline .lane').length > WANTED_CPUS);
const picture = detail.getBoundingClientRect();
detail.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: picture.left + 300, clientY: picture.top + 30 }));
check('the pointer tells the time', /^[0-9.]+ s$/m.test(document.getElementById('tip').textContent));
check('nothing is wider than the page', document.documentElement.scrollWidth <= innerWidth);
check('dark follows the system', matchMedia('(prefers-color-scheme: dark)').matches === (getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)'));
document.body.append(Object.assign(document.createElement('pre'), { id: 'said', textContent: said.join(';') + ';' }));
EOS
run() { browse --hide-scrollbars --enable-logging=stderr "$@"; }

open_page() { # open_page RECORDING OPTION...
	local recording=$1 findings cpus nonce said
	shift
	build/ringside export "$recording" -q -o "$tmp/page.html" || { failed=1; return; }
	findings=$(build/ringside findings -i "$recording" -q --json | grep -c '"rule"')
	[ "$findings" -gt 0 ] || findings=1 # it says that there are none
	cpus=$(build/ringside cpus -i "$recording" -q --csv 2>/dev/null | grep -c '^[0-9]')
	nonce=$(grep -o "'nonce-[0-9a-f]*" "$tmp/page.html" | head -1 | cut -c8-)
	{ sed '$d' "$tmp/page.html"; echo "<script nonce=\"$nonce\">"
	  sed "s/WANTED_FINDINGS/$findings/; s/WANTED_CPUS/$cpus/" "$tmp/user.js"; echo '</script></body></html>'; } >"$tmp/tested.html"
	run "$@" --dump-dom "file://$tmp/tested.html" >"$tmp/dom" || { echo "FAIL: $(tail -n 3 "$tmp/err")"; failed=1; }
	said=$(grep -o '<pre id="said">[^<]*' "$tmp/dom" | sed 's/.*>//; s/;$//')
	echo "$(basename "$recording") $*:"
	tell "$said" || failed=1
	# also that the policy refused something, in the page or in the frame of a flame graph
	if grep CONSOLE "$tmp/err"; then failed=1; fi
}

open_page tests/traces/debian-6.1-amd64-mixed.dat
open_page tests/traces/debian-6.1-amd64-mixed.dat --blink-settings=preferredColorScheme=0
open_page tests/traces/debian-6.1-amd64-mixed.dat --window-size=400,900 # a telephone
open_page tests/perfdata/mixed.data.xz

# The frame of a flame graph is its own origin: its script tells from inside, by the page's number.
sed 's#^\]\]></script>#console.error(frames.length > 3 \&\& frames.every(f => f.rect.getAttribute("width")) ? "frames drawn" : "no frames");\n]]></script>#' \
	"$tmp/page.html" >"$tmp/flame.html"
run --dump-dom "file://$tmp/flame.html" >/dev/null
grep -q 'CONSOLE.*frames drawn' "$tmp/err" || { echo "FAIL: the flame graph: $(grep CONSOLE "$tmp/err")"; failed=1; }

if [ -n "${1-}" ]; then
	build/ringside export tests/traces/debian-6.1-amd64-mixed.dat -q -o "$tmp/page.html"
	run --screenshot="$(realpath "light-$1")" --window-size=1300,3000 "file://$tmp/page.html"
	run --screenshot="$(realpath "dark-$1")" --window-size=1300,3000 --blink-settings=preferredColorScheme=0 "file://$tmp/page.html"
fi
[ $failed = 0 ] || { echo "html: failed"; exit 1; }
echo "html: opened, sorted, drawn"
