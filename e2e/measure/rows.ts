// Rows on their way into a new table, in the library and in place. `rows`: a gigabyte of CSV beside `sqlite3 .import`: how long people wait, what
// memory that takes, and what the window feels of it. `formats`: also NDJSON and a workbook, beside a program that does nothing but read and
// insert them (`worker/bench/process/plain-import.test-suite.ts`). `beside`: a cell is changed in another window meanwhile, from the key to the pixels.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { seeded } from '../data/seeded.ts';
import { AppWindow } from '../pages/app-window.ts';
import { ImportPage } from '../pages/import-page.ts';
import type { SideliteApp } from '../sidelite-app.ts';
import { runCommand } from '../support/command.ts';
import { LONG, numberOf, secondsOf, STORAGES, withApp, withDatabase, withFolder } from './apps.ts';
import type { Storage } from './apps.ts';
import { editSeveral } from './edit.ts';
import { startWatch, takeFrames } from './in-page.ts';
import { quietMoment } from './machine.ts';
import { memoryOfTree } from './processes.ts';
import type { Report } from './report.ts';

const CSV_MEGABYTES = numberOf('SIDELITE_CSV_MEGABYTES', 1000);
const NDJSON_MEGABYTES = numberOf('SIDELITE_NDJSON_MEGABYTES', 1000);
const SHEET_ROWS = numberOf('SIDELITE_XLSX_ROWS', 200_000);
const CSV_ROUNDS = numberOf('SIDELITE_CSV_ROUNDS', 3);
const FORMAT_ROUNDS = numberOf('SIDELITE_FORMAT_ROUNDS', 3);
const TABLE_ROWS = 100_000;
const SAMPLE_MS = 250;
const PLAIN = resolve(import.meta.dirname, '../../worker/bench/process/plain-import.test-suite.ts');
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice'];
/** An import begins when the whole file has been read for the types of its columns, or without waiting for that. */
const BEGINNINGS = ['counted', 'at once'] as const;
type Begins = (typeof BEGINNINGS)[number];

interface Made {
  readonly format: 'csv' | 'ndjson' | 'xlsx';
  readonly file: string;
  readonly rows: number;
}

/** Seconds until the import can begin, and until its end. */
interface Waits {
  readonly types: number;
  readonly rows: number;
}

export async function measureRows(report: Report): Promise<void> {
  await withFolder(async (folder) => {
    const made = writeCsv(folder);
    await inTurns(report, 'rows', 'sqlite3 .import', {
      rounds: CSV_ROUNDS,
      plain: () => importPlainly(made, folder),
      async inApp(storage) {
        const { types, rows } = await importSampled(report, made, storage);
        return { 'until types are known': types, import: rows, 'types and import': types + rows };
      },
    });
  });
}

export async function measureFormats(report: Report): Promise<void> {
  await withFolder(async (folder) => {
    if (CSV_MEGABYTES > 0) await measureFormat(report, writeCsv(folder), folder);
    if (NDJSON_MEGABYTES > 0) await measureFormat(report, writeNdjson(folder), folder);
    if (SHEET_ROWS > 0) await measureFormat(report, await writeWorkbook(folder), folder);
  });
}

function measureFormat(report: Report, made: Made, folder: string): Promise<void> {
  const alone = made.format === 'csv' ? 'sqlite3 .import' : 'reading and inserting alone';
  return inTurns(report, made.format, alone, {
    rounds: FORMAT_ROUNDS,
    plain: () => importPlainly(made, folder),
    async inApp(storage) {
      const { types, rows } = await importOnce(made, storage, 'counted');
      const atOnce = await importOnce(made, storage, 'at once');
      return {
        types,
        import: rows,
        'types, then import': types + rows,
        'import begun at once': atOnce.types + atOnce.rows,
      };
    },
  });
}

interface Turns {
  readonly rounds: number;
  plain(): Promise<number>;
  /** Seconds by what took them. */
  inApp(storage: Storage): Promise<Readonly<Record<string, number>>>;
}

/** All in turns: the load of the machine is that of each round. */
async function inTurns(report: Report, what: string, alone: string, { rounds, plain, inApp }: Turns): Promise<void> {
  const base: number[] = [];
  const waits = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    base.push(await plain());
    for (const storage of STORAGES)
      for (const [name, seconds] of Object.entries(await inApp(storage))) {
        const known = waits.get(`${storage}: ${name}`) ?? [];
        waits.set(`${storage}: ${name}`, [...known, seconds]);
      }
  }
  report.add(`${what}: ${alone}`, 's', base);
  for (const [name, seconds] of waits) {
    report.add(`${what}, ${name}`, 's', seconds);
    report.addRatio(`${what}, ${name} over ${alone}`, seconds, base);
  }
}

/** Returns seconds. */
async function importPlainly({ format, file, rows }: Made, folder: string): Promise<number> {
  const database = join(folder, 'plain.db');
  const [program, ...args] =
    format === 'csv'
      ? ['sqlite3', database, `.import --csv "${file}" made`, 'SELECT count(*) FROM made']
      : [process.execPath, PLAIN, format, file, database];
  let counted = '';
  const seconds = await secondsOf(() => (counted = execFileSync(program!, args, { encoding: 'utf8' })));
  expect(Number(counted)).toBe(rows);
  rmSync(database);
  return seconds;
}

const importOnce = (made: Made, storage: Storage, begins: Begins): Promise<Waits> =>
  inNewApp(storage, (app, view) => importInto(app, view, made, begins));

function importSampled(report: Report, made: Made, storage: Storage): Promise<Waits> {
  return inNewApp(storage, async (app, view) => {
    const main = app.electron.process().pid!;
    const idle = memoryOfTree(main);
    const memory: Record<'types' | 'import', number[]> = { types: [], import: [] };
    let samples = memory.types;
    const timer = setInterval(() => samples.push(memoryOfTree(main) - idle), SAMPLE_MS);
    const waits = await importInto(app, view, made, 'counted', async () => {
      await view.page.evaluate(startWatch);
      samples = memory.import;
    });
    clearInterval(timer);
    report.add(`rows, ${storage}: frames of the window`, 'ms', await view.page.evaluate(takeFrames));
    report.add(`rows, ${storage}: memory above idle until types are known`, 'MB', memory.types);
    report.add(`rows, ${storage}: memory above idle`, 'MB', memory.import);
    const { types, rows } = waits;
    const bytes = statSync(made.file).size;
    report.note(
      `${storage}: ${bytes} bytes, ${made.rows} rows, types ${types.toFixed(1)} s, import ${rows.toFixed(1)} s`,
    );
    return waits;
  });
}

const inNewApp = <T>(storage: Storage, body: (app: SideliteApp, view: AppWindow) => Promise<T>): Promise<T> =>
  withDatabase(storage, 'target', 'CREATE TABLE t (a);', async (app, view) => {
    await view.opened('target');
    await quietMoment();
    return body(app, view);
  });

async function importInto(
  app: SideliteApp,
  view: AppWindow,
  made: Made,
  begins: Begins,
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<Waits> {
  const importing = new ImportPage(view);
  const types = await secondsOf(() => chooseFile(importing, app, view, made, begins));
  await ready();
  const rows = await secondsOf(async () => {
    await importing.importButton().click();
    await expect(importing.result).toContainText(addedText(made), LONG);
  });
  return { types, rows };
}

async function chooseFile(
  importing: ImportPage,
  app: SideliteApp,
  view: AppWindow,
  { file, rows }: Made,
  begins: Begins,
): Promise<void> {
  await importing.choose(app, view, file);
  const counted = begins === 'counted' ? rows.toLocaleString('en-US') : undefined;
  await expect(importing.importButton(counted)).toBeVisible(LONG);
}

const addedText = ({ rows }: Made): string => `${rows.toLocaleString('en-US')} rows added`;

export async function measureEditBesideImport(report: Report): Promise<void> {
  await withFolder(async (folder) => {
    const made = writeCsv(folder);
    for (let round = 0; round < CSV_ROUNDS; round++)
      // With a write-ahead log the commit of an import has a checkpoint, and without one it has none.
      for (const place of ['in place', 'in place, WAL', 'library'] as const)
        for (const begins of BEGINNINGS) await editBeside(report, made, place, begins);
  });
}

function editBeside(report: Report, made: Made, place: Storage | 'in place, WAL', begins: Begins): Promise<void> {
  const [storage, mode] = place === 'in place, WAL' ? (['in place', 'wal'] as const) : ([place, 'delete'] as const);
  return withApp(storage, async (app) => {
    const page = await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: TABLE_ROWS }));
    const view = new AppWindow(page);
    await view.opened('big');
    const grid = await view.openTable('big');
    await page.evaluate(startWatch);
    await page.evaluate(() => window.sidelite.newWindow());
    const other = new AppWindow(await app.window(1));
    const sql = `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a);`;
    await other.openFile(app, makeDatabase(join(app.folder, 'target.db'), { kind: 'sql', sql }));
    await other.opened('target');
    const importing = new ImportPage(other);
    await chooseFile(importing, app, other, made, begins);
    if (begins === 'counted') await quietMoment();
    const [before] = begins === 'counted' ? await editSeveral({ page, grid }, [page], 'before') : [[]];
    await importing.importButton().click();
    const stop = importing.bar.getByRole('button', { name: 'Stop' });
    await expect(stop).toBeVisible();
    // Until its end: what comes last may take the longest without a pause.
    const [beside] = await editSeveral({ page, grid }, [page], 'beside', () => stop.isVisible());
    await expect(importing.result).toContainText(addedText(made), LONG);
    if (before!.length > 0) report.add(`edit, ${place}: key to pixels before an import`, 'ms', before!);
    report.add(`edit, ${place}: key to pixels beside an import into another database (${begins})`, 'ms', beside!);
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

/** Records of 12 columns, some fields of which are quoted or empty. */
function writeCsv(folder: string): Made {
  const next = seeded(20_261_122);
  const word = (): string => WORDS[next() % WORDS.length]!;
  const names = 'id,created,customer,email,city,quantity,price,total,code,active,note,ref';
  return writeUntil(join(folder, 'made.csv'), 'csv', CSV_MEGABYTES, `${names}\n`, (id) => {
    const { quantity, price, created, code } = fieldsFrom(next);
    const note = next() % 5 === 0 ? `"${word()}, ${word()} ""${word()}"""` : `${word()} ${word()} ${word()}`;
    const at = created.slice(0, 19).replace('T', ' ');
    return `${id},${at},${word()} ${word()},${word()}${next() % 10_000}@example.com,${word()},${quantity},${price},${(quantity * price).toFixed(2)},${code},${next() % 2 ? 'true' : 'false'},${note},${next() % 10 === 0 ? '' : next()}\n`;
  });
}

function writeNdjson(folder: string): Made {
  const next = seeded(20_261_126);
  const word = (): string => WORDS[next() % WORDS.length]!;
  return writeUntil(join(folder, 'made.ndjson'), 'ndjson', NDJSON_MEGABYTES, '', (id) => {
    const { quantity, price, created, code } = fieldsFrom(next);
    const record = {
      id,
      created,
      customer: `${word()} ${word()}`,
      email: `${word()}${next() % 10_000}@example.com`,
      city: word(),
      quantity,
      price,
      total: Math.round(quantity * price * 100) / 100,
      code,
      active: next() % 2,
      note: `${word()} “${word()}”\n${word()}`,
      ref: next() % 10 === 0 ? null : next(),
    };
    return `${JSON.stringify(record)}\n`;
  });
}

const fieldsFrom = (next: () => number) => ({
  quantity: next() % 100,
  price: (next() % 100_000) / 100,
  created: new Date(1.6e12 + (next() % 1e8) * 1000).toISOString(),
  code: String(next() % 1e6).padStart(6, '0'),
});

/** Exported by the app itself, as people get one. */
async function writeWorkbook(folder: string): Promise<Made> {
  const file = join(folder, 'made.xlsx');
  const words = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => `'word ' || (i * ${7919 + at} % 50000) AS ${name}`);
  const sql = `CREATE TABLE made AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${SHEET_ROWS})
    SELECT i AS id, ${words.join(', ')}, i * 0.25 AS price, i % 100 AS quantity, i * 31 AS ref, date(i % 20000) AS day, 'x' || i AS code FROM n;`;
  await withApp('library', async (app) => {
    const database = makeDatabase(join(app.folder, 'source.db'), { kind: 'sql', sql });
    const ended = await runCommand(app, ['export', database, '--table', 'made', '--format', 'xlsx', '-o', file]);
    if (ended.code !== 0) throw new Error(ended.err);
  });
  return { format: 'xlsx', file, rows: SHEET_ROWS };
}
