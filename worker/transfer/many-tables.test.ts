import { expect, test } from 'vitest';
import { MEMORY_BUDGET } from '../engines/memory-budget.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';
import type { ScratchStore } from './scratch.ts';

const tables = (count: number): string =>
  Array.from({ length: count }, (_, at) => `CREATE TABLE t${at} (a, b); CREATE INDEX i${at} ON t${at} (a);`).join('\n');

/** A place that counts the statements of each connection that are prepared. */
function counting(place: ScratchStore, which: RegExp): { readonly store: ScratchStore; readonly counts: number[] } {
  const counts: number[] = [];
  const store: ScratchStore = {
    async make() {
      const scratch = await place.make();
      return {
        ...scratch,
        open(options) {
          expect(options.cacheBytes).toBe(MEMORY_BUDGET.transferCache);
          const connection = scratch.open(options);
          const at = counts.push(0) - 1;
          const prepare = connection.prepare.bind(connection);
          connection.prepare = (sql) => {
            if (which.test(sql)) counts[at]!++;
            return prepare(sql);
          };
          return connection;
        },
      };
    },
  };
  return { store, counts };
}

/** How many statements are prepared to list what the file contains. */
async function prepared(place: ScratchStore, count: number): Promise<number> {
  const { store, counts } = counting(place, /./);
  const { contents } = await opened(store, tables(count));
  expect(contents.objects).toHaveLength(count);
  expect(contents.objects.at(-1)).toMatchObject({ columns: ['a', 'b'], indexes: 1, triggers: 0, rows: 0 });
  return counts.at(-1)!;
}

test.each(PLACES)(
  'a file of many tables is listed with one statement for 64: their counts (%s)',
  async (_name, place) => {
    expect((await prepared(place, 192)) - (await prepared(place, 64))).toBe(2);
  },
);

/** @param rounds how often each table gets three rows, in turns */
const rows = (count: number, rounds: number): string => {
  const some = (at: number): string =>
    [1, 2, 3].map((row) => `INSERT INTO t${at} VALUES(${row},'é ${row}.25');\n`).join('');
  const tables = Array.from({ length: count }, (_, at) => `CREATE TABLE t${at} (a, b);\n${some(at)}`);
  const others = Array.from({ length: rounds - 1 }, () => Array.from({ length: count }, (_, at) => some(at)).join(''));
  return [...tables, ...others].join('');
};

test.each(PLACES)('the rows of a small table take one statement, or none (%s)', async (name, place) => {
  const { store, counts } = counting(place, /INSERT|CAST/);
  const { contents } = await opened(store, rows(40, 1));
  expect(contents.objects.map((object) => object.rows)).toEqual(Array.from({ length: 40 }, () => 3));
  expect(counts[0]).toBe(name === 'native' ? 0 : 40);
});

test.each(PLACES)('rows of tables that come in turns are not read by SQLite each time (%s)', async (_name, place) => {
  const { store, counts } = counting(place, /INSERT|CAST/);
  const { contents } = await opened(store, rows(5, 50));
  expect(contents.objects.map((object) => object.rows)).toEqual(Array.from({ length: 5 }, () => 150));
  expect(counts[0]).toBeLessThanOrEqual(10);
});
