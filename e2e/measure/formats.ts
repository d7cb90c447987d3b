// A gigabyte of CSV and of NDJSON and a large workbook on their way into a new table, in the library and in place, beside `sqlite3 .import`,
// or a program that does nothing but read and insert them (`worker/bench/process/plain-import.test-suite.ts`).
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

const CSV_MEGABYTES = Number(process.env['SIDELITE_CSV_MEGABYTES'] ?? 1000);
const NDJSON_MEGABYTES = Number(process.env['SIDELITE_NDJSON_MEGABYTES'] ?? 1000);
const SHEET_ROWS = Number(process.env['SIDELITE_XLSX_ROWS'] ?? 200_000);
const ROUNDS = Number(process.env['SIDELITE_FORMAT_ROUNDS'] ?? 3);
const PLAIN = resolve(import.meta.dirname, '../../worker/bench/process/plain-import.test-suite.ts');
const UTF8 = { encoding: 'utf8' } as const;
const LONG = { timeout: 900_000 };
const PLACES = ['in place', 'library'] as const;
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice'];

interface Made {
  readonly format: 'csv' | 'ndjson' | 'xlsx';
  readonly file: string;
  readonly rows: number;
}

export async function measureFormats(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-formats-'));
  try {
    if (CSV_MEGABYTES > 0) await measureFormat(report, writeCsv(folder), folder);
    if (NDJSON_MEGABYTES > 0) await measureFormat(report, writeNdjson(folder), folder);
    if (SHEET_ROWS > 0) await measureFormat(report, await writeWorkbook(folder), folder);
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
      keep(`${place}: types, then import`, types + rows);
      const atOnce = await importInApp(made, place, 'at once');
      keep(`${place}: import begun at once`, atOnce.types + atOnce.rows);
    }
  }
  const alone = made.format === 'csv' ? 'sqlite3 .import' : 'reading and inserting alone';
  report.add(`${made.format}: ${alone}`, 's', plain);
  for (const [name, seconds] of waits) {
    const overPlain = seconds.map((s, round) => s / plain[round]!);
    report.add(`${made.format}, ${name}`, 's', seconds);
    report.add(`${made.format}, ${name} over ${alone}`, 'x', overPlain);
  }
}

/** Returns seconds. */
function importPlainly({ format, file, rows }: Made, folder: string): number {
  const database = join(folder, 'plain.db');
  const began = performance.now();
  const counted =
    format === 'csv'
      ? execFileSync('sqlite3', [database, `.import --csv "${file}" made`, 'SELECT count(*) FROM made'], UTF8)
      : execFileSync(process.execPath, [PLAIN, format, file, database], UTF8);
  const seconds = (performance.now() - began) / 1000;
  expect(Number(counted)).toBe(rows);
  rmSync(database);
  return seconds;
}

async function importInApp(
  { file, rows }: Made,
  place: (typeof PLACES)[number],
  begins: 'counted' | 'at once' = 'counted',
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
    const counted = begins === 'counted' ? rows.toLocaleString('en-US') : undefined;
    await expect(importing.importButton(counted)).toBeVisible(LONG);
    const types = (performance.now() - began) / 1000;
    const pressed = performance.now();
    await importing.importButton().click();
    await expect(importing.result).toContainText(`${rows.toLocaleString('en-US')} rows added`, LONG);
    return { types, rows: (performance.now() - pressed) / 1000 };
  } finally {
    await app.dispose();
  }
}

/** Records of 12 columns, with the types of NDJSON and some quoted fields. */
function writeCsv(folder: string): Made {
  const next = seeded(20_261_127);
  const word = (): string => WORDS[next() % WORDS.length]!;
  const names = 'id,created,customer,email,city,quantity,price,total,code,active,note,ref';
  return writeUntil(join(folder, 'made.csv'), 'csv', CSV_MEGABYTES, `${names}\n`, (id) => {
    const [quantity, price] = [next() % 100, (next() % 100_000) / 100];
    const created = new Date(1.6e12 + (next() % 1e8) * 1000).toISOString();
    const code = String(next() % 1e6).padStart(6, '0');
    const total = Math.round(quantity * price * 100) / 100;
    return `${id},${created},${word()} ${word()},${word()}${next() % 10_000}@example.com,${word()},${quantity},${price},${total},${code},${next() % 2},"${word()}, ${word()}",${next()}\n`;
  });
}

function writeUntil(
  path: string,
  format: Made['format'],
  megabytes: number,
  head: string,
  record: (id: number) => string,
): Made {
  const file = openSync(path, 'w');
  let rows = 0;
  for (let written = writeSync(file, head); written < megabytes * 1e6;) {
    let text = '';
    for (let n = 0; n < 5000; n++) text += record(++rows);
    written += writeSync(file, text);
  }
  closeSync(file);
  return { format, file: path, rows };
}

function writeNdjson(folder: string): Made {
  const next = seeded(20_261_126);
  const word = (): string => WORDS[next() % WORDS.length]!;
  return writeUntil(join(folder, 'made.ndjson'), 'ndjson', NDJSON_MEGABYTES, '', (id) => {
    const [quantity, price] = [next() % 100, (next() % 100_000) / 100];
    const record = {
      id,
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
    return `${JSON.stringify(record)}\n`;
  });
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
