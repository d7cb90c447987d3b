// The grid for screen readers and tests: the visible cells as an invisible ARIA grid, exactly above the painted ones.
import { memo } from 'react';
import type { ReactElement } from 'react';
import type { MirrorCell, MirrorRow, MirrorSnapshot } from './aria-snapshot.ts';
import { HEADER_HEIGHT } from '../layout/geometry.ts';
import type { CellDifference } from '../companion.ts';
import type { UnsavedMark } from '../unsaved-rows.ts';

export const cellId = (gridId: string, row: number, displayIndex: number): string => `${gridId}-${row}-${displayIndex}`;

export function AriaMirror({
  gridId,
  snapshot,
}: {
  readonly gridId: string;
  readonly snapshot: MirrorSnapshot;
}): ReactElement {
  return (
    <>
      <div role="row" aria-rowindex={1} className="grid-mirror-row" style={{ top: 0, height: HEADER_HEIGHT }}>
        <div
          role="columnheader"
          aria-colindex={1}
          className="grid-mirror-cell"
          style={{ left: 0, width: snapshot.gutter }}
        >
          Row
        </div>
        {snapshot.headers.map((header) => (
          <div
            key={header.displayIndex}
            role="columnheader"
            className="grid-mirror-cell"
            aria-colindex={header.displayIndex + 2}
            aria-sort={header.sort}
            data-column={header.name}
            style={{ left: header.x, width: header.width }}
          >
            {header.label}
          </div>
        ))}
      </div>
      {snapshot.rows.map((row) => (
        <Row key={row.position} gridId={gridId} row={row} gutter={snapshot.gutter} />
      ))}
    </>
  );
}

const DIFFERENCE_LABELS: Readonly<Record<CellDifference, string>> = {
  content: 'differs from the other side',
  order: 'at another position on the other side',
};

const UNSAVED_LABELS: Readonly<Record<UnsavedMark, string>> = {
  changed: 'changed, not saved yet',
  conflict: 'changed, not saved yet, and changed in the database in the meantime',
  deleted: 'deleted, not saved yet',
  added: 'new row, not saved yet',
};

function descriptionOf({ difference, unsaved, tint }: MirrorCell): string | undefined {
  if (unsaved) return UNSAVED_LABELS[unsaved];
  return difference ? DIFFERENCE_LABELS[difference] : (tint ?? undefined);
}

interface RowProps {
  readonly gridId: string;
  readonly row: MirrorRow;
  readonly gutter: number;
}

const Row = memo(
  function Row({ gridId, row, gutter }: RowProps): ReactElement {
    return (
      <div
        role="row"
        aria-rowindex={row.position + 2}
        aria-busy={row.isLoading || undefined}
        className="grid-mirror-row"
        data-row={row.position}
        data-draft={row.isDraft || undefined}
        style={{ top: row.y, height: row.height }}
      >
        <div role="rowheader" aria-colindex={1} className="grid-mirror-cell" style={{ left: 0, width: gutter }}>
          {row.isDraft ? 'New row' : row.position + 1}
        </div>
        {row.cells.map((cell) => (
          <div
            key={cell.displayIndex}
            id={cellId(gridId, row.position, cell.displayIndex)}
            role="gridcell"
            className="grid-mirror-cell"
            aria-colindex={cell.displayIndex + 2}
            aria-selected={cell.selected}
            data-row={row.position}
            data-column={cell.name}
            data-storage-class={cell.storageClass ?? undefined}
            data-difference={cell.difference ?? undefined}
            data-unsaved={cell.unsaved ?? undefined}
            data-tint={cell.tint ?? undefined}
            aria-description={descriptionOf(cell)}
            style={{ left: cell.x, width: cell.width }}
          >
            {cell.text}
          </div>
        ))}
      </div>
    );
  },
  (before, after) =>
    before.gridId === after.gridId && before.gutter === after.gutter && isSameRow(before.row, after.row),
);

const isSameRow = (a: MirrorRow, b: MirrorRow): boolean =>
  a.position === b.position &&
  a.y === b.y &&
  a.height === b.height &&
  a.isDraft === b.isDraft &&
  a.isLoading === b.isLoading &&
  a.cells.length === b.cells.length &&
  a.cells.every((cell, index) => isSameCell(cell, b.cells[index]!));

const isSameCell = (a: MirrorCell, b: MirrorCell): boolean =>
  a.displayIndex === b.displayIndex &&
  a.name === b.name &&
  a.text === b.text &&
  a.storageClass === b.storageClass &&
  a.selected === b.selected &&
  a.difference === b.difference &&
  a.unsaved === b.unsaved &&
  a.tint === b.tint &&
  a.x === b.x &&
  a.width === b.width;
