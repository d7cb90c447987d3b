// The panel on the right: everything about the current cell.
import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useStore as useVanilla } from 'zustand';
import { dateOf, soundsLikeDate } from '#shared/dates.ts';
import type { ForeignKey, Value } from '#shared/protocol/index.ts';
import { visibleName, visibleText } from '#shared/visible-text.ts';
import { useColumns } from '../../state/schema.ts';
import { currentDetail } from '../../state/slices/detail.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { toggleDetails, useStore } from '../../state/store.ts';
import { parentOf, showParent } from '../../workbench/relations/foreign-keys.ts';
import { IconButton } from '../../ui/button.tsx';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import './details-panel.css';
import './value-editor.css';
import './json-tree.css';
import './value-difference.css';
import { dateText, localZoneName } from './editing/date-text.ts';
import { UnsavedValues } from './editing/unsaved-values.tsx';
import { draftName, valueDrafts } from './editing/value-drafts.ts';
import { ValueEditor } from './editing/value-editor.tsx';
import { RelatedRows } from './related-rows.tsx';
import { ValuePart } from './value-part.tsx';

/** Shorter texts are dates without a time, which need no explanation. */
const MIN_TIME_CHARS = 12;

export function DetailsPanel(): ReactNode {
  const detail = useStore(currentDetail);
  const pinned = usePinned(detail);
  return (
    <aside className="details" aria-label="Details" data-pane>
      <div className="details-head">
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
        <p className="details-empty">Select a cell to see its full value here.</p>
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
  const date = shownDate(detail);
  const emptyText = detail.source.kind === 'new-row' ? detail.source.emptyText : null;
  return (
    <>
      <dl className="details-facts selectable">
        <dt>Column</dt>
        <dd>
          {visibleName(detail.column)} {detail.declaredType && <small>{visibleName(detail.declaredType)}</small>}
        </dd>
        {emptyText === null ? (
          <>
            <dt>Stored as</dt>
            <dd>{storedAs(detail)}</dd>
          </>
        ) : (
          <>
            <dt>If left empty</dt>
            <dd>{visibleText(emptyText)}</dd>
          </>
        )}
        {date !== null && (
          <>
            <dt>Date</dt>
            <dd>{date}</dd>
          </>
        )}
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
