// Edits cells of a result: values are stored in the table that the column comes from, in the row whose key the result has.
import { useEffect, useState } from 'react';
import { AppError, storageClassOf, type CellAddress, type EditableColumn, type Value } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import type { DetailEditing } from '../../state/slices/detail.ts';
import { whyReadOnly } from '../../state/databases.ts';
import { notify } from '../../state/store.ts';
import { editCell, whyValueIsFixed, type StoredCell } from '../../workbench/cells/cell-edit.ts';
import type { ChosenFormat } from '../../workbench/cells/column-format.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import { affinityOf, typedValue } from '../../workbench/cells/typed-value.ts';
import type { EditSession, GridEditing } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import type { QueryResult } from './query-view.ts';
import { resultKeyOffers, type KeyedCell, type ResultEditing } from './result-key-offers.ts';

const NOT_ENDED = 'The statement is still running. Its rows can be edited when it has finished.';
const NOT_KNOWN = 'Sidelite is still finding the table of this column. Try again in a moment.';
const NO_ROW = 'The key of this row is NULL in the result, so there is no table row to edit.';
const HELD =
  'The change is held. The table shows it now; the result shows it after the change is saved and the query runs again.';
const LONG_KEY = 'The key of this row is too long to change the row here. Use an SQL statement.';

/** Where edits of each packed column go; null until known. Determined again when the schema changes. */
export function useEditableColumns({ source, ended }: QueryResult): readonly EditableColumn[] | null {
  const [known, setKnown] = useState<readonly EditableColumn[] | null>(null);
  useEffect(() => {
    if (!ended) return;
    const { database, reader } = source;
    let isWanted = true;
    const ask = (): void =>
      void client.call('edit.columns', { database, reader }).then(
        (columns) => isWanted && setKnown(columns),
        () => isWanted && setKnown(null), // the reader is gone: so is this result, in a moment
      );
    ask();
    const stop = client.on('database.changed', ({ database: changed, schema }) => {
      if (changed !== database || !schema) return;
      setKnown(null);
      ask();
    });
    return () => {
      isWanted = false;
      stop();
    };
  }, [source, ended]);
  return known;
}

export function editingOf(editing: ResultEditing, formats: readonly (ChosenFormat | null)[] = []): GridEditing {
  return {
    begin: ({ cell, column }) => (cell ? beginEdit(editing, cell, formats[column] ?? null) : 'There is no row here.'),
    copyText(text) {
      void shell.writeClipboard(text);
      notify({ tone: 'info', text: 'What you typed is on the clipboard.' });
    },
  };
}

function beginEdit(editing: ResultEditing, cell: CellReference, format: ChosenFormat | null): EditSession | string {
  const stored = storedCell(editing, cell);
  if (typeof stored === 'string') return stored;
  const { rows, index } = cell;
  const refusal = whyValueIsFixed(rows, index, stored.packed);
  if (refusal !== null) return refusal;
  const here = valueHere(editing, stored, cell);
  // A result keeps only the beginning of a long value: it is read from its table.
  const session = editCell(
    { ...stored, format },
    rows.isPreview(index, stored.packed) ? readWhole(stored) : here,
    storageClassOf(here),
  );
  return { ...session, offers: session.isShownForm ? null : resultKeyOffers(editing, stored, cell) };
}

async function readWhole({ database, table, column, key }: StoredCell): Promise<Value> {
  return (await client.call('cell.read', { database, cell: { table, column, key: await key() } })).value;
}

/** The value that was last stored from here, or else the painted one. */
export function valueHere(
  { result }: ResultEditing,
  { keyValues, packed }: KeyedCell,
  { rows, index }: CellReference,
): Value {
  return result.source.ownEdits.present(keyValues, packed, rows.value(index, packed));
}

/** The cell as the details panel edits it, or a sentence why it cannot be edited there. */
export function cellForDetails(
  editing: ResultEditing,
  cell: CellReference,
): { readonly address: CellAddress; readonly editing: DetailEditing } | string {
  const stored = storedCell(editing, cell);
  if (typeof stored === 'string') return stored;
  const { table, column, declaration, keyValues, isKeyHere, isStrict } = stored;
  if (!isKeyHere) return 'Change this value in the grid: the row is found by other columns than its key.';
  return {
    address: { table, key: keyValues, column },
    editing: {
      declaredType: declaration.declaredType,
      isStrict,
      notNull: declaration.notNull,
      stored: (before, after) => stored.noteStored(before, after),
    },
  };
}

/** A sentence if the cell cannot be edited. */
export function storedCell({ result, columns, onStored }: ResultEditing, cell: CellReference): KeyedCell | string {
  const { source, ended } = result;
  const { database } = source;
  const why = whyReadOnly(database);
  if (why !== null) return why;
  if (!ended) return NOT_ENDED;
  const packed = cell.column + source.hiddenColumns;
  const edit = columns?.[packed];
  if (!edit) return NOT_KNOWN;
  if ('why' in edit) return edit.why;
  const keyValues = keyOf(edit.key, cell);
  if (typeof keyValues === 'string') return keyValues;
  const { table, column, by } = edit;
  const affinity = affinityOf(column.declaredType, edit.strict);
  return {
    database,
    table,
    column: column.name,
    declaredType: column.declaredType,
    declaration: column,
    keyValues,
    isKeyHere: by === null,
    isStrict: edit.strict,
    key: () => (by === null ? keyValues : findKey(source, table, by, keyValues)),
    packed,
    noteHeld: () => notify({ tone: 'info', topic: 'result-edit', text: HELD }),
    valueFromText: (text, storageClass) => typedValue(text, affinity, storageClass),
    noteStored(before, after) {
      source.ownEdits.note(keyValues, packed, before, after);
      onStored();
    },
  };
}

function keyOf(places: readonly number[], { rows, index }: CellReference): readonly Value[] | string {
  if (places.some((place) => rows.isPreview(index, place))) return LONG_KEY;
  const values = places.map((place) => rows.value(index, place));
  return values.some((value) => value === null) ? NO_ROW : values;
}

async function findKey(
  { database }: ResultSource,
  table: string,
  by: readonly string[],
  values: readonly Value[],
): Promise<readonly Value[]> {
  const key = await client.call('edit.findKey', { database, table, by, values });
  if (key) return key;
  throw AppError.notFound(`“${table}” no longer has a row with this key. Nothing was changed.`);
}
