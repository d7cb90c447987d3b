// The suite `export`: a table of 12 columns on its way into a file, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError, DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/index.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import { shell } from '../../../../connection/shell.ts';
import { formatCount } from '../../../../ui/format.ts';
import type { AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { factsOf, ProductSuite } from './app-target.ts';
import { appTest, seen } from './app-test.ts';
import type { Player } from './app-test.ts';
import { createSql, madeRows } from './made-rows.ts';
import type { MadeRow } from './made-rows.ts';
import { TemporaryDatabases } from './temporary-databases.ts';

/** Most rows for which the whole text is compared, as one string. */
const MOST_COMPARED = 100_000;
/** Rows in one INSERT. */
const PART = 2_000;
const ONE =
  'The export is one consistent state. The file is written like any export: under a temporary name next to it, and renamed at the end. Measured from the call to its reply.';
const WHOLE = { kind: 'throughput' } as const;

export class Export extends ProductSuite {
  readonly tests = [
    appTest('csv', 'A table as CSV', ONE, WHOLE),
    appTest('json', 'A table as JSON', ONE, WHOLE),
    appTest('xlsx', 'A table as XLSX', ONE, WHOLE),
  ];
  #size = 0;
  #databases: TemporaryDatabases | null = null;

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const { size } = unit;
    if (this.#size !== size || !this.#databases) {
      await this.#databases?.end();
      this.#size = size;
      this.#databases = new TemporaryDatabases((sql, suite) => fill(size, sql, suite), { history: false });
    }
    const database = await this.#databases.of(engine, run);
    const format = unit.tests[0]!.id;
    const once = (): Promise<number> => exportOnce(database, format, size, run);
    const player = {
      needsScreen: false,
      play: async () => seen(await once()),
      async compare(_round, sink) {
        await once();
        // The same bytes on every engine, except for workbooks: each engine deflates them with a different program.
        if (format === 'xlsx') return;
        const source = { kind: 'table', table: 'made' } as const;
        const options = DEFAULT_EXPORT_OPTIONS;
        const most = size > MOST_COMPARED ? { maxRows: 1000 } : {};
        const { text, rows } = await client.call('export.text', { database, source, format, options, ...most });
        sink.value(text);
        sink.changed(rows);
      },
    } satisfies Player;
    const facts = await factsOf([{ part: 'timed', sql: 'SELECT * FROM made', times: 1 }], database, engine);
    return this.target(engine, format, facts, player, run);
  }

  override async end(): Promise<void> {
    await this.#databases?.end();
    this.#databases = null;
  }
}

/** @throws AppError if a row is missing, or files cannot be written here */
async function exportOnce(database: DatabaseId, format: string, size: number, run: AppSuiteRun): Promise<number> {
  const place = await shell.createComparisonCopy();
  if ('why' in place) throw AppError.unavailable(place.why);
  try {
    const source = { kind: 'table', table: 'made' } as const;
    const options = DEFAULT_EXPORT_OPTIONS;
    const began = performance.now();
    const reply = client.call('export.file', { database, source, format, options, sink: place.sink });
    const { rows } = await run.control.wait(reply);
    const ms = performance.now() - began;
    if (rows !== size) throw AppError.internal(`${rows} rows were written instead of ${size}.`);
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
