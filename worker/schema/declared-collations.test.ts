// Columns whose collation SQLite does not have are sorted and filtered by bytes.
import { expect, it } from 'vitest';
import type { FilterTerm } from '#shared/protocol/rows.ts';
import { openStrange } from '../engines/strange-schema.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { planReader } from '../readers/open-reader.ts';
import { hostOf } from '../readers/reader-host.test-suite.ts';
import { describeTable } from './table-shape.ts';

const { engine } = await createWasmEngine();
const connection = openStrange(engine, IN_MEMORY);

async function rowsOf(table: string, descending: boolean | null, filter: readonly FilterTerm[] = []): Promise<number> {
  const sort = descending === null ? [] : [{ column: 'a', descending }];
  const reader = planReader(connection, { table, sort, filter })(hostOf(connection));
  await reader.read(0, 10);
  return (await reader.read(0, 10)).extent.rows;
}

it.each(['unindexed', 'indexed'])('the rows of %s are shown, sorted, and found', async (table) => {
  expect(describeTable(connection, table).columns.map(({ unknownCollation }) => unknownCollation)).toEqual([
    undefined,
    'unicase',
    undefined,
  ]);
  expect(await rowsOf(table, null)).toBe(3);
  expect(await rowsOf(table, false)).toBe(3);
  expect(await rowsOf(table, true)).toBe(3);
  const found: readonly (readonly [FilterTerm, number])[] = [
    [{ column: 'a', operator: '=', value: 'b' }, 1],
    [{ column: 'a', operator: '=', value: 'B' }, 0],
    [{ column: 'a', operator: '<', value: 'a' }, 2],
    [{ column: 'a', operator: 'in', value: null, values: ['A', 'C'] }, 2],
    [{ column: 'a', operator: 'between', value: 'A', to: 'B' }, 1],
    [{ column: 'a', operator: 'contains', value: 'b' }, 1],
    [{ column: null, operator: '=', value: 'A' }, 1],
  ];
  for (const [term, rows] of found) expect([term, await rowsOf(table, false, [term])]).toEqual([term, rows]);
});

it('a collation that SQLite has stays in force', () => {
  connection.run('CREATE TABLE folded (a TEXT COLLATE nocase, b TEXT COLLATE "RTRIM")');
  const { columns } = describeTable(connection, 'folded');
  expect(columns.map(({ unknownCollation }) => unknownCollation)).toEqual([undefined, undefined]);
});
