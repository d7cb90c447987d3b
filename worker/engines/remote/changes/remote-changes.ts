// Tables changed by a commit. A server has no hooks, so the statements tell them; rows and columns are known only for edits of a grid.
import type { TableChanges, TransactionChanges } from '../../transaction-changes.ts';
import { isUnknownOutcome } from '../session/outcomes.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedWrite } from '../../guarded-write.ts';
import type { SchemaCopy } from '../schema/schema-copy.ts';

const ANYTHING: TableChanges = { inserted: true, updated: true, deleted: true, moved: true, columns: null, keys: null };

interface Transaction {
  /** Null: any table. */
  tables: Set<string> | null;
  schema: boolean;
}

const nothing = (): Transaction => ({ tables: new Set(), schema: false });

export class RemoteChanges {
  listener: ((changes: TransactionChanges) => void) | null = null;
  readonly #session: { readonly autocommit: boolean };
  #open = nothing();
  /** Changes of the tables whose changed rows are known. */
  #known: ReadonlyMap<string, TableChanges> = new Map();
  #isCommitted = false;

  constructor(session: { readonly autocommit: boolean }) {
    this.#session = session;
  }

  /** @param written null: any table */
  noteRun(statement: RemoteStatement, written: readonly string[] | null, changes: number): void {
    const { verb } = statement.shape;
    if (verb === 'rollback') this.#open = nothing();
    else if (verb === 'commit' || verb === 'release') this.#isCommitted = true;
    else if (!statement.readonly) this.#note(statement, written, changes);
  }

  /** The rows belong to the only statements that are noted before the next {@link settle}. */
  noteRows(table: string, rows: TableChanges): void {
    this.#known = new Map([[table, rows]]);
  }

  /** Notes statements that are not analyzed: any table and the schema may have changed. */
  noteAnything(): void {
    this.#open = { tables: null, schema: true };
  }

  /** A write that may have been saved despite the error counts as a change, so that the rows are read again. */
  noteFailed(statement: RemoteStatement, written: readonly string[] | null, error: unknown): void {
    if (!isUnknownOutcome(error)) return;
    if (!statement.readonly) this.#note(statement, written, 1);
    this.#isCommitted = true;
  }

  /** Publishes what was committed, once the statement has returned. */
  settle(wasInTransaction: boolean): void {
    if (!this.#session.autocommit) return;
    const { tables, schema } = this.#open;
    const isCommitted = this.#isCommitted || !wasInTransaction;
    const known = this.#known;
    this.#open = nothing();
    this.#known = new Map();
    this.#isCommitted = false;
    if (!isCommitted || (tables?.size === 0 && !schema)) return;
    const changesOf = (name: string): TableChanges => known.get(name) ?? ANYTHING;
    this.listener?.({
      tables: tables && new Map(Array.from(tables, (name) => [name, changesOf(name)])),
      schema,
      log: null,
    });
  }

  #note(
    { shape: { verb, target, object, on } }: RemoteStatement,
    written: readonly string[] | null,
    changes: number,
  ): void {
    switch (verb) {
      case 'insert':
      case 'update':
      case 'delete':
        if (changes === 0 && isOnly(target?.name, written)) return;
        if (written === null) this.#open.tables = null;
        for (const table of written ?? []) this.#open.tables?.add(table);
        return;
      case 'create':
      case 'drop':
      case 'alter': {
        this.#open.schema = true;
        // Dropping a table deletes its rows first, and rows that refer to them.
        if (verb === 'drop' && object === 'table') for (const table of written ?? []) this.#open.tables?.add(table);
        const name = on ?? target?.name;
        if (object !== 'trigger' && object !== 'index' && name !== undefined) this.#open.tables?.add(name);
        return;
      }
      case 'pragma':
        return;
      default:
        this.#open.tables = null;
    }
  }
}

/**
 * Whether a statement can write only to the table that it names. Otherwise triggers may have changed rows although the server counts none:
 * those of a view, and those that skip the row itself.
 */
const isOnly = (name: string | undefined, written: readonly string[] | null): boolean =>
  written?.every((table) => table.toLowerCase() === name) === true;

// Rows that the edits of a grid changed. The edits name them, so they are known although a server reports none.

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
