// The user's actions on the arrangement of columns, as functions from one arrangement to the next.
import { fullOrder } from './geometry.ts';
import type { ColumnLayout, GridView } from './geometry.ts';

/** Drops the column at `from` before the place `before` (one past the last means the end). Hidden columns keep their places. */
export function movedColumn(
  count: number,
  view: GridView,
  { columns: shown }: Pick<ColumnLayout, 'columns'>,
  from: number,
  before: number,
): GridView {
  const column = shown[from];
  if (column === undefined || before === from || before === from + 1) return view;
  const order = fullOrder(count, view).filter((each) => each !== column);
  const next = shown[before];
  order.splice(next === undefined ? order.indexOf(shown[shown.length - 1]!) + 1 : order.indexOf(next), 0, column);
  return { ...view, order };
}

/**
 * Hides exactly these columns. Frozen columns stay frozen; a column that is shown again between frozen columns is frozen, too. Null if no
 * column would be left, because a grid shows at least one.
 */
export function withHidden(
  count: number,
  view: GridView,
  { columns: shown }: Pick<ColumnLayout, 'columns'>,
  hidden: readonly number[],
): GridView | null {
  const gone = new Set(hidden);
  const left = fullOrder(count, view).filter((column) => !gone.has(column));
  if (count > 0 && left.length === 0) return null;
  const frozen = new Set(shown.slice(0, view.frozen));
  return {
    ...view,
    hidden: [...gone].sort((a, b) => a - b),
    frozen: left.reduce((frozenSoFar, column, at) => (frozen.has(column) ? at + 1 : frozenSoFar), 0),
  };
}
