// The fields of a form: one for each column of the row, or of the row being added.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import { useStore as useVanilla } from 'zustand';
import { visibleName } from '#shared/visible-text.ts';
import type { Column, Value } from '#shared/protocol/index.ts';
import type { EditOutcome, EditSession } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { notify, setDetail, useStore } from '../../state/store.ts';
import { editInDetails } from '../../workbench/cells/edit-in-details.ts';
import { formatBytes } from '../../ui/format.ts';
import { storeColumns, whyValueIsFixed } from '../../workbench/cells/cell-edit.ts';
import { parentOf } from '../../workbench/relations/foreign-keys.ts';
import { openFormOf } from '../../workbench/relations/form-of-row.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';
import { keyOffers } from '../../workbench/cells/key-offers.ts';
import { cellDetail } from '../../workbench/rows/cell-detail.ts';
import { beginEdit, whyColumnIsFixed } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { FormField } from './form-field.tsx';
import type { FieldValue } from './form-field.tsx';
import type { FormSession } from './form-session.ts';
import type { FormRow } from './use-form-row.ts';

interface FormFieldsProps {
  readonly tab: FormTab;
  readonly source: TableSource;
  readonly row: FormRow;
  readonly session: FormSession;
  readonly onSave: () => void;
}

/** The longest beginning of a value that a field shows. */
const SHOWN_CHARS = 2000;

export function FormFields({ tab, source, row, session, onSave }: FormFieldsProps): ReactNode {
  const { fields, isNew, isStoring } = useVanilla(session.view);
  const [current, setCurrent] = useState(0);
  const cellAt = (column: number): CellReference | null =>
    isNew || !row.row ? null : { ...row.row, position: row.position ?? 0, column };
  useCurrentDetail(tab.id, source, cellAt(current), row);
  const valueOf = (name: string): Value | undefined => valueAt(source, cellAt(columnNamed(source, name)));
  const form = useFirstFocus(isNew, source);
  return (
    <form
      ref={form}
      className="form-fields"
      aria-label={isNew ? `New row of ${visibleName(tab.table)}` : `Row of ${visibleName(tab.table)}`}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (!isNew || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSave();
      }}
    >
      {source.columns.map(({ name }, column) => {
        const declaration = source.declaration(column);
        const cell = cellAt(column);
        if (!declaration) return null;
        const parent = declaration.references && !isNew ? parentOf(declaration.references, valueOf) : null;
        return (
          <FormField
            key={name}
            column={declaration}
            value={cell ? storedValue(source, cell) : newValue(source, column)}
            draft={fields.get(name) ?? null}
            session={session}
            isNew={isNew}
            isStoring={isStoring}
            begin={() => (cell ? beginEdit(source, cell) : null)}
            offers={isNew ? newRowOffers(source, declaration, session) : null}
            onNull={() => void setFieldNull(source, session, { column, cell })}
            onFocus={() => {
              useStore.setState({ detailWaits: false });
              setCurrent(column);
            }}
            onDetails={editInDetails}
            onParent={parent && (() => void openFormOf(source.database, parent.table, parent.terms))}
            onRefused={(text) => notify({ tone: 'info', text })}
          />
        );
      })}
    </form>
  );
}

/** A row being added begins with the first field that SQLite does not fill itself; the form of a stored row takes a focus that is lost. */
function useFirstFocus(isNew: boolean, source: TableSource): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const fields = [...(form.current?.querySelectorAll('textarea') ?? [])];
    const first = source.columns.findIndex(
      (_column, at) => whyColumnIsFixed(source, at) === null && !source.isNumberedBySqlite(at),
    );
    if (isNew) (fields[first] ?? fields[0])?.focus();
    else if (document.activeElement === document.body) fields[0]?.focus();
  }, [isNew, source]);
  return form;
}

/** The details panel shows the field that had the focus last. */
function useCurrentDetail(tabId: string, source: TableSource, cell: CellReference | null, { row }: FormRow): void {
  const column = cell?.column ?? -1;
  const waits = useStore(({ detailWaits }) => detailWaits);
  useEffect(() => {
    if (waits) return;
    setDetail(tabId, row && column >= 0 ? cellDetail(tabId, source, { ...row, position: 0, column }) : null);
  }, [tabId, source, row, column, waits]);
}

const columnNamed = (source: TableSource, name: string): number =>
  source.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());

function valueAt(source: TableSource, cell: CellReference | null): Value | undefined {
  const packed = (cell?.column ?? -1) + source.hiddenColumns;
  if (!cell || cell.column < 0 || cell.rows.isPreview(cell.index, packed)) return undefined;
  return cell.rows.value(cell.index, packed);
}

function storedValue(source: TableSource, { rows, index, column }: CellReference): FieldValue {
  const packed = column + source.hiddenColumns;
  const value = rows.value(index, packed);
  const isCut = rows.isPreview(index, packed);
  const size = formatBytes(rows.sizeBytes(index, packed));
  const why =
    whyColumnIsFixed(source, column) ??
    whyValueIsFixed(rows, index, packed) ??
    (isCut ? `This value (${size}) is too long for a form. Edit it in the details panel.` : null);
  const isBlob = value instanceof Uint8Array;
  const whole = isBlob && why !== null ? '' : valueText(value);
  const text = why !== null && whole.length > SHOWN_CHARS ? `${whole.slice(0, SHOWN_CHARS)}…` : whole;
  return { text, isNull: value === null, why, placeholder: isBlob ? `blob, ${size}` : 'empty text' };
}

function newValue(source: TableSource, column: number): FieldValue {
  const why = whyColumnIsFixed(source, column);
  return { text: '', isNull: false, why, placeholder: source.columns[column]?.defaultText ?? '' };
}

const newRowOffers = (source: TableSource, declaration: Column, session: FormSession): EditSession['offers'] =>
  keyOffers({
    database: source.database,
    declaration,
    whyFixed: (name) => whyColumnIsFixed(source, columnNamed(source, name)),
    valueOf: () => undefined,
    choose(values) {
      for (const [name, value] of Object.entries(values)) {
        const column = source.columns[columnNamed(source, name)];
        if (column) session.fill(column.name, value === null ? null : valueText(value));
      }
      return Promise.resolve<EditOutcome>({ kind: 'done' });
    },
  });

interface Field {
  readonly column: number;
  /** Null in a row being added. */
  readonly cell: CellReference | null;
}

/** Sets a field of a form to NULL: at once in a stored row, when it is saved in a row being added. */
async function setFieldNull(source: TableSource, session: FormSession, { column, cell }: Field): Promise<void> {
  const { name } = source.columns[column]!;
  const why = whyColumnIsFixed(source, column);
  if (why !== null) return notify({ tone: 'info', text: why });
  if (!cell) return session.fill(name, null);
  const { rows, index } = cell;
  const key = source.keyOf(rows, index);
  if (!key) return;
  const packed = column + source.hiddenColumns;
  session.discard(name);
  const before = rows.isPreview(index, packed) ? undefined : rows.value(index, packed);
  const outcome = await storeColumns({
    database: source.database,
    table: source.detail.name,
    key,
    set: { [name]: null },
    base: before === undefined ? {} : { [name]: before },
    noteStored: () => before !== undefined && source.ownEdits.note(key, column, before, null),
  });
  if (outcome.kind === 'failed') notify({ tone: 'error', text: outcome.message });
}
