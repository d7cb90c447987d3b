// Titles for edits of rows in the history and the status bar.
import type { RowChange, TableChange } from '#shared/protocol/edit.ts';

/** “Edit Name in Track”, “Edit 3 cells in Track”, “Add row to Track”, “Delete 2 rows from Track”. */
export function editTitle(table: string, changes: readonly RowChange[]): string {
  const kinds = new Set(changes.map(({ kind }) => (kind === 'duplicate' ? 'insert' : kind)));
  const [kind] = kinds;
  if (kinds.size > 1 || kind === undefined) return `Edit ${table}`;
  const rows = changes.length === 1 ? 'row' : `${changes.length} rows`;
  if (kind === 'insert') return `Add ${rows} to ${table}`;
  if (kind === 'delete') return `Delete ${rows} from ${table}`;
  const columns = changes.flatMap((change) => (change.kind === 'update' ? Object.keys(change.set) : []));
  return `Edit ${columns.length === 1 ? columns[0]! : `${columns.length} cells`} in ${table}`;
}

/** Title for saving held changes. */
export function heldTitle(changes: readonly TableChange[]): string {
  const tables = [...new Set(changes.map(({ table }) => table))];
  return `Save ${changes.length} held ${changes.length === 1 ? 'change' : 'changes'} in ${tables.join(', ')}`;
}
