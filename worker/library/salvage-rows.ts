// Saves the rows of one damaged table: continues after unreadable parts.
import type { Progress } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import { quoteName } from '../sql/quote.ts';
import { attempt } from './salvage-tools.ts';

const ROWS_A_PAUSE = 2000;
/** A table that fails more often is abandoned: each try may cost a walk through the whole tree. */
const MAX_TRIES = 2000;
const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

export interface SavedRows {
  readonly rowsSaved: number;
  readonly complete: boolean;
  readonly problem: string | null;
}

interface Shape {
  readonly columns: readonly string[];
  /** The row id name by which rows are found again after a gap; null for WITHOUT ROWID. */
  readonly rowid: string | null;
  /** The rowid is not one of the columns and has to be copied in addition. */
  readonly rowidIsHidden: boolean;
  readonly primaryKey: readonly string[];
}

export function* salvageRows(
  from: Connection,
  to: Connection,
  table: string,
  rowsBefore: number,
): Generator<Progress, SavedRows, undefined> {
  let shape: Shape | null = null;
  const problem = attempt(() => (shape = shapeOf(from, table)));
  if (!shape)
    return { rowsSaved: 0, complete: false, problem: problem ?? 'its columns could not be read, so no row was saved' };
  const copy = new RowCopy(from, to, table, shape);
  try {
    while (copy.readOn()) yield { phase: 'Saving rows', done: rowsBefore + copy.rowsSaved, total: null, unit: 'rows' };
  } finally {
    copy.close();
  }
  return { rowsSaved: copy.rowsSaved, complete: copy.complete, problem: copy.problem };
}

function shapeOf(from: Connection, table: string): Shape | null {
  const info = from.all('SELECT name, type, pk, hidden FROM pragma_table_xinfo(?)', [table]);
  if (info.length === 0) return null;
  const columns = info.filter(([, , , hidden]) => hidden === 0).map(([name]) => String(name));
  const keyed = info.filter(([, , pk]) => pk !== 0).sort((a, b) => Number(a[2]) - Number(b[2]));
  const primaryKey = keyed.map(([name]) => String(name));
  const withoutRowid = findTable(from, table)?.withoutRowid === true;
  const alias = keyed.length === 1 && String(keyed[0]![1]).toUpperCase() === 'INTEGER' ? primaryKey[0]! : null;
  const free = ROWID_NAMES.find((name) => !columns.some((column) => column.toLowerCase() === name)) ?? null;
  const rowid = withoutRowid ? null : (alias ?? free);
  return { columns, rowid, rowidIsHidden: rowid !== null && alias === null, primaryKey };
}

class RowCopy {
  rowsSaved = 0;
  complete = true;
  problem: string | null = null;
  readonly #from: Connection;
  readonly #to: Connection;
  readonly #shape: Shape;
  readonly #table: string;
  readonly #insert: string;
  readonly #select: string;
  #last: bigint | null = null;
  #hop = 1n;
  #tries = 0;
  #statement: ReturnType<Connection['prepare']> | null = null;
  #backward = false;

  constructor(from: Connection, to: Connection, table: string, shape: Shape) {
    this.#from = from;
    this.#to = to;
    this.#shape = shape;
    this.#table = quoteName(table);
    const columns = shape.columns.map(quoteName);
    if (shape.rowidIsHidden) columns.unshift(quoteName(shape.rowid!));
    const names = columns.join(', ');
    this.#insert = `INSERT OR IGNORE INTO ${this.#table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
    this.#select = `SELECT ${shape.rowid ? quoteName(shape.rowid) : 'NULL'}, ${names} FROM ${this.#table}`;
  }

  /** Copies some rows in one transaction. False when there are no more rows. */
  readOn(): boolean {
    this.#to.run('BEGIN');
    try {
      for (let row = 0; row < ROWS_A_PAUSE; row++) if (!this.#readRow()) return false;
      return true;
    } finally {
      // A Stop while a row is written has rolled it back already.
      if (!this.#to.autocommit) this.#to.run('COMMIT');
    }
  }

  close(): void {
    this.#statement?.finalize();
    this.#statement = null;
  }

  #readRow(): boolean {
    let values: readonly Value[] | null = null;
    const why = attempt(() => {
      this.#statement ??= this.#open();
      if (this.#statement.step())
        values = Array.from({ length: this.#statement.columnCount }, (_, column) => this.#statement!.value(column));
    });
    if (why !== null) return this.#goAround(why);
    if (values === null) return false;
    this.#keep(values);
    return true;
  }

  #keep([key, ...values]: readonly Value[]): void {
    if (typeof key === 'number' || typeof key === 'bigint') this.#last = BigInt(key);
    this.#hop = 1n;
    let kept = 0;
    const why = attempt(() => (kept = this.#to.run(this.#insert, values)));
    this.rowsSaved += kept;
    if (kept === 0 && !this.#backward) {
      this.complete = false;
      this.problem ??= why ?? 'some rows broke a constraint of the table and were left out';
    }
  }

  /** If the tree is broken, skips a growing range of rowids, or starts again from the other end. */
  #goAround(why: string): boolean {
    this.complete = false;
    this.problem ??= `some rows could not be read (${why})`;
    this.close();
    if (++this.#tries > MAX_TRIES) return false;
    if (this.#shape.rowid === null) {
      const again = !this.#backward && this.#shape.primaryKey.length > 0;
      this.#backward = true;
      return again;
    }
    this.#last = (this.#last ?? -(2n ** 63n)) + this.#hop;
    this.#hop *= 2n;
    return this.#last < 2n ** 63n - 1n;
  }

  #open(): ReturnType<Connection['prepare']> {
    const { rowid, primaryKey } = this.#shape;
    if (rowid !== null) {
      const statement = this.#from.prepare(
        `${this.#select} WHERE ${quoteName(rowid)} > ? ORDER BY ${quoteName(rowid)}`,
      );
      statement.bind([this.#last ?? -(2n ** 63n)]);
      return statement;
    }
    const order = primaryKey.map((column) => `${quoteName(column)} DESC`).join(', ');
    return this.#from.prepare(this.#backward ? `${this.#select} ORDER BY ${order}` : this.#select);
  }
}
