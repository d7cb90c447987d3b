// Tests what is offered for columns of the file that are not imported.
import { expect, test } from 'vitest';
import { choicesByName, choicesForNewTable, named } from '#shared/import/column-choices.ts';
import type { TableDetail } from '#shared/protocol/index.ts';
import type { TargetChoice } from '#shared/import/target-choice.ts';
import { leftEntries } from './left-columns.ts';

const detail = { kind: 'table', columns: [{ name: 'id' }, { name: 'name' }] } as unknown as TableDetail;
const existing = { kind: 'table' } as TargetChoice;

function offered(view: Parameters<typeof leftEntries>[1], free: readonly string[]) {
  const done: unknown[] = [];
  const session = {
    nameColumn: (at: number, name: string | null) => void done.push([at, name]),
    addToTable: (at: number | null) => void done.push(at),
  };
  const labels = leftEntries(session, view, free).map((entry) => {
    if (typeof entry === 'string' || !('run' in entry)) return '';
    entry.run();
    return entry.label;
  });
  return { labels, done };
}

test('into a new table it is imported under its own name', () => {
  const columns = named(choicesForNewTable(['a', 'b']), 1, null, null);
  expect(offered({ columns, target: { kind: 'new-table' } as TargetChoice, detail: null }, [])).toEqual({
    labels: ['Import b'],
    done: [[1, 'b']],
  });
});

test('into an existing table it takes a column without values, or is added', () => {
  const columns = choicesByName(['id', 'tax', 'vat'], ['id', 'name']);
  expect(offered({ columns, target: existing, detail }, ['name'])).toEqual({
    labels: [
      'Add all 2 to the table',
      'Import tax into name',
      'Add tax to the table',
      'Import vat into name',
      'Add vat to the table',
    ],
    done: [null, [1, 'name'], 1, [2, 'name'], 2],
  });
  expect(offered({ columns, target: existing, detail: { ...detail, kind: 'virtual' } }, [])).toEqual({
    labels: [],
    done: [],
  });
});
