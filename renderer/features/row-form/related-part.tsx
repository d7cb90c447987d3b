// The rows related to the row of a form: those it refers to, as cards, and those that refer to it, counted and with the first of them.
import type { ReactNode } from 'react';
import type { DatabaseId, FilterTerm, ForeignKey, Value } from '#shared/protocol/index.ts';
import { readableColumns } from '#shared/readable-columns.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { useColumns } from '../../state/schema.ts';
import { formatCount } from '../../ui/format.ts';
import { parentOf, type ParentRow } from '../../workbench/relations/foreign-keys.ts';
import { openFormOf } from '../../workbench/relations/form-of-row.ts';
import { openReferring, referringTerms, useRelatedCounts } from '../../workbench/relations/related-counts.ts';
import type { RelatedCount } from '../../workbench/relations/related-counts.ts';
import { isSettled, useLiveQuery, type LiveRow } from '../../workbench/rows/live-query.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

const SHOWN_CHILDREN = 5;
const SHOWN_CHARS = 80;

interface RelatedPartProps {
  readonly source: TableSource;
  /** A value of the row; undefined while it is not completely available. */
  readonly valueOf: (column: string) => Value | undefined;
}

export function RelatedPart({ source, valueOf }: RelatedPartProps): ReactNode {
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
      <div className="form-children-head">
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
