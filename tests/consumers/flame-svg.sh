#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# flame-svg.sh [FILE.svg [PNG]] - a flame graph (profile -f svg), clicked, searched and reset in a real browser
#
# Needs what no build needs: apt-get install chromium. Without FILE.svg it is that of a recording; with PNG, a picture of
# it is saved, too.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib/browser.sh
svg=${1:-$tmp/own.svg}
[ -n "${1-}" ] || build/ringside profile -q -i tests/perfdata/stacks.data.xz -f svg >"$svg" || exit 1

# What a user does, after the script of the file; what it made of it is left in the text of #details.
cat >"$tmp/user.js" <<'EOS'
<script><![CDATA[
const shown = () => frames.filter(f => f.g.style.display !== 'none');
const deepest = frames.reduce((a, b) => b.d > a.d ? b : a), before = shown().length;
const click = f => f.g.dispatchEvent(new MouseEvent('click', { bubbles: true }));
const said = [];
const check = (what, ok) => said.push((ok ? 'ok ' : 'FAILED ') + what);
check('all is shown', before === frames.length);
click(deepest);
check('zoomed: it and its callers', shown().length === deepest.d + 1 && shown().every(f => parseFloat(f.rect.getAttribute('width')) > 99.9));
click(all);
check('all again', shown().length === before);
search(deepest.name.replace(/[^\w]/g, '.'));
check('found', deepest.g.classList.contains('hit') && /^matched: [0-9.]+ %$/.test(byId('matched').textContent));
search('(');
check('no regular expression: as text', !deepest.g.classList.contains('hit') || deepest.name.includes('('));
dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
check('cleared', byId('matched').textContent === '' && !document.querySelector('.hit'));
check('texts fit', frames.every(f => f.text.textContent.length * 7.3 <= f.w / 100 * innerWidth + 8));
byId('details').textContent = said.join('; ') + ';';
]]></script></svg>
EOS
sed '$s#</svg>##' "$svg" | cat - "$tmp/user.js" >"$tmp/tested.svg"
browse --dump-dom "file://$tmp/tested.svg" >"$tmp/dom" || { echo "FAIL: $(tail -n 3 "$tmp/err")"; exit 1; }
said=$(grep -o '<text id="details"[^>]*>[^<]*' "$tmp/dom" | sed 's/.*>//')
[ -z "${2-}" ] || browse --screenshot="$(realpath "$2")" "file://$(realpath "$svg")"
tell "$said" || { echo "flame-svg: failed"; exit 1; }
