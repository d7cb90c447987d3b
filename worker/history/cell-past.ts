// The values that one cell had before: found in the row logs of the steps, newest first.
import type { EarlierValue } from '#shared/protocol/cell.ts';
import type { CellAddress } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import type { LoggedTable } from '../engines/row-log/row-log.ts';
import { sameRow, sameValue } from '../sql/same-value.ts';
import type { History } from './history.ts';
import type { RowChangeLogged } from './differences.ts';

const MAX_STEPS = 1000;
/** Limit for all steps together: a fraction of a second. */
const MAX_ROWS = 200_000;

interface CellPast {
  readonly values: readonly EarlierValue[];
  /** Why there may be earlier values that are not listed; null if these are all. */
  readonly why: string | null;
}

export function cellPast({ past }: History, cell: CellAddress, limit: number): CellPast {
  const values: EarlierValue[] = [];
  const row = new FollowedRow(cell);
  let rowsLeft = MAX_ROWS;
  for (const step of past.list(null, MAX_STEPS)) {
    if (step.state === 'undone') continue;
    if (step.kind !== 'rows') return { values, why: `The values before “${step.title}” were not recorded row by row.` };
    const counts = step.tables.find(({ table }) => table === cell.table);
    if (!counts) continue;
    rowsLeft -= counts.inserted + counts.updated + counts.deleted;
    if (rowsLeft < 0) return { values, why: `“${step.title}” changed too many rows to search.` };
    const log = past.store.undoLog(step.id);
    const opened = log && openRowLog(log);
    const table = opened?.tables.find(({ name }) => name === cell.table);
    if (!opened || !table) continue;
    const changes = [...opened.rowsOf(table, 0)] as RowChangeLogged[];
    for (const change of changes.reverse()) {
      const before = row.goBack(change, table);
      if (before === 'none') return { values, why: null };
      if (before === undefined) continue;
      const { id, atMs, title, windowTitle } = step;
      values.push({ step: id, atMs, title, windowTitle, value: before });
      if (values.length === limit) return { values, why: 'Only the newest values are listed.' };
    }
  }
  return { values, why: null };
}

/** A row that is followed back, whose key may change. */
class FollowedRow {
  readonly #column: string;
  #key: readonly Value[];

  constructor({ key, column }: CellAddress) {
    this.#key = key;
    this.#column = column;
  }

  /** The value the cell had before the change; undefined if it did not change, `none` if there was no row. */
  goBack(change: RowChangeLogged, table: LoggedTable): Value | undefined | 'none' {
    const key = change.operation === 'update' ? change.keyAfter : change.key;
    if (!this.#isAt(key)) return undefined;
    const place = table.columns.indexOf(this.#column);
    switch (change.operation) {
      case 'insert':
        return 'none';
      case 'delete':
        return change.before[place];
      case 'update': {
        this.#key = change.keyBefore;
        const isRowId = table.key.kind === 'rowid' && table.key.columnIndex === place;
        if (isRowId) return sameValue(change.keyBefore[0]!, change.keyAfter[0]!) ? undefined : change.keyBefore[0];
        const at = change.columnIndexes.indexOf(place);
        return at < 0 ? undefined : change.before[at];
      }
    }
  }

  #isAt(key: readonly Value[]): boolean {
    return sameRow(key, this.#key);
  }
}
