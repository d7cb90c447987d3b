import { beforeEach, expect, test, vi } from 'vitest';
import { changedMeanwhile } from '#shared/changed-meanwhile.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { EditOutcome } from '../../grid/editing/cell-editing.ts';
import { editCell, storeColumns, type StoredCell } from './cell-edit.ts';
import { chosenFormat } from './column-format.ts';

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

const berlin: StoredCell = { ...cell, format: chosenFormat({ format: 'unix-s', zone: 'Europe/Berlin' }) };

test('a cell that is shown in a format is edited in it, exactly', async () => {
  row['a'] = 1774746000;
  const session = editCell(berlin, 1774746000, 'integer');
  expect(session).toMatchObject({
    text: '2026-03-29 03:00:00 +02:00',
    isShownForm: true,
    note: 'Editing as shown: Unix seconds, Europe/Berlin',
  });
  const refused = await session.commit('2026-03-29 02:30:00');
  expect(refused).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/does not exist.*Nothing was saved/s) as string,
  });
  expect(row['a']).toBe(1774746000);
  // The same text with a space is the same value: nothing is stored, so nothing conflicts.
  row['a'] = 'theirs';
  expect(await session.commit('2026-03-29 03:00:00 +02:00 ')).toEqual({ kind: 'done' });
  expect(row['a']).toBe('theirs');
  const conflict = await session.commit('2026-03-29 01:59:59');
  expect(await keepMine(conflict, '2026-03-29 01:59:59')).toEqual({ kind: 'done' });
  expect(row['a']).toBe(1774745999);
});

test('a value that does not fit the format is edited as stored, and says so', async () => {
  const session = editCell(berlin, 'first', 'text');
  expect(session).toMatchObject({ text: 'first', note: 'Editing the stored value' });
  expect(await session.commit('2026-01-01')).toEqual({ kind: 'done' });
  expect(row['a']).toBe('2026-01-01');
});

test('NULL becomes a number of the format, never a text', async () => {
  row['a'] = null;
  const session = editCell(berlin, null, 'null');
  expect(session).toMatchObject({ text: '', isNull: true, isShownForm: true });
  expect(await session.commit('1700000000')).toMatchObject({ kind: 'failed' });
  expect(row['a']).toBeNull();
  expect(await session.commit('2026-01-01')).toEqual({ kind: 'done' });
  expect(row['a']).toBe(1767222000);
});

test('a long blob that is still being read is edited in the same form as when it has been read', async () => {
  const blob = new Uint8Array(2000).fill(171);
  const hex = { ...cell, format: chosenFormat({ format: 'hex', zone: 'utc' }) };
  const session = editCell(hex, Promise.resolve(blob), 'blob');
  const { isShownForm, note, text } = editCell(hex, blob, 'blob');
  // Otherwise the shown text could be set in all selected cells, as a text.
  expect(session).toMatchObject({ isShownForm, note });
  expect(isShownForm).toBe(true);
  expect(await session.text).toBe(text);
});

test.each([
  ['uuid', 'text'],
  ['json', 'blob'],
] as const)('a long value that does not fit %s is edited as stored, and says so', (format, storageClass) => {
  const session = editCell(
    { ...cell, format: chosenFormat({ format, zone: 'utc' }) },
    Promise.resolve('x'.repeat(2000)),
    storageClass,
  );
  expect(session.note).toBe('Editing the stored value');
  expect(session.isShownForm).toBeUndefined();
});
