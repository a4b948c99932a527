#!/usr/bin/env node
// SPDX-License-Identifier: GPL-2.0-or-later
// Loads trace files into the Catapult trace viewer (the program behind
// chrome://tracing) in headless Chromium, and prints what its model holds.
// See README.md for the packages it needs.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import zlib from 'node:zlib';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const EXIT = { ok: 0, warnings: 1, failed: 2, usage: 64 };
const HELP = `usage: check-chrome-trace.mjs [options] FILE...

Prints one JSON object; for more than one FILE, one object a line.

  --strict           also fail on unfinished or badly nested slices and on
                     counter samples that go back in time
  --allow TYPE       do not fail on import warnings of this type (repeatable)
  --names            list processes and threads with their own counts, and the
                     samples in each function
  --screenshot PNG   also draw the timeline and save a picture (one FILE only)
  --viewer DIR       folder with trace_viewer_full.html and webcomponents.min.js
  --chromium PATH    browser to run              (default /usr/bin/chromium)
  --timeout SECONDS  limit for each import       (default 300)

exit status: 0 imported cleanly, 1 imported with warnings or empty, 2 not imported,
64 wrong usage; the highest of them when there is more than one FILE`;

let opt, files;
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      strict: { type: 'boolean', default: false },
      allow: { type: 'string', multiple: true, default: [] },
      names: { type: 'boolean', default: false },
      screenshot: { type: 'string' },
      viewer: { type: 'string', default: process.env.TRACE_VIEWER_DIR },
      chromium: { type: 'string', default: process.env.CHROMIUM ?? '/usr/bin/chromium' },
      timeout: { type: 'string', default: '300' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) { console.log(HELP); process.exit(EXIT.ok); }
  if (positionals.length < 1) throw new Error('a FILE is needed');
  if (values.screenshot && positionals.length > 1) throw new Error('--screenshot takes one FILE only');
  if (!(Number(values.timeout) > 0)) throw new Error('--timeout wants a number of seconds');
  for (const f of positionals) fs.accessSync(f, fs.constants.R_OK);
  opt = values;
  files = positionals;
} catch (e) {
  console.error(`${e.message}\n${HELP}`);
  process.exit(EXIT.usage);
}

// Debian keeps the viewer in golang-X.Y-src; take the newest one installed.
function findViewer() {
  if (opt.viewer) return opt.viewer;
  const base = '/usr/share';
  const found = fs.readdirSync(base)
    .filter((d) => /^go-\d/.test(d))
    .sort((a, b) => b.localeCompare(a, undefined, { numeric: true }))
    .flatMap((d) => [
      `${base}/${d}/src/cmd/trace/static`,
      `${base}/${d}/src/internal/trace/traceviewer/static`,
      `${base}/${d}/misc/trace`])
    .find((d) => fs.existsSync(`${d}/trace_viewer_full.html`));
  if (!found) {
    console.error('no trace_viewer_full.html found: install golang-1.19-src, or give --viewer DIR');
    process.exit(EXIT.usage);
  }
  return found;
}

const SHELL = `<!DOCTYPE html><html><head><meta charset="utf-8">
<style>html, body { margin: 0; width: 100%; height: 100%; overflow: hidden }
tr-ui-timeline-view { width: 100%; height: 100%; overflow: hidden; position: absolute }</style>
<script src="/viewer/webcomponents.min.js"></script>
<script>
  window.viewerState = 'loading';
  window.addEventListener('error', (e) => { (window.pageErrors ??= []).push(String(e.message)); });
  document.addEventListener('WebComponentsReady', () => { window.viewerState = 'ready'; });
</script>
<link rel="import" href="/viewer/trace_viewer_full.html">
</head><body></body></html>`;

// Runs inside the page.
async function importAndCount({ wantNames, draw }) {
  const text = await (await fetch('/trace')).text();
  const options = new tr.importer.ImportOptions();
  options.pruneEmptyContainers = false; // keep every named process and thread
  options.shiftWorldToZero = false;     // report the times that the file has
  options.showImportWarnings = false;   // no dialogs
  const model = new tr.Model();
  const t0 = performance.now();
  await new tr.importer.Import(model, options).importTraces([text]);
  const importMs = Math.round(performance.now() - t0);

  const sum = { processes: 0, threads: 0, slices: 0, unfinishedSlices: 0, badlyNestedSlices: 0,
    cpuSlices: 0, asyncSlices: 0, instants: 0, flows: 0, counters: 0, counterSamples: 0,
    unorderedCounterSamples: 0,
    samples: model.samples.length, metadata: model.metadata.length };
  const names = [];
  const asyncCount = (group) => {
    let n = 0;
    const walk = (s) => { n++; for (const sub of s.subSlices ?? []) walk(sub); };
    for (const s of group.slices) walk(s);
    return n;
  };
  const addCounters = (holder) => {
    for (const c of Object.values(holder.counters ?? {})) {
      sum.counters++;
      for (const series of c.series) {
        sum.counterSamples += series.samples.length;
        series.samples.forEach((x, i, all) => {
          if (i && x.timestamp < all[i - 1].timestamp) sum.unorderedCounterSamples++;
        });
      }
    }
  };
  sum.instants += model.instantEvents.length;
  for (const pid of Object.keys(model.processes)) {
    const proc = model.processes[pid];
    const mine = { pid: proc.pid, name: proc.name ?? null, threads: [] };
    sum.processes++;
    sum.instants += proc.instantEvents.length;
    addCounters(proc);
    for (const tid of Object.keys(proc.threads)) {
      const thread = proc.threads[tid];
      const slices = thread.sliceGroup.slices;
      const sorted = [...slices].sort((a, b) => a.start - b.start || b.duration - a.duration);
      const open = [];
      let bad = 0;
      // Times are milliseconds held as doubles, so allow a picosecond or,
      // far from zero, a few units in the last place.
      for (const s of sorted) {
        const slack = Math.max(1e-9, Math.abs(s.end) * 4 * Number.EPSILON);
        while (open.length && open.at(-1).end <= s.start + slack) open.pop();
        if (open.length && s.end > open.at(-1).end + slack) bad++;
        open.push(s);
      }
      const asyncs = asyncCount(thread.asyncSliceGroup);
      sum.threads++;
      sum.slices += slices.length;
      sum.unfinishedSlices += slices.filter((s) => s.didNotFinish).length;
      sum.badlyNestedSlices += bad;
      sum.asyncSlices += asyncs;
      sum.instants += thread.sliceGroup.instantEvents?.length ?? 0;
      mine.threads.push({ tid: thread.tid, name: thread.name ?? null, slices: slices.length,
        asyncSlices: asyncs, timeSlices: thread.timeSlices?.length ?? 0 });
    }
    names.push(mine);
  }
  for (const cpu of Object.values(model.kernel.cpus)) {
    sum.cpuSlices += cpu.slices.length;
    addCounters(cpu);
  }
  addCounters(model.kernel);
  sum.flows = model.flowEvents.length;

  const warnings = new Map();
  for (const w of model.importWarnings) {
    const known = warnings.get(w.type);
    if (known) known.count++;
    else warnings.set(w.type, { type: w.type, count: 1, first: String(w.message).slice(0, 300) });
  }
  const toUs = (ms) => Math.round(ms * 1e6) / 1e3; // the model keeps milliseconds
  const bounds = model.bounds.isEmpty ? null
    : { startUs: toUs(model.bounds.min), endUs: toUs(model.bounds.max) };

  if (draw) {
    const tracks = document.createElement('track-view-container');
    tracks.id = 'track_view_container';
    const view = document.createElement('tr-ui-timeline-view');
    view.track_view_container = tracks; // the view looks its tracks up here
    Polymer.dom(view).appendChild(tracks);
    view.globalMode = true;
    Polymer.dom(document.body).appendChild(view);
    view.viewTitle = draw;
    view.model = model;
    await new Promise((r) => setTimeout(r, 1500));
  }
  const leaves = {};
  for (const s of model.samples) {
    const title = s.leafNode.title;
    leaves[title] = (leaves[title] ?? 0) + s.weight;
  }
  return { ...sum, importWarnings: [...warnings.values()], bounds, importMs,
    ...(wantNames ? { names, leaves } : {}) };
}

let current; // the file which /trace serves
function serve(viewerDir) {
  const server = http.createServer((req, res) => {
    const send = (type, stream) => {
      res.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' });
      stream.on('error', () => res.destroy()).pipe(res);
    };
    switch (req.url) {
      case '/': res.writeHead(200, { 'content-type': 'text/html' }); res.end(SHELL); break;
      case '/viewer/trace_viewer_full.html':
      case '/viewer/webcomponents.min.js':
        send(req.url.endsWith('.js') ? 'text/javascript' : 'text/html',
          fs.createReadStream(path.join(viewerDir, path.basename(req.url))));
        break;
      case '/trace': {
        const head = Buffer.alloc(2);
        const fd = fs.openSync(current, 'r');
        fs.readSync(fd, head, 0, 2, 0);
        fs.closeSync(fd);
        const raw = fs.createReadStream(current);
        send('application/octet-stream',
          head[0] === 0x1f && head[1] === 0x8b ? raw.pipe(zlib.createGunzip()) : raw);
        break;
      }
      default: res.writeHead(404); res.end();
    }
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function check(browser, origin, file) {
  current = file;
  const page = await browser.newPage();
  let timer;
  try {
    const stopped = new Promise((_, no) => {
      page.on('crash', () => no(new Error('the page crashed or ran out of memory')));
      timer = setTimeout(() => no(new Error(`no result within ${opt.timeout} s`)), limitMs);
    });
    stopped.catch(() => {});
    const work = (async () => {
      await page.goto(`${origin}/`);
      await page.waitForFunction(() => window.viewerState === 'ready' && typeof tr === 'object' && tr.importer?.Import,
        undefined, { timeout: limitMs });
      const result = await page.evaluate(importAndCount,
        { wantNames: opt.names, draw: opt.screenshot ? path.basename(file) : null });
      if (opt.screenshot) await page.screenshot({ path: opt.screenshot });
      return result;
    })();
    work.catch(() => {});
    const result = await Promise.race([work, stopped]);
    if (!result.bounds) return [EXIT.warnings, { error: 'read, but it holds no event', ...result }];
    const blocking = result.importWarnings.filter((w) => !opt.allow.includes(w.type));
    const untidy = opt.strict && (result.unfinishedSlices || result.badlyNestedSlices || result.unorderedCounterSamples);
    return [blocking.length || untidy ? EXIT.warnings : EXIT.ok, result];
  } catch (e) {
    const text = String(e.message ?? e).replace(/^page\.evaluate: /, '').split('\n')[0];
    return [EXIT.failed, { error: text.slice(0, 300) }];
  } finally {
    clearTimeout(timer);
    await page.close().catch(() => {});
  }
}

const limitMs = Number(opt.timeout) * 1000;
const server = await serve(findViewer());
const origin = `http://127.0.0.1:${server.address().port}`;
const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'check-chrome-trace-'));
let browser, status = EXIT.ok;
try {
  browser = await chromium.launchPersistentContext(profile, {
    executablePath: opt.chromium, headless: true, viewport: { width: 1600, height: 900 },
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
      '--js-flags=--max-old-space-size=8192'],
  });
  await browser.route('**/*', (r) => (r.request().url().startsWith(origin) ? r.continue() : r.abort()));
  for (const file of files) {
    const [code, result] = await check(browser, origin, file);
    status = Math.max(status, code);
    console.log(JSON.stringify({ file, ...result }, null, files.length > 1 ? 0 : 2));
  }
} catch (e) {
  console.error(String(e.message ?? e));
  status = EXIT.failed;
} finally {
  await browser?.close().catch(() => {});
  server.closeAllConnections();
  server.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
process.exitCode = status;
