// How the bytes of a file are used: in figures, as a treemap, and as a list.
import { useMemo, useRef, useState, type DOMAttributes, type ReactNode } from 'react';
import { openTable } from '../../workbench/tabs/table.ts';
import { formatBytes, formatCount, formatPercent, plural } from '../../ui/format.ts';
import type { SectionProps } from './section-props.ts';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useRowWindow } from '../../ui/use-row-window.ts';
import { useWidth } from '../../ui/use-width.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { HealthOverview, TreeDetail, TreeSize } from '#shared/protocol/index.ts';
import { squarify, type Rectangle } from './treemap.ts';
import './space-section.css';

const HEIGHT = 220;
/** Any more would be too small to see. */
const MAX_RECTANGLES = 150;
const GAP = 1;
/** A smaller rectangle has no name in it. */
const NAMED = { width: 48, height: 20, sizeHeight: 36 };
const LETTER_PX = 6.6;

interface Part extends Rectangle {
  readonly key: string;
  readonly label: string;
  readonly bytes: number;
  readonly kind: SpaceRow['kind'] | 'free' | 'rest';
  readonly row: SpaceRow | null;
}

interface TreemapPictureProps {
  /** The largest first. */
  readonly rows: readonly SpaceRow[];
  readonly freeBytes: number;
  readonly onOpen: (row: SpaceRow) => void;
}

/** The tables and indexes of a file as rectangles in proportion to their size. The list beside it serves screen readers and keyboards. */
function TreemapPicture({ rows, freeBytes, onOpen }: TreemapPictureProps): ReactNode {
  const [frame, width] = useWidth<HTMLDivElement>(0);
  const [isTouched, touch] = useTouched();
  const [shown, setShown] = useState(rows);
  if (!isTouched && shown !== rows) setShown(rows);
  const parts = useMemo(() => partsOf(shown, freeBytes, width), [shown, freeBytes, width]);
  const largest = rows.find(({ kind }) => kind !== 'schema');
  const summary = largest ? `The largest is ${largest.name}. The list below has all sizes.` : '';
  return (
    <div ref={frame} className="fixed health-treemap">
      <svg width={width} height={HEIGHT} role="img" aria-label={`Sizes of tables and indexes. ${summary}`} {...touch}>
        {parts.map((part) => (
          <TreemapPart key={part.key} part={part} onOpen={onOpen} />
        ))}
      </svg>
      <ul className="gap-16 dim tiny health-legend" aria-hidden>
        <li data-kind="table">Tables</li>
        <li data-kind="index">Indexes</li>
        {freeBytes > 0 && <li data-kind="free">Free pages</li>}
      </ul>
    </div>
  );
}

function partsOf(rows: readonly SpaceRow[], freeBytes: number, width: number): readonly Part[] {
  const known = rows.filter(({ bytes }) => bytes !== null && bytes > 0);
  const shown = known.slice(0, MAX_RECTANGLES);
  const restBytes = known.slice(MAX_RECTANGLES).reduce((sum, { bytes }) => sum + bytes!, 0);
  const all: Omit<Part, keyof Rectangle>[] = shown.map((row) => ({
    key: `tree ${row.name}`,
    label: visibleName(row.name),
    bytes: row.bytes!,
    kind: row.kind,
    row,
  }));
  if (freeBytes > 0) all.push({ key: 'free', label: 'Free pages', bytes: freeBytes, kind: 'free', row: null });
  if (restBytes > 0) {
    const label = plural(known.length - MAX_RECTANGLES, 'smaller one');
    all.push({ key: 'rest', label, bytes: restBytes, kind: 'rest', row: null });
  }
  all.sort((a, b) => b.bytes - a.bytes);
  const rectangles = squarify(
    all.map(({ bytes }) => bytes),
    width,
    HEIGHT,
  );
  return rectangles.map((rectangle, at) => ({ ...rectangle, ...all[at]! }));
}

function TreemapPart({ part, onOpen }: { readonly part: Part; readonly onOpen: (row: SpaceRow) => void }): ReactNode {
  const { x, y, width, height, label, bytes, kind, row } = part;
  const letters = Math.floor((width - 12) / LETTER_PX);
  const isNamed = width >= NAMED.width && height >= NAMED.height;
  const size = formatBytes(bytes);
  return (
    <g
      data-kind={kind}
      className={row ? 'health-part health-part-open' : 'health-part'}
      onClick={() => row && onOpen(row)}
    >
      <title>{`${label}: ${row?.isEstimate ? 'about ' : ''}${size}`}</title>
      <rect x={x} y={y} width={Math.max(0, width - GAP)} height={Math.max(0, height - GAP)} rx={2} />
      {isNamed && (
        <text x={x + 6} y={y + 15}>
          {label.length > letters ? `${label.slice(0, Math.max(1, letters - 1))}…` : label}
        </text>
      )}
      {isNamed && height >= NAMED.sizeHeight && size.length <= letters && (
        <text x={x + 6} y={y + 30} className="health-part-size">
          {size}
        </text>
      )}
    </g>
  );
}

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

/** Whether the pointer or the focus is in an element: then nothing moves there. */
function useTouched(): readonly [boolean, DOMAttributes<Element>] {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const listeners: DOMAttributes<Element> = {
    onPointerEnter: () => setPointedAt(true),
    onPointerLeave: () => setPointedAt(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }) => setFocused(currentTarget.contains(relatedTarget)),
  };
  return [isPointedAt || isFocused, listeners];
}

/** The rows in their order, which changes only when nobody is about to choose one. */
function useSteadyRows(now: Omit<ShownRows, 'rows'>): readonly SpaceRow[] {
  const [shown, setShown] = useState<ShownRows>(() => ({ ...now, rows: now.sorted }));
  const next = shownRows(shown, now);
  if (next !== shown) setShown(next);
  return next.rows;
}

interface SpaceListProps {
  readonly rows: readonly SpaceRow[];
  readonly isCounting: boolean;
  readonly sort: SpaceSort;
  readonly onSort: (sort: SpaceSort) => void;
  readonly onOpen: (row: SpaceRow) => void;
}

/** Tables and indexes with their sizes, sortable; only those on screen are in the page. */
function SpaceList({ rows, isCounting, sort, onSort, onOpen }: SpaceListProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const [isTouched, touch] = useTouched();
  const sorted = useMemo(() => sortedRows(rows, sort), [rows, sort]);
  const shown = useSteadyRows({ sorted, sort, isHeld: isCounting || isTouched });
  const { from, to } = useRowWindow(scroller, shown.length, ROW_HEIGHT);
  return (
    <div className="health-list" role="table" aria-label="Tables and indexes by size" aria-rowcount={rows.length + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="sunken ruled health-row health-head">
          {COLUMNS.map((column) => (
            <SortHeader key={column.id} {...column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div ref={scroller} role="rowgroup" className="scroll anchor full-height grow health-rows" {...touch}>
        <div role="presentation" style={{ height: shown.length * ROW_HEIGHT }} />
        {shown.slice(from, to).map((row, offset) => (
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
        {kind === 'index' && <span className="small faint health-of">on {table}</span>}
      </div>
      <div role="cell" data-column="kind">
        {kind}
      </div>
      <div role="cell" data-column="bytes">
        <span className="clip health-bar" aria-hidden>
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

export function SpaceSection({ database, view, overview }: SectionProps): ReactNode {
  const { counted, state, problem } = view.sizes;
  const [sort, setSort] = useState<SpaceSort>({ column: 'bytes', descending: true });
  const rows = useMemo(() => spaceRows(overview, counted), [overview, counted]);
  const bySize = useMemo(() => sortedRows(rows, { column: 'bytes', descending: true }), [rows]);
  const open = ({ kind, table }: SpaceRow): void => {
    if (kind !== 'schema') openTable(database, table);
  };
  const freeBytes = overview.freePages * overview.pageSize;
  return (
    <div className="stack full-height health-space">
      <Figures rows={rows} freeBytes={freeBytes} overview={overview} />
      {state === 'stopped' && (
        <p className="health-note">Counting was stopped. Sizes marked with ~ are estimated from a few pages.</p>
      )}
      {state === 'failed' && <p className="warn-note fixed small health-problem">{problem}</p>}
      <TreemapPicture rows={bySize} freeBytes={freeBytes} onOpen={open} />
      <SpaceList rows={rows} isCounting={state === 'none'} sort={sort} onSort={setSort} onOpen={open} />
    </div>
  );
}

interface FiguresProps extends Pick<SectionProps, 'overview'> {
  readonly rows: readonly SpaceRow[];
  readonly freeBytes: number;
}

function Figures({ rows, freeBytes, overview }: FiguresProps): ReactNode {
  const { pages, pageSize } = overview;
  const all = pages * pageSize;
  const sumOf = (kind: SpaceRow['kind']): number =>
    rows.reduce((sum, row) => sum + (row.kind === kind ? (row.bytes ?? 0) : 0), 0);
  const isEstimate = rows.some((row) => row.isEstimate);
  const shared = (bytes: number): string =>
    `${isEstimate ? '~' : ''}${formatBytes(bytes)} (${formatPercent(bytes / Math.max(1, all))})`;
  const tables = rows.filter(({ kind }) => kind === 'table').length;
  const indexes = rows.filter(({ kind }) => kind === 'index').length;
  return (
    <dl className="fixed full-width health-figures">
      <Figure
        label="File"
        value={formatBytes(all)}
        note={`${formatCount(pages)} pages of ${formatCount(pageSize)} bytes`}
      />
      <Figure label="Tables" value={shared(sumOf('table'))} note={plural(tables, 'table')} />
      <Figure label="Indexes" value={shared(sumOf('index'))} note={plural(indexes, 'index', 'indexes')} />
      <Figure
        label="Free"
        value={`${formatBytes(freeBytes)} (${formatPercent(freeBytes / Math.max(1, all))})`}
        note={plural(overview.freePages, 'free page')}
      />
    </dl>
  );
}

function Figure({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <strong>{value}</strong>
        <span>{note}</span>
      </dd>
    </div>
  );
}

// The tables and indexes of a file by size: counted if they have been counted, otherwise estimated.
interface SpaceRow {
  readonly name: string;
  readonly table: string;
  readonly kind: TreeSize['kind'];
  readonly bytes: number | null;
  readonly isEstimate: boolean;
  /** Share of all pages, 0 … 1. */
  readonly share: number | null;
  /** How full its pages are, 0 … 1. */
  readonly fill: number | null;
  readonly unusedBytes: number | null;
  /** Share of leaf pages that do not follow the previous one, 0 … 1. Null if unknown or there is only one. */
  readonly jumps: number | null;
}

type SpaceColumn = 'name' | 'kind' | 'bytes' | 'fill' | 'unusedBytes' | 'jumps';

export interface SpaceSort {
  readonly column: SpaceColumn;
  readonly descending: boolean;
}

export function spaceRows(overview: HealthOverview, counted: ReadonlyMap<string, TreeSize>): readonly SpaceRow[] {
  const { pageSize, pages: all } = overview;
  return overview.trees.map(({ name, table, kind, pages: estimate }) => {
    const exact = counted.get(name);
    const pages = exact?.pages ?? estimate;
    const bytes = pages === null ? null : pages * pageSize;
    return {
      name,
      table,
      kind,
      bytes,
      isEstimate: !exact,
      share: pages === null || all === 0 ? null : pages / all,
      ...detailOf(exact?.detail ?? null, bytes ?? 0),
    };
  });
}

function detailOf(detail: TreeDetail | null, bytes: number): Pick<SpaceRow, 'fill' | 'unusedBytes' | 'jumps'> {
  if (!detail || bytes === 0) return { fill: null, unusedBytes: null, jumps: null };
  const { unusedBytes, leafPages, jumps } = detail;
  return {
    fill: 1 - unusedBytes / bytes,
    unusedBytes,
    jumps: leafPages > 1 ? jumps / (leafPages - 1) : null,
  };
}

const names = new Intl.Collator('en-US', { numeric: true });

/** Unknown values come last in either direction. */
export function sortedRows(rows: readonly SpaceRow[], { column, descending }: SpaceSort): readonly SpaceRow[] {
  const direction = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [a[column], b[column]];
    if (one === null || other === null)
      return Number(one === null) - Number(other === null) || names.compare(a.name, b.name);
    const order = typeof one === 'string' ? names.compare(one, other as string) : (one as number) - (other as number);
    return order * direction || names.compare(a.name, b.name);
  });
}

/** The rows of the list as they are shown, and what they were made of. */
export interface ShownRows {
  readonly rows: readonly SpaceRow[];
  readonly sorted: readonly SpaceRow[];
  readonly sort: SpaceSort;
  readonly isHeld: boolean;
}

/**
 * While they are held, rows stay where they are and only their values change; new ones are at the end. Another sort order that the user
 * has chosen applies at once.
 */
export function shownRows(before: ShownRows, now: Omit<ShownRows, 'rows'>): ShownRows {
  const { sorted, sort, isHeld } = now;
  if (before.sorted === sorted && before.sort === sort && before.isHeld === isHeld) return before;
  return { ...now, rows: isHeld && before.sort === sort ? inOrderOf(sorted, before.rows) : sorted };
}

function inOrderOf(rows: readonly SpaceRow[], before: readonly SpaceRow[]): readonly SpaceRow[] {
  const places = new Map(before.map(({ name }, at) => [name, at]));
  const placeOf = ({ name }: SpaceRow): number => places.get(name) ?? before.length;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
