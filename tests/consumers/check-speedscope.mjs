#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0-or-later
// Imports a file into the speedscope web app in headless Chromium, exports
// what speedscope made of it, and prints a summary of every profile.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const HELP = `usage: check-speedscope.mjs [options] FILE

  --top N            list the N heaviest frames of each profile (default 3)
  --screenshot PNG   save a picture of the flame chart
  --chromium PATH    browser to run               (default /usr/bin/chromium)
  --timeout SECONDS  limit for the import         (default 120)

exit status: 0 imported cleanly, 1 imported with warnings, 2 not imported,
64 wrong usage`;

let opt, file;
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      top: { type: 'string', default: '3' },
      screenshot: { type: 'string' },
      chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
      timeout: { type: 'string', default: '120' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) { console.log(HELP); process.exit(0); }
  if (positionals.length !== 1) throw new Error('exactly one FILE is needed');
  opt = values;
  file = positionals[0];
} catch (e) {
  console.error(`${e.message}\n${HELP}`);
  process.exit(64);
}
fs.accessSync(file, fs.constants.R_OK);

const here = path.dirname(fileURLToPath(import.meta.url));
const app = [path.join(here, 'node_modules'), path.join(process.cwd(), 'node_modules')]
  .map((d) => path.join(d, 'speedscope/dist/release')).find((d) => fs.existsSync(d));
if (!app) { console.error('speedscope is not installed: run npm install here'); process.exit(64); }

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css',
  '.wasm': 'application/wasm', '.png': 'image/png', '.ico': 'image/x-icon', '.woff2': 'font/woff2' };
const server = http.createServer((req, res) => {
  const name = path.basename(new URL(req.url, 'http://x').pathname) || 'index.html';
  const full = path.join(app, name);
  if (!fs.existsSync(full)) { res.writeHead(404); res.end(); return; }
  res.writeHead(200, { 'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream' });
  fs.createReadStream(full).pipe(res);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${server.address().port}`;

function summarize(profile, frames, top) {
  const self = new Map();
  const add = (frame, w) => self.set(frame, (self.get(frame) ?? 0) + w);
  let weight = 0, items, deepest = 0;
  if (profile.type === 'sampled') {
    items = profile.samples.length;
    profile.samples.forEach((stack, i) => {
      weight += profile.weights[i];
      deepest = Math.max(deepest, stack.length);
      if (stack.length) add(stack.at(-1), profile.weights[i]);
    });
  } else {
    items = profile.events.length;
    const stack = [];
    let last = profile.startValue;
    for (const e of profile.events) {
      if (stack.length) { add(stack.at(-1), e.at - last); weight += e.at - last; }
      last = e.at;
      if (e.type === 'O') stack.push(e.frame); else stack.pop();
      deepest = Math.max(deepest, stack.length);
    }
  }
  const heaviest = [...self].sort((a, b) => b[1] - a[1]).slice(0, top)
    .map(([f, w]) => ({ name: frames[f].name, selfWeight: w }));
  weight = Math.round(weight * 1e6) / 1e6; // hide the noise of adding doubles
  return { name: profile.name, type: profile.type, unit: profile.unit,
    start: profile.startValue, end: profile.endValue, weight, events: items, deepest,
    frames: self.size, heaviest };
}

const profileDir = fs.mkdtempSync(path.join(os.tmpdir(), 'check-speedscope-'));
const limit = Number(opt.timeout) * 1000;
const warnings = new Map(), errors = [];
let browser, out, status = 2;
try {
  browser = await chromium.launchPersistentContext(profileDir, {
    executablePath: opt.chromium, headless: true, acceptDownloads: true,
    viewport: { width: 1600, height: 900 },
    args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  await browser.route('**/*', (r) => {
    const url = r.request().url();
    return url.startsWith(origin) || url.startsWith('blob:') || url.startsWith('data:') ? r.continue() : r.abort();
  });
  const page = browser.pages()[0] ?? await browser.newPage();
  let refuse;
  const refused = new Promise((_, no) => { refuse = no; });
  refused.catch(() => {});
  page.on('pageerror', (e) => { errors.push(e.message); refuse(new Error(`page error: ${e.message}`)); });
  page.on('console', (m) => {
    if (m.type() === 'error') { errors.push(m.text().slice(0, 300)); return; }
    if (m.type() !== 'warning' || m.text().startsWith('[.WebGL')) return; // the software renderer chats
    const text = m.text().slice(0, 200);
    // Fold messages which differ in numbers only.
    const key = text.replace(/\d+(\.\d+)?/g, '#');
    const known = warnings.get(key);
    if (known) known.count++; else warnings.set(key, { count: 1, first: text });
  });
  page.on('dialog', (d) => { refuse(new Error(d.message())); d.dismiss().catch(() => {}); });
  await page.goto(`${origin}/index.html`);
  const input = page.locator('input[type=file]').first();
  await input.waitFor({ state: 'attached', timeout: 20000 });
  await input.setInputFiles(path.resolve(file));
  const exportTab = page.getByText('Export', { exact: false }).first();
  await Promise.race([exportTab.waitFor({ timeout: limit }), refused]);
  if (opt.screenshot) { await page.waitForTimeout(800); await page.screenshot({ path: opt.screenshot }); }
  const saving = page.waitForEvent('download', { timeout: limit });
  await exportTab.click();
  const saved = path.join(profileDir, 'export.json');
  await (await Promise.race([saving, refused])).saveAs(saved);
  const doc = JSON.parse(fs.readFileSync(saved, 'utf8'));
  out = { name: doc.name, exporter: doc.exporter, frames: doc.shared.frames.length,
    profiles: doc.profiles.map((p) => summarize(p, doc.shared.frames, Number(opt.top))) };
  status = warnings.size || errors.length ? 1 : 0;
} catch (e) {
  const text = String(e.message ?? e).split('\n')[0];
  out = { error: /Timeout \d+ms exceeded/.test(text)
    ? `speedscope showed no profile within ${opt.timeout} s, and gave no reason` : text };
} finally {
  await browser?.close().catch(() => {});
  server.closeAllConnections();
  server.close();
  fs.rmSync(profileDir, { recursive: true, force: true });
}
console.log(JSON.stringify({ file, ...out, warnings: [...warnings.values()], pageErrors: errors }, null, 2));
process.exit(status);
