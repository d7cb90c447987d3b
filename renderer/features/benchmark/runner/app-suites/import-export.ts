// The suites `import` and `export`: rows of 12 columns from a seed on their way into a table and out of it, on both engines of the product.
import { AppError, DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportColumn, ImportOptions, ImportSource } from '#shared/protocol/index.ts';
import { createRandom } from '#shared/random.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import { formatCount } from '../../../../ui/format.ts';
import type { AppSuiteRun } from '../target.ts';
import { queryRows, sinkRows } from './app-suite.ts';
import type { ProductSuite } from './app-suite.ts';
import { appTest, seen } from './app-tests.ts';

const WORDS = ['alpha', 'beta', 'delta', 'river', 'stone', 'quick', 'brown', 'müller', 'order', 'invoice', 'light'];
const DEFINITIONS =
  'id INTEGER, created TEXT, customer TEXT, email TEXT, city TEXT, quantity INTEGER, price NUMERIC, total REAL, code TEXT, active TEXT, note TEXT, ref INTEGER';
const COLUMNS = DEFINITIONS.split(', ').map((column) => {
  const [name, type] = column.split(' ') as [string, ImportColumn['type']];
  return { name, type };
});
const NAMES = COLUMNS.map(({ name }) => name);

type MadeRow = readonly (string | number | boolean)[];

function* madeRows(count: number, seed: number): Generator<MadeRow> {
  const random = createRandom(seed);
  const word = (): string => random.pick(WORDS);
  for (let id = 1; id <= count; id++) {
    const quantity = random.between(1, 99);
    const price = random.between(100, 99_999) / 100;
    const created = new Date(1.6e12 + random.between(0, 1e8) * 1000).toISOString();
    yield [
      id,
      `${created.slice(0, 10)} ${created.slice(11, 19)}`,
      `${word()} ${word()}`,
      `${word()}${random.between(0, 9999)}@example.com`,
      word(),
      quantity,
      price,
      quantity + 0.5,
      `0${random.between(10_000, 99_999)}`,
      random.chance(0.5),
      random.chance(0.2) ? `${word()}, "${word()}"` : `${word()} ${word()} ${word()}`,
      random.between(0, 1_000_000),
    ];
  }
}

function madeCsv(count: number, seed: number): string {
  const lines = [NAMES.join(',')];
  for (const row of madeRows(count, seed))
    lines.push(
      row.map((value) => (/[",]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value)).join(','),
    );
  return `${lines.join('\n')}\n`;
}

function madeNdjson(count: number, seed: number): string {
  const lines: string[] = [];
  for (const row of madeRows(count, seed))
    lines.push(JSON.stringify(Object.fromEntries(NAMES.map((name, at) => [name, row[at]]))));
  return `${lines.join('\n')}\n`;
}

const optionsOf = (format: 'csv' | 'ndjson'): ImportOptions => ({
  format,
  encoding: 'utf-8',
  delimiter: format === 'csv' ? ',' : '',
  quote: format === 'csv' ? '"' : '',
  escape: '',
  skipsBlanks: false,
  hasHeader: format === 'csv',
  skipLines: 0,
  comment: '',
  decimalComma: false,
  nullTokens: [],
  part: null,
});

const CREATE_MADE = `CREATE TABLE made (${DEFINITIONS})`;

/** Any error in a row shows in one of these. */
const SUMS = `SELECT count(*), sum(id), sum(quantity), round(sum(price), 2), sum(total), sum(ref), ${NAMES.map((name) => `count(DISTINCT typeof(${name})) || max(typeof(${name}))`).join(', ')}, sum(length(created) + length(customer) + length(email) + length(city) + length(code) + length(note)) FROM made`;

const IMPORT_ONE =
  'One transaction and one step of the history for the whole import. The text is in memory: no disk is read for it. Measured from the call to its reply.';
const INTO_FRESH = { kind: 'throughput', database: 'fresh' } as const;

export const importing = (): ProductSuite => ({
  tests: [
    appTest('csv-new', 'CSV into a new table, types from all rows', IMPORT_ONE, INTO_FRESH),
    appTest('csv-append', 'CSV into an existing table', IMPORT_ONE, INTO_FRESH),
    appTest('ndjson-new', 'NDJSON into a new table, types from all rows', IMPORT_ONE, INTO_FRESH),
  ],
  statements: (test) => [
    { part: 'timed', sql: test === 'csv-append' ? 'INSERT INTO made …' : CREATE_MADE, times: 1 },
    { part: 'checked', sql: SUMS, times: 1 },
  ],
  player({ test, size, fresh, run }) {
    const isNew = test !== 'csv-append';
    const format = test === 'ndjson-new' ? 'ndjson' : 'csv';
    const text = format === 'csv' ? madeCsv(size, run.seed) : madeNdjson(size, run.seed);
    const source: ImportSource = { kind: 'text', text, name: `made.${format}` };
    let database: DatabaseId;
    const once = async (): Promise<number> => {
      database = await run.control.wait(fresh.next());
      if (!isNew) await client.call('query.run', { database, sql: CREATE_MADE });
      const began = performance.now();
      await run.control.wait(importAll({ database, source, format, isNew, size }));
      return performance.now() - began;
    };
    return {
      needsScreen: false,
      play: async () => seen(await once()),
      async compare(_round, sink) {
        await once();
        sinkRows(await queryRows(database, SUMS, run), sink);
      },
      close: () => fresh.end(),
    };
  },
});

interface Order {
  readonly database: DatabaseId;
  readonly source: ImportSource;
  readonly format: 'csv' | 'ndjson';
  readonly isNew: boolean;
  readonly size: number;
}

/** @throws AppError if not every row was added */
async function importAll({ database, source, format, isNew, size }: Order): Promise<void> {
  const options = optionsOf(format);
  const columns = COLUMNS.map((column, from): ImportColumn => ({
    ...column,
    from,
    ...(isNew && { isTypeOpen: true }),
    notNull: false,
    primaryKey: false,
    defaultSql: '',
    expression: '',
  }));
  const target = isNew
    ? ({ kind: 'new-table', table: 'made', strict: false } as const)
    : ({ kind: 'table', table: 'made', mode: 'append', key: [], existing: 'skip' } as const);
  const plan = { source, options, target, columns, maxProblems: 1 };
  const { added } = await client.call('import.run', { database, plan });
  if (added !== size) throw AppError.internal(`${added} rows were added instead of ${size}.`);
}

/** Most rows for which the whole text is compared, as one string. */
const MOST_COMPARED = 100_000;
const PART = 2_000;
const EXPORT_ONE =
  'The export is one consistent state. The file is written like any export: under a temporary name next to it, and renamed at the end. Measured from the call to its reply.';
const WHOLE = { kind: 'throughput' } as const;
const EXPORTED = { source: { kind: 'table', table: 'made' }, options: DEFAULT_EXPORT_OPTIONS } as const;

export const exporting = (): ProductSuite => ({
  tests: [
    appTest('csv', 'A table as CSV', EXPORT_ONE, WHOLE),
    appTest('json', 'A table as JSON', EXPORT_ONE, WHOLE),
    appTest('xlsx', 'A table as XLSX', EXPORT_ONE, WHOLE),
  ],
  databases: { fill, history: false },
  statements: () => [{ part: 'timed', sql: 'SELECT * FROM made', times: 1 }],
  player({ test: format, size, database, run }) {
    const once = (): Promise<number> => exportOnce(database, format, size, run);
    return {
      needsScreen: false,
      play: async () => seen(await once()),
      async compare(_round, sink) {
        await once();
        // The same bytes on every engine, except for workbooks: each engine deflates them with a different program.
        if (format === 'xlsx') return;
        const most = size > MOST_COMPARED ? { maxRows: 1000 } : {};
        const { text, rows } = await client.call('export.text', { database, format, ...EXPORTED, ...most });
        sink.value(text);
        sink.changed(rows);
      },
    };
  },
});

/** @throws AppError if a row is missing, or files cannot be written here */
async function exportOnce(database: DatabaseId, format: string, size: number, run: AppSuiteRun): Promise<number> {
  const place = await shell.createComparisonCopy();
  if ('why' in place) throw AppError.unavailable(place.why);
  try {
    const began = performance.now();
    const reply = client.call('export.file', { database, format, ...EXPORTED, sink: place.sink });
    const { rows } = await run.control.wait(reply);
    const ms = performance.now() - began;
    if (rows !== size) throw AppError.internal(`${rows} rows were written instead of ${size}.`);
    return ms;
  } finally {
    await shell.removeComparisonCopy(place.comparisonCopy).catch(() => undefined); // it goes with the window
  }
}

async function fill(sql: (text: string) => Promise<unknown>, run: AppSuiteRun, size: number): Promise<void> {
  await sql(CREATE_MADE);
  let done = 0;
  let values: string[] = [];
  for (const row of madeRows(size, run.seed)) {
    values.push(`(${row.map(literal).join(',')})`);
    if (values.length < PART && done + values.length < size) continue;
    await run.control.checkpoint();
    await sql(`INSERT INTO made VALUES ${values.join(',')}`);
    done += values.length;
    values = [];
    run.tell(`creating ${formatCount(done)} of ${formatCount(size)} rows`);
  }
}

const literal = (value: MadeRow[number]): string =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
