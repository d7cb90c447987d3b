import { expect, it } from 'vitest';
import type { RowChange } from '#shared/protocol/edit.ts';
import { editTitle } from './edit-title.ts';

const update = (...columns: string[]): RowChange => ({
  kind: 'update',
  key: [1],
  set: Object.fromEntries(columns.map((column) => [column, 1])),
  base: {},
});
const added: RowChange = { kind: 'insert', set: {} };
const copied: RowChange = { kind: 'duplicate', key: [1] };
const deleted: RowChange = { kind: 'delete', key: [1] };

it.each([
  [[update('Name')], 'Edit Name in Track'],
  [[update('Name', 'Composer'), update('Name')], 'Edit 3 cells in Track'],
  [[added], 'Add row to Track'],
  [[added, copied], 'Add 2 rows to Track'],
  [[deleted], 'Delete row from Track'],
  [[deleted, deleted], 'Delete 2 rows from Track'],
  [[update('Name'), deleted], 'Edit Track'],
  [[], 'Edit Track'],
])('names what was done (%#)', (changes, title) => {
  expect(editTitle('Track', changes)).toBe(title);
});
