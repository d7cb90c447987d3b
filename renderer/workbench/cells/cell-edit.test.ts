import { beforeEach, expect, test, vi } from 'vitest';
import { changedMeanwhile } from '#shared/changed-meanwhile.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { EditOutcome } from '../../grid/editing/cell-editing.ts';
import { editCell, storeColumns } from './cell-edit.ts';
import type { StoredCell } from './cell-edit.ts';

/** The row, which an edit changes only if it still is what the edit rests on. */
let row: Record<string, Value>;
/** Changes by others before the next reads. */
let others: Record<string, Value>[];

vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call(op: string, { cell }: { readonly cell: { readonly column: string } }) {
      if (op !== 'cell.read') throw new Error(op);
      Object.assign(row, others.shift());
      return Promise.resolve({ value: row[cell.column] });
    },
  },
}));
vi.mock('../../state/reviews.ts', () => ({ reviewAction: () => null }));
vi.mock('../held/held-store.ts', () => ({
  saveChanges(_database: string, _table: string, [change]: readonly { set: typeof row; base: typeof row }[]) {
    for (const [name, before] of Object.entries(change!.base))
      if (row[name] !== before) return Promise.reject(changedMeanwhile(name, row[name]!));
    Object.assign(row, change!.set);
    return Promise.resolve({ isHeld: false });
  },
}));

const cell: StoredCell = {
  database: 'd',
  table: 't',
  column: 'a',
  declaredType: '',
  key: () => [1],
  packed: 1,
  valueFromText: (text) => text,
  noteStored: () => undefined,
};

async function keepMine(outcome: EditOutcome, text = ''): Promise<EditOutcome> {
  const choice = outcome.kind === 'failed' ? outcome.choices.find(({ label }) => label === 'Keep mine') : undefined;
  const next = choice?.run(text);
  if (next === undefined || next === 'revert') throw new Error(JSON.stringify(outcome));
  return await next;
}

beforeEach(() => {
  row = { a: 'first', b: 'first' };
  others = [];
});

test('“Keep mine” replaces the value that the message told of', async () => {
  const session = editCell(cell, 'first', 'text');
  row['a'] = 'theirs';
  const refused = await session.commit('mine');
  expect(refused).toMatchObject({ kind: 'failed', message: expect.stringContaining('“theirs”') as string });
  expect(row['a']).toBe('theirs');
  expect(await keepMine(refused, 'mine')).toEqual({ kind: 'done' });
  expect(row['a']).toBe('mine');
});

test('“Keep mine” does not replace a value that nobody has seen', async () => {
  row['a'] = 'theirs';
  const refused = await editCell(cell, 'first', 'text').commit('mine');
  others = [{ a: 'third' }];
  const again = await keepMine(refused, 'mine');
  expect(again).toMatchObject({ kind: 'failed', message: expect.stringContaining('“third”') as string });
  expect(row['a']).toBe('third');
  expect(await keepMine(again, 'mine')).toEqual({ kind: 'done' });
  expect(row['a']).toBe('mine');
});

test('“Keep mine” of several columns asks about each that others have changed', async () => {
  const noteStored = vi.fn<() => void>();
  Object.assign(row, { a: 'theirs', b: 'theirs too' });
  const refused = await storeColumns({
    ...{ database: 'd', table: 't', key: [1], noteStored },
    ...{ set: { a: 'mine', b: 'mine' }, base: { a: 'first', b: 'first' } },
  });
  const second = await keepMine(refused);
  expect(second).toMatchObject({ kind: 'failed', message: expect.stringContaining('“theirs too”') as string });
  expect(row).toEqual({ a: 'theirs', b: 'theirs too' });
  expect(await keepMine(second)).toEqual({ kind: 'done' });
  expect(row).toEqual({ a: 'mine', b: 'mine' });
  expect(noteStored).toHaveBeenCalledTimes(1);
});
