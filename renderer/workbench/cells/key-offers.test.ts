import { beforeEach, expect, test, vi } from 'vitest';
import type { Column, FoundParent, Value } from '#shared/protocol/index.ts';
import type { OfferedValue } from '../../grid/editing/cell-editing.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call, on: () => () => undefined } }));
const { keyOffers } = await import('./key-offers.ts');

const BOB: FoundParent = { key: [2], shown: ['Bob', 'bob@example.org'] };
const choose = vi.fn(async () => ({ kind: 'done' }) as const);
const row: Readonly<Record<string, Value>> = { owner: 2, room: 'B', number: 1 };

/** What is offered for `text` in a column with this key. */
async function offered(
  columns: readonly (readonly [string, string])[],
  rows: readonly FoundParent[],
  text: string | null,
) {
  call.mockResolvedValueOnce({ columns: ['name'], rows, hasMore: false, byIndexOnly: false });
  const references = { table: 'person', columns: columns.map(([from, to]) => ({ from, to })) };
  const declaration = { name: columns[0]![0], notNull: false, references } as unknown as Column;
  const offers = keyOffers({ database: 'd', declaration, whyFixed: () => null, valueOf: (name) => row[name], choose });
  let items: readonly OfferedValue[] = [];
  offers!.search(text, (found) => void ({ items } = found));
  await new Promise((resolve) => setImmediate(resolve));
  return items;
}

beforeEach(() => vi.clearAllMocks());

test('rows are offered by their key and what they are known by, the one that is referred to first; and NULL', async () => {
  const items = await offered([['owner', 'id']], [BOB], null);
  expect(items.map(({ parts }) => parts)).toEqual([
    ['NULL', 'no row'],
    ['2', 'Bob', 'bob@example.org'],
  ]);
  expect(call).toHaveBeenCalledWith('parent.search', expect.objectContaining({ current: [2] }), expect.anything());
  await items[1]!.choose();
  await items[0]!.choose();
  expect(choose.mock.calls).toEqual([[{ owner: 2 }], [{ owner: null }]]);
  expect((await offered([['owner', 'id']], [BOB], 'bob')).map(({ id }) => id)).toEqual(['2']);
});

test('a composite key sets all its columns in one step', async () => {
  const shelf = [
    ['room', 'room'],
    ['number', 'number'],
  ] as const;
  const [, atlases] = await offered(shelf, [{ key: ['A', 7], shown: ['atlases'] }], null);
  expect(atlases?.parts).toEqual(['A, 7', 'atlases']);
  await atlases!.choose();
  expect(choose).toHaveBeenCalledExactlyOnceWith({ room: 'A', number: 7 });
});
