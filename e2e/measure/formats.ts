// A gigabyte of NDJSON and a large workbook on their way into a new table, in the library and in place, beside a program that does nothing
// but read and insert them (`worker/bench/process/plain-import.ts`).
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { seeded } from '../data/seeded.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { runCommand } from '../support/command.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const MEGABYTES = Number(process.env['SIDELITE_NDJSON_MEGABYTES'] ?? 1000);
const SHEET_ROWS = Number(process.env['SIDELITE_XLSX_ROWS'] ?? 200_000);
const ROUNDS = Number(process.env['SIDELITE_FORMAT_ROUNDS'] ?? 3);
const PLAIN = resolve(import.meta.dirname, '../../worker/bench/process/plain-import.ts');
const LONG = { timeout: 900_000 };
const PLACES = ['in place', 'library'] as const;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice'];

interface Made {
  readonly format: 'ndjson' | 'xlsx';
  readonly file: string;
  readonly rows: number;
}

export async function measureFormats(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-formats-'));
  try {
    for (const made of [writeNdjson(folder), await writeWorkbook(folder)]) await measureFormat(report, made, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureFormat(report: Report, made: Made, folder: string): Promise<void> {
  const plain: number[] = [];
  const waits = new Map<string, number[]>();
  const keep = (name: string, seconds: number): void => {
    waits.set(name, [...(waits.get(name) ?? []), seconds]);
  };
  // All in turns: the load of the machine is that of each round.
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(importPlainly(made, folder));
    for (const place of PLACES) {
      const { types, rows } = await importInApp(made, place);
      keep(`${place}: types`, types);
      keep(`${place}: import`, rows);
      keep(`${place}: types and import`, types + rows);
    }
  }
  report.add(`${made.format}: reading and inserting alone`, 's', plain);
  for (const [name, seconds] of waits) {
    const overPlain = seconds.map((s, round) => s / plain[round]!);
    report.add(`${made.format}, ${name}`, 's', seconds);
    report.add(`${made.format}, ${name} over reading and inserting alone`, 'x', overPlain);
  }
}

/** Returns seconds. */
function importPlainly({ format, file, rows }: Made, folder: string): number {
  const database = join(folder, 'plain.db');
  const began = performance.now();
  const counted = execFileSync(process.execPath, [PLAIN, format, file, database], { encoding: 'utf8' });
  const seconds = (performance.now() - began) / 1000;
  expect(Number(counted)).toBe(rows);
  rmSync(database);
  return seconds;
}

async function importInApp(
  { file, rows }: Made,
  place: (typeof PLACES)[number],
): Promise<{ readonly types: number; readonly rows: number }> {
  const app = new SideliteApp();
  app.opensFiles = place === 'in place' ? 'in-place' : 'copy';
  try {
    const target = makeDatabase(join(app.folder, 'target.db'), { kind: 'sql', sql: 'CREATE TABLE t (a);' });
    const view = new AppWindow(await app.start(target));
    await view.opened('target');
    await quietMoment();
    const importing = new ImportPage(view);
    const began = performance.now();
    await importing.choose(app, view, file);
    await expect(importing.importButton(rows.toLocaleString('en-US'))).toBeVisible(LONG);
    const types = (performance.now() - began) / 1000;
    const pressed = performance.now();
    await importing.importButton().click();
    await expect(importing.result).toContainText(`${rows.toLocaleString('en-US')} rows added`, LONG);
    return { types, rows: (performance.now() - pressed) / 1000 };
  } finally {
    await app.dispose();
  }
}

function writeNdjson(folder: string): Made {
  const next = seeded(20_261_126);
  const word = (): string => WORDS[next() % WORDS.length]!;
  const path = join(folder, 'made.ndjson');
  const file = openSync(path, 'w');
  let rows = 0;
  for (let written = 0; written < MEGABYTES * 1e6;) {
    let text = '';
    for (let n = 0; n < 5000; n++) {
      const [quantity, price] = [next() % 100, (next() % 100_000) / 100];
      const record = {
        id: ++rows,
        created: new Date(1.6e12 + (next() % 1e8) * 1000).toISOString(),
        customer: `${word()} ${word()}`,
        email: `${word()}${next() % 10_000}@example.com`,
        city: word(),
        quantity,
        price,
        total: Math.round(quantity * price * 100) / 100,
        code: String(next() % 1e6).padStart(6, '0'),
        active: next() % 2,
        note: `${word()} “${word()}”\n${word()}`,
        ref: next() % 10 === 0 ? null : next(),
      };
      text += `${JSON.stringify(record)}\n`;
    }
    written += writeSync(file, text);
  }
  closeSync(file);
  return { format: 'ndjson', file: path, rows };
}

/** Exported by the app itself, as people get one. */
async function writeWorkbook(folder: string): Promise<Made> {
  const file = join(folder, 'made.xlsx');
  const app = new SideliteApp();
  const words = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => `'word ' || (i * ${7919 + at} % 50000) AS ${name}`);
  const sql = `CREATE TABLE made AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${SHEET_ROWS})
    SELECT i AS id, ${words.join(', ')}, i * 0.25 AS price, i % 100 AS quantity, i * 31 AS ref, date(i % 20000) AS day, 'x' || i AS code FROM n;`;
  try {
    const database = makeDatabase(join(app.folder, 'source.db'), { kind: 'sql', sql });
    const ended = await runCommand(app, ['export', database, '--table', 'made', '--format', 'xlsx', '-o', file]);
    if (ended.code !== 0) throw new Error(ended.err);
  } finally {
    await app.dispose();
  }
  return { format: 'xlsx', file, rows: SHEET_ROWS };
}
