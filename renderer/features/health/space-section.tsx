// How the bytes of a file are used: in figures, as a treemap, and as a list.
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { openTable } from '../../workbench/tabs/table.ts';
import { formatBytes, formatCount, formatPercent, plural } from '../../ui/format.ts';
import type { SectionProps } from './section-props.ts';
import { SpaceList } from './space-list.tsx';
import { sortedRows, spaceRows } from './space-rows.ts';
import type { SpaceRow, SpaceSort } from './space-rows.ts';
import { TreemapPicture } from './treemap-picture.tsx';
import './space-section.css';

export function SpaceSection({ database, view, overview }: SectionProps): ReactNode {
  const { counted, state, problem } = view.sizes;
  const [sort, setSort] = useState<SpaceSort>({ column: 'bytes', descending: true });
  const rows = useMemo(() => spaceRows(overview, counted), [overview, counted]);
  const sorted = useMemo(() => sortedRows(rows, sort), [rows, sort]);
  const bySize = useMemo(() => sortedRows(rows, { column: 'bytes', descending: true }), [rows]);
  const open = ({ kind, table }: SpaceRow): void => {
    if (kind !== 'schema') openTable(database, table);
  };
  const freeBytes = overview.freePages * overview.pageSize;
  return (
    <div className="health-space">
      <Figures rows={rows} freeBytes={freeBytes} overview={overview} />
      {state === 'stopped' && (
        <p className="health-note">Counting was stopped. Sizes marked with ~ are estimated from a few pages.</p>
      )}
      {state === 'failed' && <p className="health-problem">{problem}</p>}
      <TreemapPicture rows={bySize} freeBytes={freeBytes} onOpen={open} />
      <SpaceList rows={sorted} sort={sort} onSort={setSort} onOpen={open} />
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
    <dl className="health-figures">
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
