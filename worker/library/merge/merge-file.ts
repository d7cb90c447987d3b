// Findings of a merge, kept in a file so that its size does not affect memory: rows as they were, and what becomes of each that differs.
import type { MergeRowKind } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { PastRows } from '../../history/past-rows.ts';
import { rowBytes, rowOfBytes } from '../../sql/row-bytes.ts';

/** `take`: the source's row. `keep`: the row here. `ask`: the user has to decide. `both`: the source's row is added. */
type RowState = 'take' | 'keep' | 'ask' | 'both';

/** Undefined: not known. Null: there was none. */
export type PastRow = readonly Value[] | null | undefined;

export interface PlannedRow {
  readonly id: number;
  /** Lower case. */
  readonly table: string;
  readonly kind: MergeRowKind;
  readonly state: RowState;
  readonly key: readonly Value[];
  readonly base: PastRow;
  /** What it becomes, where it is not read from the source. */
  readonly row: readonly Value[] | null;
  /** Why the user is asked although only one side changed it. */
  readonly message: string | null;
}

export type RowToPlan = Omit<PlannedRow, 'id' | 'message' | 'row'> & Partial<Pick<PlannedRow, 'row'>>;

const SCHEMA = [
  'PRAGMA cache_size = -8192',
  'CREATE TABLE past ("table" TEXT, key BLOB, row BLOB, PRIMARY KEY ("table", key)) WITHOUT ROWID',
  `CREATE TABLE rows (id INTEGER PRIMARY KEY, "table" TEXT, kind TEXT, state TEXT, key BLOB, base BLOB, known INTEGER, row BLOB, message TEXT)`,
  "CREATE INDEX asked ON rows (id) WHERE state = 'ask'",
  // The contents are temporary.
  'BEGIN',
];

const COLUMNS = 'id, "table", kind, state, key, base, known, row, message';

export class MergeFile implements PastRows {
  readonly #connection: Connection;
  readonly #columns = new Map<string, string>();
  readonly #unknown = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
    for (const sql of SCHEMA) connection.run(sql);
  }

  begin(table: string, columns: readonly string[]): void {
    const name = table.toLowerCase();
    const text = columns.join('\0');
    if ((this.#columns.get(name) ?? text) !== text) this.giveUp(table);
    this.#columns.set(name, text);
  }

  giveUp(table: string): void {
    this.#unknown.add(table.toLowerCase());
  }

  /** Whether past rows of this table are known in its current form. */
  isKnown(table: string, columns: readonly string[]): boolean {
    const name = table.toLowerCase();
    return !this.#unknown.has(name) && (this.#columns.get(name) ?? columns.join('\0')) === columns.join('\0');
  }

  get(table: string, key: readonly Value[]): PastRow {
    if (this.#columns.size === 0) return undefined;
    const row = this.#connection.one('SELECT row FROM past WHERE "table" = ? AND key = ?', [
      table.toLowerCase(),
      rowBytes(key),
    ]);
    return row ? (row[0] === null ? null : rowOfBytes(row[0] as Uint8Array)) : undefined;
  }

  put(table: string, key: readonly Value[], row: readonly Value[] | null): void {
    this.#connection.run('INSERT OR REPLACE INTO past VALUES (?, ?, ?)', [
      table.toLowerCase(),
      rowBytes(key),
      row && rowBytes(row),
    ]);
  }

  plan({ table, kind, state, key, base, row = null }: RowToPlan): void {
    this.#connection.run('INSERT INTO rows VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, NULL)', [
      table.toLowerCase(),
      kind,
      state,
      rowBytes(key),
      base ? rowBytes(base) : null,
      base === undefined ? 0 : 1,
      row && rowBytes(row),
    ]);
  }

  /** Asks the user after all. */
  ask(id: number, message: string): void {
    this.#connection.run("UPDATE rows SET state = 'ask', message = ? WHERE id = ?", [message, id]);
  }

  row(id: number): PlannedRow {
    return toRow(this.#connection.one(`SELECT ${COLUMNS} FROM rows WHERE id = ?`, [id])!);
  }

  find(table: string, key: readonly Value[]): PlannedRow | null {
    const found = this.#connection.one(`SELECT ${COLUMNS} FROM rows WHERE "table" = ? AND key = ?`, [
      table.toLowerCase(),
      rowBytes(key),
    ]);
    return found && toRow(found);
  }

  /** Rows in the order in which they were planned. The file may not be written to in the meantime. */
  *rows(kinds: readonly MergeRowKind[]): IterableIterator<PlannedRow> {
    const list = kinds.map((kind) => `'${kind}'`).join(', ');
    const statement = this.#connection.prepare(`SELECT ${COLUMNS} FROM rows WHERE kind IN (${list}) ORDER BY id`);
    try {
      while (statement.step())
        yield toRow(Array.from({ length: statement.columnCount }, (_, column) => statement.value(column)));
    } finally {
      statement.finalize();
    }
  }

  asked(start: number, count: number): readonly PlannedRow[] {
    return this.#connection
      .all(`SELECT ${COLUMNS} FROM rows WHERE state = 'ask' ORDER BY id LIMIT ? OFFSET ?`, [count, start])
      .map(toRow);
  }

  /** Rows by table, kind and state. */
  get counts(): readonly {
    readonly table: string;
    readonly kind: MergeRowKind;
    readonly state: RowState;
    readonly count: number;
  }[] {
    return this.#connection
      .all('SELECT "table", kind, state, count(*) FROM rows GROUP BY 1, 2, 3 ORDER BY min(id)')
      .map(([table, kind, state, count]) => ({
        table: String(table),
        kind: kind as MergeRowKind,
        state: state as RowState,
        count: Number(count),
      }));
  }

  close(): void {
    this.#connection.close();
  }
}

function toRow([id, table, kind, state, key, base, known, row, message]: readonly Value[]): PlannedRow {
  return {
    id: Number(id),
    table: String(table),
    kind: kind as MergeRowKind,
    state: state as RowState,
    key: rowOfBytes(key as Uint8Array),
    base: known === 0 ? undefined : base === null ? null : rowOfBytes(base as Uint8Array),
    row: row === null ? null : rowOfBytes(row as Uint8Array),
    message: message as string | null,
  };
}
