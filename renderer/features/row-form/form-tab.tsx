// The content of a tab that shows one row as a form: its fields, related rows, and navigation to the next row.
import { ChevronLeft, ChevronRight, Plus, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore as useVanilla } from 'zustand';
import { visibleName, visibleText, cut, visibleLine } from '#shared/visible-text.ts';
import { byName } from '#shared/by-name.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Value, DatabaseId, FilterTerm, ForeignKey } from '#shared/protocol/index.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { useStore, notify, updateTab } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import { saveChanges } from '../../workbench/held/held-store.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';
import { openTable } from '../../workbench/tabs/table.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { ScanBar } from '../../workbench/rows/scan-bar.tsx';
import { useTableSource, type OpenedTable } from '../../workbench/rows/use-table-source.ts';
import { whyRowsAreFixed, valueFromText } from '../../workbench/rows/edit-session.ts';
import { FormFields } from './form-fields.tsx';
import { formSessionOf, type FormSession } from './form-session.ts';
import { useFormRow, type FormRow } from './use-form-row.ts';
import { readableColumns } from '#shared/readable-columns.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { useColumns } from '../../state/schema.ts';
import { parentOf, type ParentRow } from '../../workbench/relations/foreign-keys.ts';
import { openFormOf } from '../../workbench/relations/form-of-row.ts';
import { openReferring, referringTerms, useRelatedCounts } from '../../workbench/relations/related-counts.ts';
import type { RelatedCount } from '../../workbench/relations/related-counts.ts';
import { isSettled, useLiveQuery, type LiveRow } from '../../workbench/rows/live-query.ts';
import './row-form.css';

export function FormTabContent({ tab }: TabContentProps<FormTab>): ReactNode {
  const opened = useTableSource(tab, null);
  const { source, isGone, error, retry } = opened;
  const session = formSessionOf(tab);
  if (isGone || (!source && error))
    return (
      <CenterMessage
        role="alert"
        text={isGone ? `“${visibleName(tab.table)}” no longer exists.` : visibleText(error!.message)}
        onTryAgain={isGone ? undefined : retry}
      />
    );
  if (!source) return <div className="tab-page row-form" />;
  if (source.info.key.kind === 'none') return <CenterMessage role="alert" text={visibleText(source.info.key.why)} />;
  return <RowForm tab={tab} opened={opened} source={source} session={session} />;
}

interface RowFormProps {
  readonly tab: FormTab;
  readonly opened: OpenedTable;
  readonly source: TableSource;
  readonly session: FormSession;
}

function RowForm({ tab, opened, source, session }: RowFormProps): ReactNode {
  const row = useFormRow(tab, source);
  const { isNew, isStoring, failure } = useVanilla(session.view);
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  // Store typed text before showing another row; if that fails, stay at the row.
  const go = (step: Parameters<FormRow['go']>[0]) => (): void => {
    if (!isNew) void session.commitAll().then((isStored) => (isStored ? row.go(step) : undefined));
  };
  const start = (): void => void session.commitAll().then((isStored) => isStored && session.startNew());
  useFormCommands({ go, start, canAdd: whyRowsAreFixed(source) === null, isNew, isActive });
  const save = (): void => void saveNewRow(tab, source, session);
  useCommand('row.save', save, isActive && isNew && !isStoring);
  const valueOf = (name: string) => {
    const at = source.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
    const packed = at + source.hiddenColumns;
    if (!row.row || at < 0 || row.row.rows.isPreview(row.row.index, packed)) return undefined;
    return row.row.rows.value(row.row.index, packed);
  };
  return (
    <div className="tab-page row-form">
      <FormBar
        tab={tab}
        source={source}
        row={row}
        isNew={isNew}
        isStoring={isStoring}
        onSave={save}
        onDiscard={() => session.clear()}
      />
      <div className="scroll shrink-y form-columns">
        {isNew || row.row ? (
          <FormFields key={isNew ? 'new' : 'row'} tab={tab} source={source} row={row} session={session} onSave={save} />
        ) : (
          <NoRow row={row} table={tab.table} onNext={go(1)} />
        )}
        {!isNew && row.row && <RelatedPart source={source} valueOf={valueOf} />}
      </div>
      {/* They come a while after what the user did: above, they would push the fields down. */}
      {failure !== null && (
        <p className="form-failure" role="alert">
          {visibleText(failure)}
        </p>
      )}
      <ScanBar tab={tab} opened={opened} onLeave={() => undefined} />
    </div>
  );
}

interface FormCommands {
  readonly go: (step: -1 | 1) => () => void;
  readonly start: () => void;
  readonly canAdd: boolean;
  readonly isNew: boolean;
  readonly isActive: boolean;
}

function useFormCommands({ go, start, canAdd, isNew, isActive }: FormCommands): void {
  useCommand('form.next', go(1), isActive && !isNew);
  useCommand('form.previous', go(-1), isActive && !isNew);
  useCommand('form.addRow', start, isActive && canAdd && !isNew);
}

interface FormBarProps {
  readonly tab: FormTab;
  readonly source: TableSource;
  readonly row: FormRow;
  readonly isNew: boolean;
  readonly isStoring: boolean;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

function FormBar({ tab, source, row, isNew, isStoring, onSave, onDiscard }: FormBarProps): ReactNode {
  const why = whyRowsAreFixed(source);
  if (isNew)
    return (
      <RunBar label="Form">
        <span className="cut shrink-x strong form-title">New row of {visibleName(tab.table)}</span>
        <span className="fill-x dim form-dim">Empty fields get their defaults.</span>
        <Button size="small" variant="primary" disabled={isStoring} onClick={onSave}>
          Save row <kbd>{commandKeyLabel('row.save')}</kbd>
        </Button>
        <Button size="small" disabled={isStoring} onClick={onDiscard}>
          Discard
        </Button>
      </RunBar>
    );
  return (
    <RunBar label="Form">
      <IconButton
        label="Previous row"
        shortcut={commandKeyLabel('form.previous')}
        disabled={row.position === 0}
        onClick={() => runCommand('form.previous')}
      >
        <ChevronLeft size={15} />
      </IconButton>
      <IconButton label="Next row" shortcut={commandKeyLabel('form.next')} onClick={() => runCommand('form.next')}>
        <ChevronRight size={15} />
      </IconButton>
      <span className="fill-x cut strong form-title" role="status">
        {visibleName(tab.table)} <span className="dim form-dim">{positionLabel(row, source)}</span>
      </span>
      <Button size="small" why={why} onClick={() => runCommand('form.addRow')}>
        <Plus size={13} aria-hidden /> New row
      </Button>
      <Button size="small" onClick={() => showInTable(tab)}>
        <Table2 size={13} aria-hidden /> Show in table
      </Button>
    </RunBar>
  );
}

function positionLabel({ position, state }: FormRow, { extent }: TableSource): string {
  if (position === null) return state === 'here' ? 'not among the filtered rows' : '';
  const total = `${extent.exact ? '' : 'about '}${formatCount(Math.max(extent.rows, position + 1))}`;
  return `row ${formatCount(position + 1)} of ${total}`;
}

function showInTable({ database, table, view, key }: FormTab): void {
  openTable(database, table, { view: { ...view } });
  if (key) useStore.setState({ revealedRow: { database, table, key, column: null, askedAtMs: performance.now() } });
}

interface NoRowProps {
  readonly row: FormRow;
  readonly table: string;
  readonly onNext: () => void;
}

function NoRow({ row: { state, problem }, table, onNext }: NoRowProps): ReactNode {
  if (state === 'reading') return null;
  const words = {
    gone: 'This row no longer exists.',
    none: `${visibleName(table)} has no rows to show here.`,
    failed: problem ?? 'The row cannot be read.',
    here: '',
  }[state];
  return (
    <div className="center-message" role="status">
      <p>{words}</p>
      {state === 'gone' && <Button onClick={onNext}>Show the next row</Button>}
    </div>
  );
}

/** Fields without a text get their defaults. Then the form shows the new row, or why SQLite rejected it. */
async function saveNewRow(tab: FormTab, source: TableSource, session: FormSession): Promise<void> {
  await session.storeNew(async () => {
    try {
      await insert(tab, source, session);
      return null;
    } catch (thrown) {
      return toAppError(thrown).message;
    }
  });
}

async function insert(tab: FormTab, source: TableSource, session: FormSession): Promise<void> {
  const set = byName<Value>();
  source.columns.forEach(({ name }, column) => {
    const draft = session.view.getState().fields.get(name);
    if (draft) set[name] = draft.isNull ? null : valueFromText(source, column, draft.text, 'null');
  });
  const { keys, isHeld } = await saveChanges(source.database, source.detail.name, [{ kind: 'insert', set }]);
  if (isHeld) notify({ tone: 'info', text: 'The new row is held. The table shows it until it is saved.' });
  if (keys[0]) updateTab<FormTab>(tab.id, { key: keys[0] });
}

const SHOWN_CHILDREN = 5;
const SHOWN_CHARS = 80;

interface RelatedPartProps {
  readonly source: TableSource;
  /** A value of the row; undefined while it is not completely available. */
  readonly valueOf: (column: string) => Value | undefined;
}

function RelatedPart({ source, valueOf }: RelatedPartProps): ReactNode {
  const parents = foreignKeysOf(source).flatMap((key) => parentOf(key, valueOf) ?? []);
  return (
    <aside className="stack gap-14 form-related" aria-label="Related rows">
      {parents.length > 0 && (
        <section aria-label="Refers to">
          <h2>Refers to</h2>
          {parents.map((parent) => (
            <ParentCard key={`${parent.table} ${columnNames(parent)}`} database={source.database} parent={parent} />
          ))}
        </section>
      )}
      <Children source={source} valueOf={valueOf} />
    </aside>
  );
}

/** Each key once, whichever of its columns comes first. */
function foreignKeysOf({ detail }: TableSource): readonly ForeignKey[] {
  const keys = new Map<string, ForeignKey>();
  for (const { references } of detail.columns)
    if (references) keys.set(JSON.stringify([references.table, references.columns]), references);
  return [...keys.values()];
}

const columnNames = ({ terms }: ParentRow): string => terms.map(({ column }) => column).join(', ');
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Names of the columns that a row of the table is recognized by, besides `left`; null until the columns have been read. */
function useReadable(database: DatabaseId, table: string, left: readonly string[]): readonly string[] | null {
  const tables = useColumns(database);
  if (!tables) return null;
  const known = tables.find((each) => each.table.toLowerCase() === table.toLowerCase());
  if (!known) return [];
  const referring = new Set(known.references.flatMap(({ columns }) => columns));
  const columns = known.columns.map((name, at) => ({
    name,
    declaredType: known.types[at] ?? '',
    references: referring.has(name) ? { table: '', columns: [] } : null,
  }));
  return readableColumns(columns, left).map(({ name }) => name);
}

function ParentCard({ database, parent }: { readonly database: DatabaseId; readonly parent: ParentRow }): ReactNode {
  const names = parent.terms.flatMap(({ column }) => column ?? []);
  const readable = useReadable(database, parent.table, names);
  const columns = [...names, ...(readable ?? [])];
  const condition = names.map((name) => `${quote(name)} = ?`).join(' AND ');
  const sql = `SELECT ${columns.map(quote).join(', ')} FROM main.${quote(parent.table)} WHERE ${condition} LIMIT 1`;
  const values = parent.terms.map(({ value }) => value);
  const result = useLiveQuery(database, readable && sql, values);
  const { rows, isRead, why } = result;
  const row = rows[0];
  return (
    <button
      type="button"
      className="stack gap-2 form-card"
      data-pending={!isSettled(result) || undefined}
      disabled={!row}
      onClick={() => void openFormOf(database, parent.table, parent.terms)}
    >
      <span className="strong break-words accent form-card-title">
        {visibleName(parent.table)} {values.map(shortText).join(', ')}
      </span>
      {row && readable && readable.length > 0 && <ReadableColumns row={row} columns={readable} />}
      {isRead && !row && <span className="dim form-dim">The referenced row does not exist.</span>}
      {why !== null && !row && <span className="dim form-dim">{why}</span>}
    </button>
  );
}

/** The values of a row, separated. */
const ReadableColumns = ({
  row,
  columns,
}: {
  readonly row: LiveRow;
  readonly columns: readonly string[];
}): ReactNode => (
  <span className="break-words">
    {columns
      .map((name) => row.value(name))
      .filter((value) => value !== null && value !== '')
      .map(shortText)
      .join(' · ')}
  </span>
);

const shortText = (value: Value): string => visibleLine(cut(valueText(value), SHOWN_CHARS));

function Children({ source, valueOf }: RelatedPartProps): ReactNode {
  const related = useRelatedCounts(source.database, source.detail.name, valueOf);
  if (!related) return <span data-pending />;
  if (related.length === 0) return null;
  return (
    <section aria-label="Referred to by">
      <h2>Referred to by</h2>
      {related.map((each) => (
        <ChildList
          key={`${each.reference.table}.${each.reference.columns.join()}`}
          database={source.database}
          related={each}
        />
      ))}
    </section>
  );
}

interface ChildListProps {
  readonly database: DatabaseId;
  readonly related: RelatedCount;
}

function ChildList({ database, related }: ChildListProps): ReactNode {
  const { reference, count, isCounted } = related;
  const { table, columns, values } = reference;
  const tables = useColumns(database);
  const known = tables?.find((each) => each.table === table);
  const key = known?.primaryKey ?? [];
  const readable = useReadable(database, table, [...key, ...columns]);
  const shown = [...key, ...(readable ?? [])];
  const condition = columns.map((name) => `${quote(name)} = ?`).join(' AND ');
  const isListed = isCounted && shown.length > 0 && count !== 0;
  const sql = `SELECT ${shown.map(quote).join(', ')} FROM main.${quote(table)} WHERE ${condition} LIMIT ${SHOWN_CHILDREN}`;
  const result = useLiveQuery(database, isListed ? sql : null, values);
  const { rows } = result;
  const openRow = (row: LiveRow): void => {
    const terms = key.map((column): FilterTerm => ({ column, operator: '=', value: row.value(column) }));
    void openFormOf(database, table, terms.length > 0 ? terms : referringTerms(reference));
  };
  return (
    <div data-pending={!tables || (isListed && !isSettled(result)) || undefined}>
      <div className="gap-8 form-children-head">
        <button type="button" className="text-link" onClick={() => openReferring(database, reference)}>
          {visibleName(table)} → {visibleName(columns.join(', '))}
        </button>
        <span
          className="dim form-dim"
          title={isCounted ? undefined : 'Not counted: its columns have no index, and the table is large.'}
        >
          {isCounted ? (count === null ? '' : formatCount(count)) : 'not counted'}
        </span>
      </div>
      {rows.length > 0 && (
        <ul>
          {rows.map((row, at) => (
            <li key={at}>
              <button
                type="button"
                className="cut text-color full-width hover-row form-child"
                onClick={() => openRow(row)}
              >
                <ReadableColumns row={row} columns={shown} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
