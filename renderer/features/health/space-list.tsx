// Tables and indexes with their sizes, sortable; only those on screen are in the page.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { formatBytes, formatPercent } from '../../ui/format.ts';
import { useRowWindow } from '../../ui/use-row-window.ts';
import type { SpaceColumn, SpaceRow, SpaceSort } from './space-rows.ts';

const ROW_HEIGHT = 26;

const COLUMNS: readonly { readonly id: SpaceColumn; readonly label: string; readonly meaning?: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'kind', label: 'Kind' },
  { id: 'bytes', label: 'Size' },
  { id: 'fill', label: 'Filled', meaning: 'Share of its pages that holds data' },
  { id: 'unusedBytes', label: 'Unused', meaning: 'Bytes inside its pages that hold no data' },
  {
    id: 'jumps',
    label: 'Out of order',
    meaning: 'Leaf pages that do not follow the previous one in the file, so reading in order jumps around',
  },
];

interface SpaceListProps {
  readonly rows: readonly SpaceRow[];
  readonly sort: SpaceSort;
  readonly onSort: (sort: SpaceSort) => void;
  readonly onOpen: (row: SpaceRow) => void;
}

export function SpaceList({ rows, sort, onSort, onOpen }: SpaceListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { from, to } = useRowWindow(scroller, rows.length, ROW_HEIGHT);
  return (
    <div className="health-list" role="table" aria-label="Tables and indexes by size" aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="health-row health-head">
          {COLUMNS.map((column) => (
            <SortHeader key={column.id} {...column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div ref={scroller} role="rowgroup" className="health-rows">
        <div role="presentation" style={{ height: rows.length * ROW_HEIGHT }} />
        {rows.slice(from, to).map((row, offset) => (
          <SpaceLine key={row.name} row={row} index={from + offset} onOpen={onOpen} />
        ))}
      </div>
    </div>
  );
}

interface SortHeaderProps extends Pick<SpaceListProps, 'sort' | 'onSort'> {
  readonly id: SpaceColumn;
  readonly label: string;
  readonly meaning?: string;
}

function SortHeader({ id, label, meaning, sort, onSort }: SortHeaderProps): ReactNode {
  const isSorted = sort.column === id;
  const isText = id === 'name' || id === 'kind';
  const next = { column: id, descending: isSorted ? !sort.descending : !isText };
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
      data-column={id}
    >
      <button type="button" title={meaning} onClick={() => onSort(next)}>
        {label}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  );
}

interface SpaceLineProps extends Pick<SpaceListProps, 'onOpen'> {
  readonly row: SpaceRow;
  readonly index: number;
}

function SpaceLine({ row, index, onOpen }: SpaceLineProps): ReactNode {
  const { name, table, kind, bytes, isEstimate, share, fill, unusedBytes, jumps } = row;
  return (
    <div role="row" aria-rowindex={index + 2} className="health-row" style={{ top: index * ROW_HEIGHT }}>
      <div role="cell" data-column="name">
        {kind === 'schema' ? (
          <span>{name}</span>
        ) : (
          <button
            type="button"
            className="health-name"
            title={kind === 'index' ? `Open ${table}` : `Open ${name}`}
            onClick={() => onOpen(row)}
          >
            {name}
          </button>
        )}
        {kind === 'index' && <span className="health-of">on {table}</span>}
      </div>
      <div role="cell" data-column="kind">
        {kind}
      </div>
      <div role="cell" data-column="bytes">
        <span className="health-bar" aria-hidden>
          <i data-kind={kind} style={{ width: `${Math.round((share ?? 0) * 100)}%` }} />
        </span>
        {bytes === null ? '–' : `${isEstimate ? '~' : ''}${formatBytes(bytes)}`}
      </div>
      <div role="cell" data-column="fill">
        {fill === null ? '–' : formatPercent(fill)}
      </div>
      <div role="cell" data-column="unusedBytes">
        {unusedBytes === null ? '–' : formatBytes(unusedBytes)}
      </div>
      <div role="cell" data-column="jumps">
        {jumps === null ? '–' : formatPercent(jumps)}
      </div>
    </div>
  );
}
