// The panel on the right: everything about the current cell.
import { CircleSlash, Copy, FileInput, FileOutput, History, Pencil, X } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useStore as useVanilla } from 'zustand';
import { dateOf, soundsLikeDate } from '#shared/dates.ts';
import type { DatabaseId, ForeignKey, Value } from '#shared/protocol/index.ts';
import { cut, visibleName, visibleText } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { useColumns } from '../../state/schema.ts';
import { currentDetail, type Detail } from '../../state/slices/detail.ts';
import { notify, toggleDetails, useStore } from '../../state/store.ts';
import { parentOf, showParent } from '../../workbench/relations/foreign-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { dateText, formatBytes, formatCount, localZoneName, plural } from '../../ui/format.ts';
import { Described } from '../../ui/described.tsx';
import './details.css';
import { UnsavedValues } from './editing/unsaved-values.tsx';
import { beginDraft, draftName, DRY_RUN_FIRST, valueDrafts } from './editing/value-drafts.ts';
import { ValueEditor } from './editing/value-editor.tsx';
import { sameValue } from '../../workbench/rows/own-edits.ts';
import { openReferring, useRelatedCounts } from '../../workbench/relations/related-counts.ts';
import { shell } from '../../connection/shell.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { hexDump, WIDE_HEX } from './content.ts';
import { openRange, rangeDrafts } from './editing/range-drafts.ts';
import { RangeEditor } from './editing/range-editor.tsx';
import { HEX_RANGE_BYTES, TEXT_RANGE_BYTES } from './editing/use-range.ts';
import { EarlierValues } from './editing/earlier-values.tsx';
import { storeValue } from './editing/store-value.ts';
import { showDocument } from './show-document.ts';
import { SHOWN_BYTES, useWholeValue } from './use-whole-value.ts';
import { loadValue, saveValue } from './value-files.ts';
import { ValueView } from './value-view.tsx';

/** The value of the current cell: shown or being edited, with its actions. */
function ValuePart({ detail: given }: { readonly detail: Detail }): ReactNode {
  const detail = useFixedByDryRun(given);
  const { value, pending, error } = useWholeValue(detail);
  const { json, pending: isAsked } = useJsonb(detail.database, value);
  const name = draftName(detail);
  const draft = useVanilla(valueDrafts, ({ drafts }) => (name === null ? undefined : drafts[name]));
  const range = useVanilla(rangeDrafts, ({ drafts }) => (name === null ? undefined : drafts[name]));
  const [problem, setProblem] = useState<{ readonly of: Detail; readonly text: string } | null>(null);
  const [comparing, setComparing] = useState<string | null>(null);
  const [begun, setBegun] = useState<string | null>(null);
  const isCut = detail.sizeBytes > SHOWN_BYTES;
  const isReady = !pending && !isAsked && error === null;
  const edit = (): void => {
    if (!isReady || name === null) return;
    setBegun(name);
    if (isLong(detail)) openRange(name, detail.tabId, `${detail.title} · ${detail.column}`);
    else beginDraft(detail, value, json);
  };
  useEditAsked(isReady, error !== null, edit, detail);
  if (comparing !== null && comparing === name && isReady)
    return <EarlierValues key={name} detail={detail} value={value} onClose={() => setComparing(null)} />;
  if (draft && name !== null)
    return (
      <ValueEditor
        key={name}
        name={name}
        takesFocus={begun === name}
        isOutdated={isReady && !isCut && !draft.isSaving && !sameValue(value, draft.base)}
      />
    );
  if (range && name !== null)
    return <RangeEditor key={name} detail={detail} draft={range} name={name} takesFocus={begun === name} />;
  const tellProblem = (text: string | null): void => setProblem(text === null ? null : { of: detail, text });
  const setNull = (): void => void storeValue(detail, isCut ? undefined : value, null).then(tellProblem);
  return (
    <div className="stack gap-6 shrink-y details-value">
      <ValueActions
        detail={detail}
        value={value}
        isReady={isReady}
        onEdit={edit}
        onNull={setNull}
        onCompare={() => setComparing(name)}
      />
      {problem?.of === detail && (
        <p className="value-failure" role="alert">
          {visibleText(problem.text)}
        </p>
      )}
      {error ? (
        <p className="value-note">{error}</p>
      ) : (
        isFilledIn(detail) && <ShownValue detail={detail} value={value} json={json} isCut={isCut || pending} />
      )}
      {!error && <ShownNotes isJsonb={json !== null} pending={pending} sizeBytes={detail.sizeBytes} />}
    </div>
  );
}

interface ShownValueProps {
  readonly detail: Detail;
  readonly value: Value;
  /** Text of a JSONB value. */
  readonly json: string | null;
  readonly isCut: boolean;
}

const ShownValue = ({ detail, value, json, isCut }: ShownValueProps): ReactNode => (
  <ValueView
    value={json ?? value}
    isCut={isCut}
    onSave={() => void saveValue(detail, value)}
    onShowPages={() => void showDocument(detail, value)}
  />
);

const isFilledIn = ({ source }: Detail): boolean => source.kind !== 'new-row' || source.emptyText === null;

interface ShownNotesProps {
  readonly isJsonb: boolean;
  readonly pending: boolean;
  readonly sizeBytes: number;
}

/** How the shown value differs from the stored one. */
function ShownNotes({ isJsonb, pending, sizeBytes }: ShownNotesProps): ReactNode {
  return (
    <>
      {isJsonb && <p className="value-note">Stored as JSONB</p>}
      {pending && <p className="value-note">Reading the rest…</p>}
      {!pending && sizeBytes > SHOWN_BYTES && (
        <p className="value-note">
          The first {formatBytes(SHOWN_BYTES)} of {formatBytes(sizeBytes)}
        </p>
      )}
    </>
  );
}

/** Blocks editing during a dry run: a change would become part of it. */
function useFixedByDryRun(detail: Detail): Detail {
  const isFixed = useStore(({ dryRuns }) => dryRuns[detail.tabId] !== undefined);
  return useMemo(() => (isFixed ? { ...detail, editing: DRY_RUN_FIRST } : detail), [detail, isFixed]);
}

/** Whether it is edited part by part. */
const isLong = ({ storageClass, sizeBytes }: Detail): boolean =>
  sizeBytes > (storageClass === 'blob' ? HEX_RANGE_BYTES : TEXT_RANGE_BYTES);

/** Handles the grid's command once the value is ready. If it cannot be read, the command does not carry over to the next cell. */
function useEditAsked(isReady: boolean, isFailed: boolean, edit: () => void, { editing }: Detail): void {
  const isAsked = useStore((state) => state.detailEditAsked);
  useEffect(() => {
    if (!isAsked || !(isReady || isFailed)) return;
    useStore.setState({ detailEditAsked: false });
    if (isFailed) return;
    if (typeof editing === 'string') notify({ tone: 'info', text: editing });
    else edit();
  });
}

interface ValueActionsProps {
  readonly detail: Detail;
  readonly value: Value;
  readonly isReady: boolean;
  readonly onEdit: () => void;
  readonly onNull: () => void;
  readonly onCompare: () => void;
}

function ValueActions({ detail, value, isReady, onEdit, onNull, onCompare }: ValueActionsProps): ReactNode {
  const { editing, source, sizeBytes } = detail;
  const isFixed = typeof editing === 'string';
  const canBrowse = source.kind === 'cell' && sizeBytes > SHOWN_BYTES;
  return (
    <>
      <div className="value-actions" role="toolbar" aria-label="Value actions">
        {(!isFixed || canBrowse) && (
          <IconButton
            label={isFixed ? 'Show part by part' : 'Edit value'}
            name={isFixed ? 'Parts' : 'Edit'}
            shortcut={commandKeyLabel('value.edit')}
            disabled={!isReady}
            onClick={onEdit}
          >
            <Pencil size={14} />
          </IconButton>
        )}
        {!isFixed && <Replacing detail={detail} value={value} isReady={isReady} onNull={onNull} />}
        <IconButton
          label="Save to file…"
          name="Save"
          disabled={value === null || !isReady}
          onClick={() => void saveValue(detail, value)}
        >
          <FileOutput size={14} />
        </IconButton>
        {source.kind === 'cell' && sizeBytes <= SHOWN_BYTES && (
          <IconButton label="Earlier values" name="Earlier" disabled={!isReady} onClick={onCompare}>
            <History size={14} />
          </IconButton>
        )}
        <IconButton
          label="Copy value"
          name="Copy"
          shortcut={commandKeyLabel('grid.copy')}
          disabled={value === null || !isReady}
          onClick={() => copy(detail, value)}
        >
          <Copy size={14} />
        </IconButton>
      </div>
      {isFixed && <p className="value-note">{visibleText(editing)}</p>}
    </>
  );
}

function copy({ sizeBytes }: Detail, value: Value): void {
  const text = value instanceof Uint8Array ? hexDump(value, value.length, WIDE_HEX) : valueText(value);
  void shell.writeClipboard(text);
  if (sizeBytes > SHOWN_BYTES)
    notify({
      tone: 'warning',
      text: `The first ${formatBytes(SHOWN_BYTES)} were copied. To copy whole values of up to 16 MB, copy the cell in the grid.`,
    });
}

function Replacing({
  detail,
  value,
  isReady,
  onNull,
}: Pick<ValueActionsProps, 'detail' | 'value' | 'isReady' | 'onNull'>): ReactNode {
  return (
    <>
      <IconButton
        label="Set to NULL"
        name="NULL"
        shortcut={commandKeyLabel('grid.setNull')}
        disabled={value === null || !isReady}
        onClick={onNull}
      >
        <CircleSlash size={14} />
      </IconButton>
      <IconButton label="Load from file…" name="Load" disabled={!isReady} onClick={() => void loadValue(detail)}>
        <FileInput size={14} />
      </IconButton>
    </>
  );
}

/** Delay, so that moving over rows with the arrow keys sends no requests. */
const REST_MS = 120;

function RelatedRows({ detail }: { readonly detail: Detail }): ReactNode {
  const rested = useRested(detail);
  if (!rested?.row) return null;
  return <RelatedTables database={rested.database} row={rested.row} />;
}

interface RelatedTablesProps {
  readonly database: DatabaseId;
  readonly row: NonNullable<Detail['row']>;
}

function RelatedTables({ database, row }: RelatedTablesProps): ReactNode {
  const related = useRelatedCounts(database, row.table, row.valueOf);
  if (!related || related.length === 0) return null;
  return (
    <section className="fixed scroll related" aria-label="Related rows">
      <h3>Related rows</h3>
      <ul>
        {related.map(({ reference, count, isCounted }) => {
          const columns = visibleName(reference.columns.join(', '));
          return (
            <li key={`${reference.table}.${reference.columns.join()}`}>
              <button type="button" className="text-link" onClick={() => openReferring(database, reference)}>
                {visibleName(reference.table)} → {columns}
              </button>
              <span
                className="dim figures one-line"
                title={isCounted ? undefined : `Not counted: ${columns} has no index, and the table is large.`}
              >
                {!isCounted ? 'not counted' : count === null ? '' : formatCount(count)}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The cell, once the cursor has stayed on it; at once while it is the same row. */
function useRested(detail: Detail): Detail | null {
  const [rested, setRested] = useState<Detail | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setRested(detail), REST_MS);
    return () => clearTimeout(timer);
  }, [detail]);
  return rested && isSameRow(rested, detail) ? rested : null;
}

function isSameRow(a: Detail, b: Detail): boolean {
  if (a.database !== b.database) return false;
  if (a.source.kind !== 'cell' || b.source.kind !== 'cell') return a === b;
  const [mine, other] = [a.source.cell, b.source.cell];
  const isSameKey =
    mine.key.length === other.key.length && mine.key.every((part, at) => sameValue(part, other.key[at]!));
  return mine.table === other.table && isSameKey;
}

/** Shorter texts are dates without a time, which need no explanation. */
const MIN_TIME_CHARS = 12;

export function DetailsPanel(): ReactNode {
  const detail = useStore(currentDetail);
  const pinned = usePinned(detail);
  return (
    <aside className="details" aria-label="Details" data-pane>
      <div className="row details-head">
        <h2>{detail ? visibleName(detail.title) : 'Details'}</h2>
        <IconButton label="Hide details" shortcut={commandKeyLabel('view.details')} onClick={toggleDetails}>
          <X size={14} />
        </IconButton>
      </div>
      <UnsavedValues current={pinned ?? (detail && draftName(detail))} />
      {pinned !== null ? (
        <PinnedDraft key={pinned} name={pinned} />
      ) : detail ? (
        <CellDetails detail={detail} />
      ) : (
        <p className="dim">Select a cell to see its full value here.</p>
      )}
    </aside>
  );
}

/** A text typed for another cell, shown until another cell is selected. */
function usePinned(detail: Detail | null): string | null {
  const pinned = useVanilla(valueDrafts, (state) => state.pinned);
  const current = detail && draftName(detail);
  useEffect(() => () => valueDrafts.setState({ pinned: null }), [current]);
  return pinned;
}

function PinnedDraft({ name }: { readonly name: string }): ReactNode {
  const title = useVanilla(valueDrafts, ({ drafts }) => drafts[name]?.title ?? '');
  return (
    <>
      <p className="value-note">{visibleName(title)}</p>
      <ValueEditor name={name} takesFocus isOutdated={false} />
    </>
  );
}

function CellDetails({ detail }: { readonly detail: Detail }): ReactNode {
  const reference = useReference(detail);
  const parent = reference && parentOf(reference, valueIn(detail));
  const date = detail.shownAs ? null : shownDate(detail);
  const emptyText = detail.source.kind === 'new-row' ? detail.source.emptyText : null;
  return (
    <>
      <dl className="details-facts selectable">
        <dt>Column</dt>
        <dd>
          {visibleName(detail.column)} {detail.declaredType && <small>{visibleName(detail.declaredType)}</small>}
        </dd>
        {emptyText === null ? (
          <Described name="Stored as">{storedAs(detail)}</Described>
        ) : (
          <Described name="If left empty">{visibleText(emptyText)}</Described>
        )}
        {detail.shownAs && <ShownAs {...detail.shownAs} />}
        {date !== null && <Described name="Date">{date}</Described>}
        {parent && (
          <>
            <dt>Refers to</dt>
            <dd>
              <button type="button" className="text-link" onClick={() => showParent(detail.database, parent)}>
                {visibleName(parent.table)} → {visibleName(parent.terms.map(({ column }) => column).join(', '))}
              </button>
            </dd>
          </>
        )}
      </dl>
      <ValuePart detail={detail} />
      <RelatedRows detail={detail} />
    </>
  );
}

const ShownAs = ({ format, text }: NonNullable<Detail['shownAs']>): ReactNode => (
  <>
    <dt>Shown as</dt>
    <dd>
      {text === null ? 'stored: it does not fit the format' : visibleText(cut(text, MOST_SHOWN_CHARS))}{' '}
      <small>{format}</small>
    </dd>
  </>
);

const MOST_SHOWN_CHARS = 300;

/** A number that is a date, judging by its column's name, or a text that is one: shown with its zone. */
function shownDate({ column, declaredType, value, complete }: Detail): string | null {
  const isDate = complete && (typeof value === 'string' || soundsLikeDate(column, declaredType));
  const date = isDate ? dateOf(value) : null;
  if (!date || (typeof value === 'string' && value.length < MIN_TIME_CHARS)) return null;
  const [utc, local] = [dateText(date.atMs, 'utc'), dateText(date.atMs, 'local')];
  return utc === local ? `${utc} UTC` : `${utc} UTC, ${local} in ${localZoneName()}`;
}

function storedAs({ storageClass, sizeBytes, value, complete }: Detail): string {
  if (storageClass === 'text') {
    const chars =
      complete && typeof value === 'string'
        ? `, ${plural([...value].length, 'character')}`
        : `, ${formatCount(sizeBytes)} bytes`;
    return `text${chars}`;
  }
  return storageClass === 'blob' ? `blob, ${formatBytes(sizeBytes)}` : storageClass === 'null' ? 'NULL' : storageClass;
}

/** The foreign key that the cell's column is part of. */
function useReference({ database, origin }: Detail): ForeignKey | null {
  const tables = useColumns(database);
  if (!origin || origin.references !== undefined) return origin?.references ?? null;
  const known = tables?.find(({ table }) => table === origin.table);
  const key = known?.references.find(({ columns }) => columns.includes(origin.column));
  if (!key) return null;
  return { table: key.target, columns: key.columns.map((from, at) => ({ from, to: key.targetColumns[at] ?? null })) };
}

/** A value from another column of the row; the current cell may be available only in part. */
const valueIn =
  ({ row, value, complete, origin }: Detail) =>
  (column: string): Value | undefined =>
    column !== origin?.column ? row?.valueOf(column) : complete ? value : undefined;

const MAX_BYTES = 1024 * 1024;
const LAST_ELEMENT_TYPE = 12;
/** Payload sizes from here on are stored in the 1, 2, 4, or 8 bytes after the first. */
const SIZE_FOLLOWS = 12;

/** Whether the size in the first bytes matches the length (sqlite.org/jsonb.html). */
function mayBeJsonb(value: Value): value is Uint8Array {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > MAX_BYTES) return false;
  const type = value[0]! & 15;
  const size = value[0]! >> 4;
  if (type > LAST_ELEMENT_TYPE) return false;
  if (size < SIZE_FOLLOWS) return value.length === size + 1;
  const sizeBytes = 2 ** (size - SIZE_FOLLOWS);
  let payload = 0;
  for (let at = 1; at <= sizeBytes; at++) payload = payload * 256 + (value[at] ?? 0);
  return value.length === payload + sizeBytes + 1;
}

/** The JSON text of a JSONB blob; null for all other values, and until SQLite has answered. */
function useJsonb(database: DatabaseId, value: Value): { readonly json: string | null; readonly pending: boolean } {
  const [read, setRead] = useState<{ readonly of: Value; readonly json: string | null } | null>(null);
  const isLikely = mayBeJsonb(value);
  useEffect(() => {
    if (!mayBeJsonb(value)) return;
    const controller = new AbortController();
    client.call('cell.convertJson', { database, value, convertTo: 'text' }, { signal: controller.signal }).then(
      (json) => setRead({ of: value, json: typeof json === 'string' ? json : null }),
      () => !controller.signal.aborted && setRead({ of: value, json: null }),
    );
    return () => controller.abort();
  }, [database, value]);
  if (!isLikely) return { json: null, pending: false };
  return read?.of === value ? { json: read.json, pending: false } : { json: null, pending: true };
}
