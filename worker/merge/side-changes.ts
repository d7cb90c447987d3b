// The rows in which each side differs from the base, kept in a file so that their number does not affect memory.
import { foldName } from '#shared/ddl/names.ts';
import { CONFLICTS } from '#shared/protocol/merge.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { ComparedTable } from '../diff/compared-tables.ts';
import type { RowsWriter } from '../diff/diff-tables.ts';
import type { BlockRow } from '../diff/merge-rows.ts';
import type { Connection } from '../engines/engine.ts';
import { COUNTERS } from '../schema/row-order.ts';
import { quoteName } from '../sql/quote.ts';
import { rowBytes, rowOfBytes } from '../sql/row-bytes.ts';
import { keyedId, wholeId, type MergedTable, type MergedTables } from './merged-tables.ts';
import type { Row, ThreeRows } from './three-way.ts';

/** `merged`: the result, when it is proven. */
export type ChangedSide = 'ours' | 'theirs' | 'merged';

/** A row with a key that the other side changed. */
export interface KeyedChange extends ThreeRows {
  /** The table, as {@link MergedTables} names it. */
  readonly table: string;
  readonly key: readonly Value[];
}

/** By how many the number of equal rows changed. */
export interface WholeChange {
  readonly table: string;
  readonly row: readonly Value[];
  readonly ours: number;
  readonly theirs: number;
  /** Row id of one that was removed, in the base. */
  readonly hint: Value;
}

const ROWS_AT_A_TIME = 256;
const CREATE = `CREATE TABLE changes (side TEXT, "table" TEXT, key BLOB, before BLOB, after BLOB, count INTEGER, hint,
  PRIMARY KEY (side, "table", key)) WITHOUT ROWID`;
/** What both sides did, of which a side may have done nothing. */
const OURS = `LEFT JOIN changes o ON o.side = 'ours' AND o."table" = t."table" AND o.key = t.key`;

export class SideChanges {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.run(CREATE);
  }

  /** @param left tables whose rows are not merged */
  writer(side: ChangedSide, tables: MergedTables, left: readonly string[]): SideWriter {
    return new SideWriter(this.#connection, side, tables, left);
  }

  /** Changes of `theirs`, one after another. What is planned meanwhile may be written to the file. */
  *keyed(): Generator<KeyedChange> {
    for (const [table, key, before, after, isOurs, ours] of this.#paged(
      't.before, t.after, o.key IS NOT NULL, o.after',
      't.count IS NULL',
    )) {
      const base = rowOf(before!);
      const now = isOurs === 1 ? rowOf(ours!) : base;
      yield { table: String(table), key: rowOfBytes(key as Uint8Array), base, ours: now, theirs: rowOf(after!) };
    }
  }

  *whole(): Generator<WholeChange> {
    for (const [table, key, theirs, hint, ours] of this.#paged(
      't.count, t.hint, coalesce(o.count, 0)',
      't.count IS NOT NULL',
    ))
      yield {
        table: String(table),
        row: rowOfBytes(key as Uint8Array),
        ours: Number(ours),
        theirs: Number(theirs),
        hint: hint!,
      };
  }

  /** The three rows of a planned one; a row without a key counts as one that only `theirs` has. */
  rowsOf(table: string, key: readonly Value[]): ThreeRows {
    const row = this.#connection.one(
      `SELECT t.before, t.after, o.key IS NOT NULL, o.after, t.count FROM changes t ${OURS} WHERE t.side = 'theirs' AND t."table" = ? AND t.key = ?`,
      [table, rowBytes(key)],
    );
    if (row === null) return { base: null, ours: null, theirs: key };
    const [before, after, isOurs, ours, count] = row;
    if (count !== null) return { base: null, ours: null, theirs: key };
    const base = rowOf(before!);
    return { base, ours: isOurs === 1 ? rowOf(ours!) : base, theirs: rowOf(after!) };
  }

  /** Whether a side has added rows without a key to the table that the other has not. */
  hasAdded(side: 'ours' | 'theirs', table: string): boolean {
    const other = side === 'ours' ? 'theirs' : 'ours';
    return (
      this.#connection.one(
        `SELECT 1 FROM changes a LEFT JOIN changes b ON b.side = ? AND b."table" = a."table" AND b.key = a.key
         WHERE a.side = ? AND a."table" = ? AND a.count > max(0, coalesce(b.count, 0)) LIMIT 1`,
        [other, side, table],
      ) !== null
    );
  }

  /** Pages by key, because no statement may be half read while others run. */
  *#paged(columns: string, where: string): Generator<readonly Value[]> {
    let last: readonly Value[] = ['', new Uint8Array()];
    for (;;) {
      const rows = this.#connection.all(
        `SELECT t."table", t.key, ${columns} FROM changes t ${OURS} WHERE t.side = 'theirs' AND ${where} AND (t."table", t.key) > (?, ?) ORDER BY t."table", t.key LIMIT ${ROWS_AT_A_TIME}`,
        last,
      );
      yield* rows;
      if (rows.length < ROWS_AT_A_TIME) return;
      last = rows.at(-1)!.slice(0, 2);
    }
  }
}

const rowOf = (bytes: Value): Row => (bytes === null ? null : rowOfBytes(bytes as Uint8Array));

/** Notes the rows in which one side differs from the base. */
class SideWriter implements RowsWriter {
  readonly #connection: Connection;
  readonly #side: ChangedSide;
  readonly #tables: MergedTables;
  readonly #left: ReadonlySet<string>;
  #table: MergedTable | null = null;

  constructor(connection: Connection, side: ChangedSide, tables: MergedTables, left: readonly string[]) {
    this.#connection = connection;
    this.#side = side;
    this.#tables = tables;
    this.#left = new Set([COUNTERS, CONFLICTS, ...left].map(foldName));
  }

  more({ from, keys, isNullable }: ComparedTable): readonly string[] {
    return from?.key.kind === 'rowid' && (keys === 0 || isNullable) ? [quoteName(from.key.name)] : [];
  }

  begin(compared: ComparedTable): void {
    const isLeft = this.#left.has(foldName(compared.name));
    this.#table = isLeft ? null : this.#tables.add(compared);
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    const table = this.#table;
    if (table === null) return;
    const valuesOf = (row: BlockRow): Value[] => table.columns.map((_, column) => row.block.value(row.row, column));
    const [was, is] = [before && valuesOf(before), after && valuesOf(after)];
    const key = (was ?? is)!.slice(0, table.keys);
    if (table.keys > 0 && !key.includes(null)) return this.#keyed(keyedId(table.name), key, was, is);
    const hasHint = before !== null && before.block.cells.columnCount > table.columns.length;
    const hint = hasHint ? before.block.value(before.row, table.columns.length) : null;
    if (was) this.#whole(wholeId(table.name), was, -1, hint);
    if (is) this.#whole(wholeId(table.name), is, 1, null);
  }

  end(): void {
    this.#table = null;
  }

  #keyed(table: string, key: readonly Value[], before: Row, after: Row): void {
    this.#connection.run('INSERT INTO changes VALUES (?, ?, ?, ?, ?, NULL, NULL)', [
      this.#side,
      table,
      rowBytes(key),
      before && rowBytes(before),
      after && rowBytes(after),
    ]);
  }

  #whole(table: string, row: readonly Value[], by: number, hint: Value): void {
    this.#connection.run(
      `INSERT INTO changes VALUES (?1, ?2, ?3, NULL, NULL, ?4, ?5)
       ON CONFLICT DO UPDATE SET count = count + ?4, hint = coalesce(?5, hint)`,
      [this.#side, table, rowBytes(row), by, hint],
    );
  }
}
