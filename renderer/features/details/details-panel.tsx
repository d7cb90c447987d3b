// The panel on the right: everything about the current cell.
import { Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { Column, FilterTerm, ForeignKey } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { useSchema } from '../../state/schema.ts';
import { shell } from '../../connection/shell.ts';
import type { Detail } from '../../state/slices/detail.ts';
import { notify, toggleDetails, useStore } from '../../state/store.ts';
import { openTable } from '../../workbench/table-tabs.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { hexDump } from './content.ts';
import './details-panel.css';
import { RelatedRows } from './related-rows.tsx';
import { SHOWN_BYTES, useWholeValue } from './use-whole-value.ts';
import { ValueView } from './value-view.tsx';

const COPIED_BYTES_PER_LINE = 16;

export function DetailsPanel(): ReactNode {
  const detail = useStore((state) => (state.detail?.tabId === state.activeTabId ? state.detail : null));
  return (
    <aside className="details" aria-label="Details" data-pane>
      <div className="details-head">
        <h2>{detail ? visibleName(detail.title) : 'Details'}</h2>
        <IconButton label="Hide details" onClick={toggleDetails}>
          <X size={14} />
        </IconButton>
      </div>
      {detail ? (
        <CellDetails detail={detail} />
      ) : (
        <p className="details-empty">Select a cell to see its full value here.</p>
      )}
    </aside>
  );
}

function CellDetails({ detail }: { readonly detail: Detail }): ReactNode {
  const { value, pending, error } = useWholeValue(detail);
  const reference = useReference(detail);
  const terms = reference && termsOf(detail, reference);
  const isCut = detail.sizeBytes > SHOWN_BYTES;
  const copy = (): void => {
    const text = value instanceof Uint8Array ? hexDump(value, value.length, COPIED_BYTES_PER_LINE) : valueText(value);
    void shell.writeClipboard(text);
    if (isCut)
      notify({
        tone: 'warning',
        text: `The first ${formatBytes(SHOWN_BYTES)} were copied. Copy in the grid copies whole values of up to 16 MB.`,
      });
  };
  return (
    <>
      <dl className="details-facts selectable">
        <dt>Column</dt>
        <dd>
          {visibleName(detail.column)} {detail.declaredType && <small>{visibleName(detail.declaredType)}</small>}
        </dd>
        <dt>Stored as</dt>
        <dd>{storedAs(detail)}</dd>
        {reference && terms && (
          <>
            <dt>Refers to</dt>
            <dd>
              <button
                type="button"
                className="details-link"
                onClick={() =>
                  openTable(detail.database, reference.table, { view: { filter: terms, where: '', topRow: 0 } })
                }
              >
                {visibleName(reference.table)} → {visibleName(terms.map(({ column }) => column).join(', '))}
              </button>
            </dd>
          </>
        )}
      </dl>
      <div className="details-value">
        {error ? <p className="value-note">{error}</p> : <ValueView value={value} isCut={isCut || pending} />}
        {pending && <p className="value-note">Reading the rest…</p>}
        {!pending && isCut && (
          <p className="value-note">
            The first {formatBytes(SHOWN_BYTES)} of {formatBytes(detail.sizeBytes)}
          </p>
        )}
        {detail.value !== null && !pending && !error && (
          <IconButton label="Copy value" onClick={copy}>
            <Copy size={14} />
          </IconButton>
        )}
      </div>
      <RelatedRows detail={detail} />
    </>
  );
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

/** The foreign key that starts at the cell's column. */
function useReference({ database, origin }: Detail): ForeignKey | null {
  const schemaVersion = useSchema(database)?.schemaVersion;
  const table = origin?.table;
  const [columns, setColumns] = useState<{ readonly key: string; readonly columns: readonly Column[] } | null>(null);
  const key = `${database} ${schemaVersion} ${table}`;
  useEffect(() => {
    if (table === undefined) return;
    let isCurrent = true;
    client.call('schema.table', { database, table }).then(
      (reply) => isCurrent && setColumns({ key, columns: reply.columns }),
      () => undefined, // a table that went away meanwhile has no keys to follow
    );
    return () => void (isCurrent = false);
  }, [database, table, key]);
  if (columns?.key !== key) return null;
  return columns.columns.find(({ name }) => name === origin?.column)?.references ?? null;
}

/** The row the key leads to. Null where a part of the key is NULL, which refers to nothing, or is not here whole. */
function termsOf({ row, value, complete, origin }: Detail, { columns }: ForeignKey): readonly FilterTerm[] | null {
  const terms: FilterTerm[] = [];
  for (const { from, to } of columns) {
    const part = from !== origin?.column ? row?.valueOf(from) : complete ? value : undefined;
    if (to === null || part === undefined || part === null) return null;
    terms.push({ column: to, operator: '=', value: part });
  }
  return terms;
}
