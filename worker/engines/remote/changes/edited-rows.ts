// Rows that the edits of a grid changed. The edits name them, so they are known although a server reports none.
import type { Value } from '#shared/protocol/values.ts';
import type { TableChanges } from '../../transaction-changes.ts';
import type { GuardedWrite } from '../../guarded-write.ts';
import type { SchemaCopy } from '../schema/schema-copy.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import type { RemoteChanges } from './remote-changes.ts';

interface Edits {
  /** The statements of the writes, with the tables that each writes to; null: any. */
  readonly ran: readonly { readonly statement: RemoteStatement; readonly tables: readonly string[] | null }[];
  readonly copy: Pick<SchemaCopy, 'ownRowsOnly'>;
  readonly writes: readonly GuardedWrite[];
  /** Same as for {@link editedRows}. */
  readonly returned: readonly (readonly Value[] | null)[];
}

/** Notes the tables that were written to, and the rows if all are of one table whose writes change no others. */
export function noteEdits(changes: RemoteChanges, { ran, copy, writes, returned }: Edits): void {
  const written = new Set<string | null>();
  for (const { statement, tables } of ran) {
    changes.noteRun(statement, tables, 1);
    for (const table of tables ?? [null]) written.add(table);
  }
  const [table] = written;
  if (written.size !== 1 || typeof table !== 'string') return;
  const own = copy.ownRowsOnly(table);
  const rows = own && editedRows(writes, returned, own.generated);
  if (rows) changes.noteRows(table, rows);
}

/**
 * @param returned the rows that the writes returned, which begin with the key; null where that is not known
 * @param generated columns that are computed from others
 * @returns null where a row is not known
 */
function editedRows(
  writes: readonly GuardedWrite[],
  returned: readonly (readonly Value[] | null)[],
  generated: readonly string[],
): TableChanges | null {
  const rowids = new Set<bigint>();
  const kinds = new Set<string>();
  const columns = new Set<string>(generated);
  let moved = false;
  for (const [at, { row }] of writes.entries()) {
    if (row === undefined) return null;
    const after = row.kind === 'delete' ? row.rowid : returned[at]?.[0];
    for (const rowid of row.kind === 'insert' ? [after] : [row.rowid, after]) {
      if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return null;
      rowids.add(BigInt(rowid));
    }
    moved ||= row.kind === 'update' && BigInt(row.rowid as number) !== BigInt(after as number);
    kinds.add(row.kind);
    for (const column of row.columns) columns.add(column);
  }
  return {
    inserted: kinds.has('insert'),
    updated: kinds.has('update'),
    deleted: kinds.has('delete'),
    moved,
    columns,
    keys: { kind: 'rowid', rowids: BigInt64Array.from([...rowids]) },
  };
}
