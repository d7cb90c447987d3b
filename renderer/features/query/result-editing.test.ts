import { expect, test, vi } from 'vitest';
import type { EditableColumn, Value } from '#shared/protocol/index.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { editingOf } from './result-editing.ts';

vi.mock('../../connection/database-client.ts', () => ({ client: {} }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../state/databases.ts', () => ({ whyReadOnly: () => null }));

const NAME = { table: 't', column: { name: 'name', declaredType: 'TEXT' }, key: [0], by: null, strict: false };
const COLUMNS = [NAME, NAME, { why: 'This column is computed.' }] as unknown as readonly EditableColumn[];

/** What an edit of that cell of the only row begins with. */
function begin(values: readonly Value[], column: number, columns: typeof COLUMNS | null = COLUMNS, ended = true) {
  const rows = {
    value: (_row: number, at: number) => values[at],
    isPreview: () => false,
    sizeBytes: () => 3,
    storageClass: () => 'text',
  };
  const source = {
    database: 'd',
    hiddenColumns: 0,
    ownEdits: { present: (_key: unknown, _at: number, value: Value) => value },
  };
  const editing = { result: { source, ended }, columns, onStored: () => undefined };
  return editingOf(editing as never).begin({ cell: { rows, index: 0, column } as unknown as CellReference } as never);
}

test('a cell of a result is edited in its table, or it is said why not', () => {
  expect(begin([1, 'ant', 2], 1)).toMatchObject({ text: 'ant' });
  expect(begin([1, 'ant', 2], 2)).toBe('This column is computed.');
  expect(begin([null, 'ant', 2], 1)).toMatch(/^The key of this row is NULL in the result/);
  expect(begin([1, 'ant', 2], 1, null)).toMatch(/^Sidelite is still finding the table/);
  expect(begin([1, 'ant', 2], 1, COLUMNS, false)).toMatch(/^The statement is still running/);
});
