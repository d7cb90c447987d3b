// The tests of exports and their descriptions; the suite runs them.
import { appTest } from './app-test.ts';
import type { PartFacts } from '../target.ts';

const ONE =
  'The export is one consistent state. The file is written like any export: under a temporary name next to it, and renamed at the end. Measured from the call to its reply.';
const WHOLE = { kind: 'throughput', database: 'kept' } as const;

export const EXPORT_TESTS = [
  appTest('csv', 'A table as CSV', ONE, WHOLE),
  appTest('json', 'A table as JSON', ONE, WHOLE),
  appTest('xlsx', 'A table as XLSX', ONE, WHOLE),
];

export const EXPORT_STATEMENTS: PartFacts['statements'] = [{ part: 'timed', sql: 'SELECT * FROM made', times: 1 }];
