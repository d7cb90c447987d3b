// Where the arrow keys go in the table of a result: suites have no cells, so they are passed over.
import type { TableRow } from './table-model.ts';

export interface TablePosition {
  readonly row: number;
  readonly column: number;
}

interface TableShape {
  readonly rows: readonly Pick<TableRow, 'kind'>[];
  readonly width: number;
  /** Rows on screen. */
  readonly page: number;
}

/** Null for keys that the table does not use. */
export function moveInTable(key: string, { row, column }: TablePosition, shape: TableShape): TablePosition | null {
  const { rows, width, page } = shape;
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowRight':
      return { row, column: Math.min(width - 1, column + 1) };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowDown':
      return { row: testFrom(rows, row + 1, 1) ?? row, column };
    case 'ArrowUp':
      return { row: testFrom(rows, row - 1, -1) ?? row, column };
    case 'PageDown':
      return { row: testFrom(rows, Math.min(last, row + page), 1) ?? testFrom(rows, last, -1) ?? row, column };
    case 'PageUp':
      return { row: testFrom(rows, Math.max(0, row - page), -1) ?? firstTest(rows), column };
    case 'Home':
      return { row: firstTest(rows), column };
    case 'End':
      return { row: testFrom(rows, last, -1) ?? row, column };
    default:
      return null;
  }
}

export const firstTest = (rows: TableShape['rows']): number => Math.max(0, testFrom(rows, 0, 1) ?? 0);

function testFrom(rows: TableShape['rows'], at: number, step: 1 | -1): number | null {
  for (let row = at; row >= 0 && row < rows.length; row += step) if (rows[row]!.kind === 'test') return row;
  return null;
}
