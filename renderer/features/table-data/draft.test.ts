import { expect, test, vi } from 'vitest';
import type { TableSource } from '../../workbench/rows/table-source.ts';

vi.mock('../../connection/database-client.ts', () => ({
  client: { on: () => () => undefined, onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
const { draftDetail, draftRow, EMPTY_DRAFT, filled, keepDraft, keptDraft } = await import('./draft.ts');

const source = {
  database: 'd',
  detail: { name: 'item' },
  columns: [{ name: 'id', defaultText: 'automatic' }, { name: 'name' }, { name: 'price' }],
  declaration: () => ({ declaredType: 'TEXT' }),
} as unknown as TableSource;

test('the details show each cell of the row being added: its text, or what it gets if it is left empty', () => {
  const draft = filled(EMPTY_DRAFT, 'name', 'dog');
  const at = (column: number) => draftDetail('t', source, draft, column);
  expect(at(1)).toMatchObject({ title: 'item, new row', value: 'dog', storageClass: 'text', sizeBytes: 3 });
  expect(at(1)?.source).toEqual({ kind: 'new-row', emptyText: null });
  expect([0, 2].map((column) => at(column)?.source)).toEqual(
    ['automatic', 'NULL'].map((emptyText) => ({ kind: 'new-row', emptyText })),
  );
  expect(at(1)?.editing).toBe('This row is not saved yet. Change it in the table.');
});

test('it is kept while its tab is in the background, and a refusal is gone with the next text', () => {
  const draft = filled({ values: new Map([['name', 'dog']]), failure: 'Another row has this name.' }, 'price', 9);
  expect(draft.failure).toBeNull();
  keepDraft('t', draft);
  expect([...draftRow(source, keptDraft('t')!).cells.keys()]).toEqual([1, 2]);
  keepDraft('t', null);
  expect(keptDraft('t')).toBeNull();
});
