import { expect, test } from 'vitest';
import type { ErrorData } from '#shared/protocol/index.ts';
import { columnDifferences } from './column-differences.ts';
import type { Outcome, RowsComparison, StatementPair } from './compare-view.ts';
import { verdictOf } from './verdict.ts';

const ran = (rows: number | null, rowsChanged: number | null = null): Outcome =>
  ({
    kind: 'ran',
    source: null,
    statement: { rowsChanged, result: rows === null ? null : { rows } },
  }) as unknown as Outcome;
const failed = (message: string): Outcome => ({ kind: 'failed', error: { code: 'sql', message } satisfies ErrorData });
const compared = (part: Partial<RowsComparison>): RowsComparison => ({
  verdict: 'content', pages: [], buckets: [], columns: [], positions: [], all: true, only: { left: [], right: [] }, ...part,
}); // prettier-ignore
const pair = (wasm: Outcome, native: Outcome, rows: RowsComparison | null = null): StatementPair => ({
  wasm, native, rows, sql: '', offset: 0, grids: null,
}); // prettier-ignore

test.each<[string, StatementPair, string]>([
  ['same', pair(ran(3), ran(3), compared({ verdict: 'identical' })), 'Identical: 3 rows'],
  [
    'order',
    pair(ran(3), ran(3), compared({ verdict: 'order', positions: [0, 2] })),
    'The same 3 rows, in a different order: 2',
  ],
  [
    'different',
    pair(ran(3), ran(3), compared({ positions: [1], only: { left: [1], right: [1] } })),
    'Different: 1 row differs.',
  ],
  [
    'different',
    pair(ran(3), ran(2), compared({ positions: [1, 2], only: { left: [1], right: [] } })),
    '3 rows on wasm, 2 on native. Different: 1 row only on wasm, 0 only on native; 1 other row is in another position.',
  ],
  ['different', pair(ran(9), ran(9), compared({ positions: [1], all: false, only: null })), 'too many rows to list'],
  ['different', pair(failed('no such function: soundex'), ran(1)), 'Only native could run it; wasm rejected it.'],
  ['same', pair(failed('no such table: x'), failed('no such table: x')), 'Both engines report the same error.'],
  ['different', pair(failed('a'), failed('b')), 'The engines report different'],
  ['same', pair(ran(null, 2), ran(null, 2)), '2 rows changed on both.'],
  ['different', pair(ran(null, 2), ran(null, 3)), '2 rows changed on wasm, 3 on native.'],
  ['note', pair(ran(1), { kind: 'not-run' }), 'Only wasm ran it'],
])('%s: %#', (tone, statement, text) => {
  const verdict = verdictOf(statement);
  expect(verdict.tone).toBe(tone);
  expect(verdict.text).toContain(text);
});

test('columns that are named or declared otherwise are a difference of their own', () => {
  const column = (name: string, declaredType: string) => ({ name, declaredType, origin: null });
  const columns = columnDifferences([column('a', 'TEXT'), column('b', '')], [column('a', ''), column('c', '')]);
  expect(columns).toEqual([
    '“a” is declared TEXT on wasm, without a type on native',
    'column 2 is named “b” on wasm, “c” on native',
  ]);
  const verdict = verdictOf(pair(ran(3), ran(3), compared({ verdict: 'identical', columns })));
  expect(verdict).toMatchObject({ tone: 'different' });
  expect(verdict.text).toContain('The rows are identical; the columns are not');
  expect(columnDifferences([column('a', '')], [])).toEqual(['1 column on wasm, 0 on native']);
});
