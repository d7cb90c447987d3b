// The suite `import`: rows of 12 columns on their way into a table, on both engines of the product.
import type { EngineId } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, ImportColumn, ImportSource } from '#shared/protocol/index.ts';
import { client } from '../../../../connection/database-client.ts';
import type { AppSuiteRun, BenchUnit, PartFacts, Target } from '../target.ts';
import { factsOf, ProductSuite, queryRows, sinkRows } from './app-target.ts';
import { appTest, seen } from './app-test.ts';
import type { Player } from './app-test.ts';
import { COLUMNS, createSql, madeCsv, madeNdjson, optionsOf, sumsSql, TYPES } from './made-rows.ts';
import { FreshDatabases } from './temporary-databases.ts';

const ONE =
  'One transaction and one step of the history for the whole import. The text is in memory: no disk is read for it. Measured from the call to its reply.';
const WHOLE = { kind: 'throughput', database: 'fresh' } as const;

export class Import extends ProductSuite {
  readonly tests = [
    appTest('csv-new', 'CSV into a new table, types from all rows', ONE, WHOLE),
    appTest('csv-append', 'CSV into an existing table', ONE, WHOLE),
    appTest('ndjson-new', 'NDJSON into a new table, types from all rows', ONE, WHOLE),
  ];

  async open(engine: EngineId, unit: BenchUnit, run: AppSuiteRun): Promise<Target> {
    const test = unit.tests[0]!.id;
    const isNew = test !== 'csv-append';
    const fresh = new FreshDatabases(engine, run);
    const facts = await factsOf(statementsOf(isNew), await fresh.next(), engine);
    const { size } = unit;
    const format = test === 'ndjson-new' ? 'ndjson' : 'csv';
    const text = format === 'csv' ? madeCsv(size, run.seed) : madeNdjson(size, run.seed);
    const source: ImportSource = { kind: 'text', text, name: `made.${format}` };
    let database: DatabaseId;
    const once = async (): Promise<number> => {
      database = await run.control.wait(fresh.next());
      if (!isNew) await client.call('query.run', { database, sql: createSql('made') });
      const began = performance.now();
      await run.control.wait(importAll({ database, source, format, isNew, size }));
      return performance.now() - began;
    };
    const player = {
      needsScreen: false,
      play: async () => seen(await once()),
      async compare(_round, sink) {
        await once();
        sinkRows(await queryRows(database, sumsSql('made'), run), sink);
      },
      close: () => fresh.end(),
    } satisfies Player;
    return this.target(engine, test, facts, player, run);
  }
}

const statementsOf = (isNew: boolean): PartFacts['statements'] => [
  { part: 'timed', sql: isNew ? createSql('made') : 'INSERT INTO made …', times: 1 },
  { part: 'checked', sql: sumsSql('made'), times: 1 },
];

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
  if (added !== size) throw AppError.internal(`${added} rows were added instead of ${size}.`);
}
