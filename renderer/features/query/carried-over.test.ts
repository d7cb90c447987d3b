import { expect, test } from 'vitest';
import { carriedOver } from './carried-over.ts';
import { NO_CHART, PLAIN_ARRANGEMENT } from './query-view.ts';

const columns = [{ name: 'a' }, { name: 'b' }];
const sorted = { sort: [{ column: 1, descending: true }], filter: [] };
const chart = { isShown: true, choice: null };
const former = { sql: 'SELECT a, b FROM t', source: { columns }, arrangement: sorted, rearrange: null, chart };

test('the same statement is arranged as before, and shown as the same chart', () => {
  expect(carriedOver('\nSELECT a, b FROM t ', columns, [former])).toEqual({ chart, rearrange: sorted });
  const plain = { ...former, arrangement: PLAIN_ARRANGEMENT };
  expect(carriedOver(former.sql, columns, [plain])).toEqual({ chart, rearrange: null });
});

test('another statement with the same columns keeps only the chart, other columns nothing', () => {
  expect(carriedOver('SELECT a, b FROM t WHERE a', columns, [former])).toEqual({ chart, rearrange: null });
  expect(carriedOver(former.sql, [{ name: 'a' }], [former])).toEqual({ chart: NO_CHART, rearrange: null });
  expect(carriedOver(former.sql, columns, [])).toEqual({ chart: NO_CHART, rearrange: null });
});

test('what a stopped run has not arranged yet is not forgotten', () => {
  const stopped = { ...former, arrangement: PLAIN_ARRANGEMENT, rearrange: sorted };
  expect(carriedOver(former.sql, columns, [stopped]).rearrange).toEqual(sorted);
});
