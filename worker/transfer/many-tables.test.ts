import { expect, test, vi } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { MEMORY_BUDGET } from '../engines/memory-budget.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';
import type { ScratchStore } from './scratch.ts';

const tables = (count: number): string =>
  Array.from({ length: count }, (_, at) => `CREATE TABLE t${at} (a, b); CREATE INDEX i${at} ON t${at} (a);`).join('\n');

/** How many statements are prepared to list what the file contains. */
async function prepared(place: ScratchStore, count: number): Promise<number> {
  let last: Connection | null = null;
  const spies: ReturnType<typeof vi.spyOn>[] = [];
  const store: ScratchStore = {
    async make() {
      const scratch = await place.make();
      return {
        ...scratch,
        open(options) {
          expect(options.cacheBytes).toBe(MEMORY_BUDGET.transferCache);
          last = scratch.open(options);
          spies.push(vi.spyOn(last, 'prepare') as never);
          return last;
        },
      };
    },
  };
  const { contents } = await opened(store, tables(count));
  expect(contents.objects).toHaveLength(count);
  expect(contents.objects.at(-1)).toMatchObject({ columns: ['a', 'b'], indexes: 1, triggers: 0, rows: 0 });
  return spies.at(-1)!.mock.calls.length;
}

test.each(PLACES)(
  'a file of many tables is listed with one statement for 64: their counts (%s)',
  async (_name, place) => {
    expect((await prepared(place, 192)) - (await prepared(place, 64))).toBe(2);
  },
);
