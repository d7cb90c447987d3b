// A short text about the selected cells for the status bar: count, and sum, average, minimum and maximum if they are numbers.
import type { GridHandle } from '../../grid/grid-handle.ts';
import { countOf, isSelected, isSingleCell, selectedColumns, selectedRows } from '../../grid/input/selection.ts';
import { formatCount, formatDecimal, plural } from '../../ui/format.ts';

const MAX_SUMMED_CELLS = 50_000;

/** Null if only one cell is selected. Adds up only fully loaded selections, so that a sum is never partial. */
export function selectionSummary(grid: GridHandle, hiddenColumns: number): string | null {
  const { selection, bounds } = grid;
  if (isSingleCell(selection)) return null;
  const intervals = selectedRows(selection, bounds);
  const positions = countOf(selectedColumns(selection, bounds));
  const rows = countOf(intervals);
  const head = selection.ranges.every((range) => range.span === 'rows')
    ? `${plural(rows, 'row')} selected`
    : `${formatCount(rows)} × ${formatCount(positions)} cells`;
  if (rows * positions > MAX_SUMMED_CELLS) return head;
  let sum = 0;
  let [least, greatest] = [Infinity, -Infinity];
  let count = 0;
  for (const { first, last } of intervals) {
    for (let row = first; row <= last; row++) {
      for (let position = 0; position < bounds.displayColumns; position++) {
        if (!isSelected(selection, row, position, bounds)) continue;
        const cell = grid.cell(row, grid.columns[position]!);
        if (!cell) return head;
        const packed = cell.column + hiddenColumns;
        const storageClass = cell.rows.storageClass(cell.index, packed);
        if (storageClass !== 'integer' && storageClass !== 'real') continue;
        const value = cell.rows.number(cell.index, packed);
        sum += value;
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
        count++;
      }
    }
  }
  if (count < 2) return head;
  const facts = { sum, average: sum / count, min: least, max: greatest };
  return [head, ...Object.entries(facts).map(([name, value]) => `${name} ${formatDecimal(value)}`)].join(', ');
}
