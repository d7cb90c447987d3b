// The suite `import`: rows of 12 columns on their way into a table, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportColumn, ImportSource } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import type { AppSuite, AppSuiteRun, BenchUnit, Target } from '../target.ts';
import { AppTarget, sinkRows } from './app-target.ts';
import { FreshDatabases } from './fresh-databases.ts';
import { IMPORT_TESTS, importStatements } from './import-tests.ts';
import { COLUMNS, createSql, madeCsv, madeNdjson, optionsOf, sumsSql, TYPES } from './made-rows.ts';
import { PRODUCT_ENGINES, settingsOf } from './temporary-databases.ts';
import { WholePlayer } from './whole-player.ts';

export function startImport(): AppSuite {
  return new Import();
}

class Import implements AppSuite {
  readonly tests = IMPORT_TESTS;
  readonly engines = PRODUCT_ENGINES;
  readonly #players = new Set<WholePlayer>();

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = unit.tests[0]!.id;
    const fresh = new FreshDatabases(engine, run);
    const facts = {
      statements: importStatements(test),
      rows: null,
      heapBytes: null,
      ...(await settingsOf(await fresh.next(), engine)),
    };
    const { size } = unit;
    const format = test === 'ndjson-new' ? 'ndjson' : 'csv';
    const text = format === 'csv' ? madeCsv(size, run.seed) : madeNdjson(size, run.seed);
    const source: ImportSource = { kind: 'text', text, name: `made.${format}` };
    let database: DatabaseId;
    const player = new WholePlayer({
      test,
      facts,
      async once() {
        database = await run.control.wait(fresh.next());
        if (test === 'csv-append') await client.call('query.run', { database, sql: createSql('made') });
        const began = performance.now();
        await run.control.wait(importAll({ database, source, format, isNew: test !== 'csv-append', size }));
        return performance.now() - began;
      },
      compare: async (sink) => sinkRows(await rowsOf(database, sumsSql('made')), sink),
      close: () => fresh.end(),
    });
    this.#players.add(player);
    return new AppTarget(engine, player, run.control);
  }

  async end(): Promise<void> {
    for (const player of this.#players) await player.close();
  }
}

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
  const columns = COLUMNS.map((name, from): ImportColumn => ({
    name,
    from,
    type: TYPES[name],
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
  if (added !== size) throw new AppError({ code: 'internal', message: `${added} rows were added instead of ${size}.` });
}

/** The one result of a query. */
export async function rowsOf(database: DatabaseId, sql: string) {
  let reader = 0;
  await client.call(
    'query.run',
    { database, sql },
    {
      onChunk: (chunk) => {
        for (const event of chunk) if (event.kind === 'result') ({ reader } = event.reader);
      },
    },
  );
  return (await client.call('rows.read', { reader, start: 0, count: 10 })).rows;
}
