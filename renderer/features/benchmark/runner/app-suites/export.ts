// The suite `export`: a table of 12 columns on its way into a file, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError, DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import { formatCount } from '../../../../ui/format.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget } from './app-target.ts';
import { EXPORT_STATEMENTS, EXPORT_TESTS } from './export-tests.ts';
import { createSql, madeRows } from './made-rows.ts';
import type { MadeRow } from './made-rows.ts';
import { PRODUCT_ENGINES, settingsOf, TemporaryDatabases } from './temporary-databases.ts';
import { WholePlayer } from './whole-player.ts';

/** Most rows for which the whole text is compared, as one string. */
const MOST_COMPARED = 100_000;
/** Rows in one INSERT. */
const PART = 2_000;

export function startExport(): AppSuite {
  return new Export();
}

class Export implements AppSuite {
  readonly tests = EXPORT_TESTS;
  readonly engines = PRODUCT_ENGINES;
  #size = 0;
  #databases: TemporaryDatabases | null = null;

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    if (this.#size !== unit.size || !this.#databases) {
      await this.#databases?.end();
      this.#size = unit.size;
      this.#databases = new TemporaryDatabases((sql, suite) => fill(unit.size, sql, suite), { history: false });
    }
    const database = await this.#databases.of(engine, run);
    const format = unit.tests[0]!.id;
    const player = new WholePlayer({
      test: format,
      facts: {
        statements: EXPORT_STATEMENTS,
        rows: null,
        heapBytes: null,
        ...(await settingsOf(database, engine)),
      },
      once: () => exportOnce(database, format, { size: unit.size, run }),
      async compare(sink) {
        // The same bytes on every engine, except for workbooks: each engine deflates them with a different program.
        if (format === 'xlsx') return;
        const source = { kind: 'table', table: 'made' } as const;
        const options = DEFAULT_EXPORT_OPTIONS;
        const { text, rows } = await client.call('export.text', {
          database,
          source,
          format,
          options,
          ...(unit.size > MOST_COMPARED && { maxRows: 1000 }),
        });
        sink.value(text);
        sink.changed(rows);
      },
      close: () => Promise.resolve(),
    });
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    await this.#databases?.end();
    this.#databases = null;
  }
}

/** @throws AppError if a row is missing, or files cannot be written here */
async function exportOnce(
  database: DatabaseId,
  format: string,
  { size, run }: { readonly size: number; readonly run: AppSuiteRun },
): Promise<number> {
  const place = await shell.createComparisonCopy();
  if ('why' in place) throw new AppError({ code: 'unavailable', message: place.why });
  try {
    const source = { kind: 'table', table: 'made' } as const;
    const options = DEFAULT_EXPORT_OPTIONS;
    const began = performance.now();
    const reply = client.call('export.file', { database, source, format, options, sink: place.sink });
    const { rows } = await run.control.wait(reply);
    const ms = performance.now() - began;
    if (rows !== size)
      throw new AppError({ code: 'internal', message: `${rows} rows were written instead of ${size}.` });
    return ms;
  } finally {
    await shell.removeComparisonCopy(place.comparisonCopy).catch(() => undefined); // it goes with the window
  }
}

async function fill(size: number, sql: (text: string) => Promise<unknown>, run: AppSuiteRun): Promise<void> {
  await sql(createSql('made'));
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
