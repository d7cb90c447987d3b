// A large CSV file on its way into a new table, in the library and in place, beside `sqlite3 .import`: how long people wait, what memory that
// takes, and what the window and another database feel of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { seeded } from '../data/seeded.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { startWatch, takeFrames } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const MEGABYTES = Number(process.env['SIDELITE_CSV_MEGABYTES'] ?? 1000);
const ROUNDS = Number(process.env['SIDELITE_CSV_ROUNDS'] ?? 3);
const LONG = { timeout: 900_000 };
const SAMPLE_MS = 250;
const PLACES = ['in place', 'library'] as const;

export async function measureRows(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-rows-'));
  try {
    const file = join(folder, 'rows.csv');
    const rows = writeRows(file, MEGABYTES * 1e6);
    const shell: number[] = [];
    const waits: Record<string, { readonly types: number[]; readonly rows: number[] }> = {};
    // Both in turns: the load of the machine is that of each pair.
    for (let round = 0; round < ROUNDS; round++) {
      shell.push(importInShell(file, folder, rows));
      for (const place of PLACES) {
        const { types, import: whole } = await importInApp(report, { file, rows, place });
        const wait = (waits[place] ??= { types: [], rows: [] });
        wait.types.push(types);
        wait.rows.push(whole);
      }
    }
    report.add('rows: sqlite3 .import', 's', shell);
    for (const [place, { types, rows: whole }] of Object.entries(waits)) {
      report.add(`rows, ${place}: until types are known`, 's', types);
      report.add(`rows, ${place}: import`, 's', whole);
      report.add(
        `rows, ${place}: import over sqlite3`,
        'x',
        whole.map((s, at) => s / shell[at]!),
      );
      report.add(
        `rows, ${place}: types and import over sqlite3`,
        'x',
        whole.map((s, at) => (s + types[at]!) / shell[at]!),
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns how many rows there are. */
export function writeRows(path: string, bytes: number): number {
  const next = seeded(20_261_122);
  const words = ['alpha', 'beta', 'gamma', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice'];
  const word = (): string => words[next() % words.length]!;
  const file = openSync(path, 'w');
  let text = 'id,created,customer,email,city,quantity,price,total,code,active,note,ref\n';
  let id = 0;
  for (let written = 0; written < bytes; text = '') {
    for (let n = 0; n < 5000; n++) {
      const [quantity, price] = [next() % 100, (next() % 100_000) / 100];
      const created = new Date(1.6e12 + (next() % 1e8) * 1000).toISOString().slice(0, 19).replace('T', ' ');
      const note = next() % 5 === 0 ? `"${word()}, ${word()} ""${word()}"""` : `${word()} ${word()} ${word()}`;
      text += `${++id},${created},${word()} ${word()},${word()}${next() % 10_000}@example.com,${word()},${quantity},${price},${(quantity * price).toFixed(2)},${String(next() % 1e6).padStart(6, '0')},${next() % 2 ? 'true' : 'false'},${note},${next() % 10 === 0 ? '' : next()}\n`;
    }
    written += writeSync(file, text);
  }
  closeSync(file);
  return id;
}

/** Returns seconds. */
function importInShell(file: string, folder: string, rows: number): number {
  const database = join(folder, 'shell.db');
  const began = performance.now();
  const { status, stderr } = spawnSync('sqlite3', [database, '.mode csv', `.import ${file} rows`], {
    encoding: 'utf8',
  });
  const seconds = (performance.now() - began) / 1000;
  if (status !== 0) throw new Error(`sqlite3 failed: ${stderr}`);
  const counted = execFileSync('sqlite3', [database, 'SELECT count(*) FROM rows'], { encoding: 'utf8' });
  expect(Number(counted)).toBe(rows);
  rmSync(database);
  return seconds;
}

interface Case {
  readonly file: string;
  readonly rows: number;
  readonly place: (typeof PLACES)[number];
}

async function importInApp(
  report: Report,
  { file, rows, place }: Case,
): Promise<{ readonly types: number; readonly import: number }> {
  const app = new SideliteApp();
  app.opensFiles = place === 'in place' ? 'in-place' : 'copy';
  try {
    const view = new AppWindow(
      await app.start(makeDatabase(join(app.folder, 'target.db'), { kind: 'sql', sql: 'CREATE TABLE t (a);' })),
    );
    await view.opened('target');
    await quietMoment();
    const idle = memoryOfAll(app);
    const importing = new ImportPage(view);
    const memory: Record<'types' | 'import', number[]> = { types: [], import: [] };
    let samples = memory.types;
    const timer = setInterval(() => samples.push(memoryOfAll(app) - idle), SAMPLE_MS);
    const began = performance.now();
    await importing.choose(app, view, file);
    await expect(importing.importButton(rows.toLocaleString('en-US'))).toBeVisible(LONG);
    const types = (performance.now() - began) / 1000;
    await view.page.evaluate(startWatch);
    samples = memory.import;
    const pressed = performance.now();
    await importing.importButton().click();
    await expect(importing.result).toContainText(`${rows.toLocaleString('en-US')} rows added`, LONG);
    const whole = (performance.now() - pressed) / 1000;
    clearInterval(timer);
    report.add(`rows, ${place}: frames of the window`, 'ms', await view.page.evaluate(takeFrames));
    report.add(`rows, ${place}: memory above idle until types are known`, 'MB', memory.types);
    report.add(`rows, ${place}: memory above idle`, 'MB', memory.import);
    report.note(
      `${place}: ${statSync(file).size} bytes, ${rows} rows, types ${types.toFixed(1)} s, import ${whole.toFixed(1)} s`,
    );
    return { types, import: whole };
  } finally {
    await app.dispose();
  }
}

/**
 * Memory of all processes below the app's, in MB, each page they share counted once. Not pages of files: of the program's own files, other
 * apps on the machine carry a share, which changes when they start and end.
 */
function memoryOfAll(app: SideliteApp): number {
  const parents = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const own = new Set([app.electron.process().pid!]);
  for (let before = 0; before !== own.size;) {
    before = own.size;
    for (const [pid, parent] of parents) if (own.has(parent)) own.add(pid);
  }
  return [...own].reduce((sum, pid) => sum + megabytesOf(pid), 0);
}

function megabytesOf(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return [...rollup.matchAll(/^Pss_(?:Anon|Shmem):\s+(\d+)/gm)].reduce(
      (sum, [, kilobytes]) => sum + Number(kilobytes) / 1024,
      0,
    );
  } catch {
    return 0; // it has just ended
  }
}
