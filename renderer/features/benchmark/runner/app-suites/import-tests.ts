// The tests of imports and their descriptions; the suite runs them.
import { appTest } from './app-test.ts';
import { createSql, sumsSql } from './made-rows.ts';
import type { PartFacts } from '../target.ts';

const ONE =
  'One transaction and one step of the history for the whole import. The text is in memory: no disk is read for it. Measured from the call to its reply.';
const WHOLE = { kind: 'throughput', database: 'fresh' } as const;

export const IMPORT_TESTS = [
  appTest('csv-new', 'CSV into a new table, types from all rows', ONE, WHOLE),
  appTest('csv-append', 'CSV into an existing table', ONE, WHOLE),
  appTest('ndjson-new', 'NDJSON into a new table, types from all rows', ONE, WHOLE),
];

export const importStatements = (test: string): PartFacts['statements'] => [
  { part: 'timed', sql: test === 'csv-append' ? 'INSERT INTO made …' : createSql('made'), times: 1 },
  { part: 'checked', sql: sumsSql('made'), times: 1 },
];
