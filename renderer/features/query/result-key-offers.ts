// The rows that the foreign key of a cell of a result can refer to, offered while the cell is edited. Choosing one sets all columns of the
// key in its table, whether they are in the result or not.
import { toAppError, type Column, type EditableColumn, type Value } from '#shared/protocol/index.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { storeColumns, type StoredCell } from '../../workbench/cells/cell-edit.ts';
import { keyOffers } from '../../workbench/cells/key-offers.ts';
import type { QueryResult } from './query-view.ts';

export interface ResultEditing {
  readonly result: QueryResult;
  readonly columns: readonly EditableColumn[] | null;
  /** A value was stored: rows that do not follow their tables have to be read again to show it. */
  onStored(): void;
}

export interface KeyedCell extends StoredCell {
  readonly declaration: Column;
  /** The values that identify its row in the result. */
  readonly keyValues: readonly Value[];
  /** `keyValues` are the table's own key. */
  readonly isKeyHere: boolean;
  readonly isStrict: boolean;
}

/** Value that the result shows for a column of the edited row. */
interface ShownValue {
  readonly packed: number;
  readonly value: Value;
}

export function resultKeyOffers(
  { result: { source }, columns, onStored }: ResultEditing,
  stored: KeyedCell,
  { rows, index }: CellReference,
): ReturnType<typeof keyOffers> {
  const { database, table, declaration, keyValues } = stored;
  // A result with editable columns comes from one read of their table, so that all of them belong to the same row.
  const shownOf = (name: string): readonly ShownValue[] =>
    (columns ?? []).flatMap((edit, packed) =>
      'why' in edit || edit.table !== table || edit.column.name !== name || rows.isPreview(index, packed)
        ? []
        : [{ packed, value: source.ownEdits.present(keyValues, packed, rows.value(index, packed)) }],
    );
  return keyOffers({
    database,
    declaration,
    // The worker leaves out keys with columns that cannot be written.
    whyFixed: () => null,
    valueOf: (name) => shownOf(name)[0]?.value,
    async choose(values) {
      const known = Object.entries(values).map(([name, after]) => ({ name, after, shown: shownOf(name) }));
      try {
        return await storeColumns({
          database,
          table,
          key: await stored.key(),
          set: values,
          base: Object.fromEntries(
            known.flatMap(({ name, shown }) => shown.slice(0, 1).map(({ value }) => [name, value])),
          ),
          noteStored() {
            for (const { after, shown } of known)
              for (const { packed, value } of shown) source.ownEdits.note(keyValues, packed, value, after);
            onStored();
          },
          noteHeld: () => stored.noteHeld?.(),
        });
      } catch (thrown) {
        return { kind: 'failed', message: toAppError(thrown).message, choices: [] };
      }
    },
  });
}
