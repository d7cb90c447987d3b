// TEMP triggers that report each changed row to the change tracker, and its values to the recorder. They exist only in this connection, not
// in the file.
import { randomBytes } from 'node:crypto';
import { quoteName } from '../../../sql/quote.ts';
import type { Connection } from '../../engine.ts';
import type { RowLayout, TableLayout, TableLayouts } from '../../table-layouts.ts';
import type { NativeValue } from '../statements/binding.ts';
import { MASK_BITS, type ChangeTracker } from './change-tracker.ts';
import { Counted } from '../../row-log/row-counts.ts';
import type { Internals } from '../runtime/internals.ts';
import type { Pulse } from '../runtime/pulse.ts';
import { toValue } from '../statements/row.ts';
import type { RowRecorder } from './row-recorder.ts';

const OPERATIONS = ['insert', 'update', 'delete'] as const;
type Operation = (typeof OPERATIONS)[number];

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];
/** SQLITE_MAX_FUNCTION_ARG of this build. */
const MAX_ARGUMENTS = 1000;

/** A table with triggers, and the number that identifies it in them. */
interface Told {
  readonly name: string;
  readonly layout: TableLayout;
  readonly row: RowLayout;
  readonly keyLength: number;
  readonly maskLength: number;
  /** A row whose key changes may refer to itself: the foreign key action on it is reported first, by a key the row does not have yet. */
  readonly followsItself: boolean;
}

interface Parts {
  readonly connection: Connection;
  readonly internals: Internals;
  readonly layouts: TableLayouts;
  readonly tracker: ChangeTracker;
  readonly recorder: RowRecorder;
  readonly pulse: Pulse;
}

/** Values that triggers pass besides the keys: all, none, or none of inserted rows. */
export type ToldValues = 'all' | 'old' | 'none';

export class RowTriggers {
  readonly #pulse: Pulse;
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #layouts: TableLayouts;
  readonly #tracker: ChangeTracker;
  readonly #recorder: RowRecorder;
  /** Private to this connection: the schema of a file cannot call it or collide with it. */
  readonly #prefix = `sidelite_${randomBytes(4).toString('hex')}`;
  readonly #told: Told[] = [];
  readonly #numbers = new Map<string, number>();
  /** Tables with triggers; null when they have to be looked up again. */
  #present: Set<string> | null = new Set();
  /** Null: not known. */
  #values: ToldValues | null = 'none';
  /** A rollback would restore triggers that pass other values. */
  #hasSwitched = false;

  constructor({ connection, internals, layouts, tracker, recorder, pulse }: Parts) {
    this.#pulse = pulse;
    this.#connection = connection;
    this.#internals = internals;
    this.#layouts = layouts;
    this.#tracker = tracker;
    this.#recorder = recorder;
    this.#install();
  }

  /** Whether a trigger is one of these. */
  isOurs(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** TEMP triggers may have come or gone: a rollback, a change of the schema. */
  forget(): void {
    this.#present = null;
    if (this.#hasSwitched) this.#values = null;
    this.#hasSwitched = false;
  }

  /** Returns the tables that cannot have triggers, whose changes are not seen. */
  ensure(tables: readonly string[], values: ToldValues): readonly string[] {
    if (values !== this.#values) {
      this.drop();
      this.#hasSwitched = true;
    }
    this.#values = values;
    this.#present ??= this.#lookUp();
    // Also for tables with triggers, because their facts may have been forgotten.
    this.#layouts.learn(tables);
    const unseen: string[] = [];
    for (const name of tables) {
      if (this.#present.has(name)) continue;
      const layout = this.#layouts.of(name);
      // SQLite crashes with a trigger on the tables in which FTS5 keeps its index.
      if (layout === null || layout.isInternal || layout.row === null) unseen.push(name);
      else if (!this.#make(name, layout, layout.row)) unseen.push(name);
    }
    return unseen;
  }

  /** Call before changing a definition whose columns the triggers name. */
  drop(): void {
    for (const table of this.#present ?? this.#lookUp()) {
      for (const operation of OPERATIONS) {
        this.#internals.run(`DROP TRIGGER IF EXISTS temp.${quoteName(this.#nameOf(table, operation))}`);
      }
    }
    this.#present = new Set();
  }

  /** False when it has too many columns. */
  #make(name: string, layout: TableLayout, row: RowLayout): boolean {
    const key = keyNames(layout);
    const values = this.#values !== 'none' ? row.valueColumns.map((column) => layout.columns[column]!) : [];
    const maskLength = Math.ceil(layout.columns.length / MASK_BITS);
    if (1 + 2 * key.length + maskLength + 2 * values.length > MAX_ARGUMENTS) return false;
    const number = this.#numbers.get(name) ?? this.#told.length;
    this.#numbers.set(name, number);
    this.#told[number] = {
      name,
      layout,
      row,
      keyLength: key.length,
      maskLength,
      followsItself: this.#followsItself(name),
    };
    const old = { key: listOf('old', key), values: listOf('old', values) };
    const now = { key: listOf('new', key), values: listOf('new', values) };
    this.#create('insert', name, number, this.#values === 'old' ? [now.key] : [now.key, now.values]);
    this.#create('delete', name, number, [old.key, old.values]);
    const mask = changedColumns(layout, this.#withoutAffinity(name));
    this.#create('update', name, number, [old.key, now.key, mask, old.values, now.values]);
    this.#present!.add(name);
    return true;
  }

  #create(operation: Operation, table: string, number: number, lists: readonly string[]): void {
    // A REAL literal arrives as a number, which avoids a bigint for a value that is the same in every row.
    const values = [`${number}.0`, ...lists.filter((list) => list !== '')].join(', ');
    this.#internals.run(
      `CREATE TEMP TRIGGER ${quoteName(this.#nameOf(table, operation))} AFTER ${operation.toUpperCase()} ON main.${quoteName(table)}
       BEGIN SELECT ${this.#prefix}_${operation}(${values}); END`,
    );
  }

  #followsItself(table: string): boolean {
    const sql = `SELECT 1 FROM temp.pragma_foreign_key_list(?1, 'main') WHERE "table" = ?1 COLLATE NOCASE AND on_update NOT IN ('NO ACTION', 'RESTRICT')`;
    return this.#connection.one(sql, [table]) !== null;
  }

  /** Columns of all other affinities store equal numbers in the same way (sqlite.org/datatype3.html#affinity). */
  #withoutAffinity(table: string): ReadonlySet<string> {
    const rows = this.#connection.all("SELECT name, upper(type) FROM temp.pragma_table_xinfo(?, 'main')", [table]);
    const isLoose = (type: string): boolean =>
      type === '' || type === 'ANY' || (type.includes('BLOB') && !/INT|CHAR|CLOB|TEXT/.test(type));
    return new Set(rows.filter(([, type]) => isLoose(type as string)).map(([name]) => name as string));
  }

  #nameOf(table: string, operation: Operation): string {
    return `${this.#prefix}_${operation}_${table}`;
  }

  #lookUp(): Set<string> {
    const start = this.#nameOf('', 'delete');
    const rows = this.#connection.all(
      "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      [start.length, start],
    );
    return new Set(rows.map(([name]) => (name as string).slice(start.length)));
  }

  #install(): void {
    const install = (operation: Operation, tell: (told: Told, values: readonly NativeValue[]) => void): void => {
      this.#internals.db.function(
        `${this.#prefix}_${operation}`,
        { directOnly: true, safeIntegers: true, varargs: true },
        (number: number, ...values: NativeValue[]) => {
          tell(this.#told[number]!, values);
          // An exception here ends the statement, and SQLite rolls it back.
          this.#pulse.beat();
          return null;
        },
      );
    };
    install('insert', (told, values) => this.#inserted(told, values));
    install('delete', (told, values) => this.#deleted(told, values));
    install('update', (told, values) => this.#updated(told, values));
  }

  #inserted({ name, layout, row, keyLength }: Told, values: readonly NativeValue[]): void {
    if (layout.primaryKey === null) this.#tracker.inserted(name, values[0] as bigint);
    else this.#tracker.insertedKey(name, values.slice(0, keyLength).map(toValue));
    if (this.#recorder.isCovered) this.#recorder.count(row.shape, Counted.inserted);
    else if (this.#values !== 'none') this.#recorder.insert(row, values.slice(0, keyLength), values.slice(keyLength));
  }

  #deleted({ name, layout, row, keyLength }: Told, values: readonly NativeValue[]): void {
    if (layout.primaryKey === null) this.#tracker.deleted(name, values[0] as bigint);
    else this.#tracker.deletedKey(name, values.slice(0, keyLength).map(toValue));
    if (this.#recorder.isCovered) this.#recorder.count(row.shape, Counted.deleted);
    else if (this.#values !== 'none') this.#recorder.delete(row, values.slice(0, keyLength), values.slice(keyLength));
  }

  #updated(told: Told, values: readonly NativeValue[]): void {
    const { name, layout, row, keyLength, maskLength } = told;
    const mask = values.slice(2 * keyLength, 2 * keyLength + maskLength) as number[];
    if (layout.primaryKey === null) this.#tracker.updated(name, values[0] as bigint, values[1] as bigint, mask);
    else {
      const key = (from: number): readonly NativeValue[] => values.slice(from, from + keyLength);
      this.#tracker.updatedKey(name, key(0).map(toValue), key(keyLength).map(toValue), mask);
    }
    if (this.#recorder.isCovered) {
      // An unchanged primary key of a table without row ids is in no bit of the mask either.
      const moved = layout.primaryKey === null && values[0] !== values[1];
      if (moved || mask.some((bits) => bits > 0)) this.#recorder.count(row.shape, Counted.updated);
    } else if (this.#values !== 'none') this.#record(told, values, mask);
  }

  #record(
    { layout, row, keyLength, maskLength, followsItself }: Told,
    values: readonly NativeValue[],
    mask: readonly number[],
  ): void {
    const before = values.slice(0, keyLength);
    const after = values.slice(keyLength, 2 * keyLength);
    const isChanged = (column: number): boolean =>
      Math.floor(mask[Math.floor(column / MASK_BITS)]! / 2 ** (column % MASK_BITS)) % 2 === 1;
    const moved = layout.primaryKey === null ? before[0] !== after[0] : layout.primaryKey.some(isChanged);
    const [old, now] = [2 * keyLength + maskLength, 2 * keyLength + maskLength + row.valueColumns.length];
    const changes = row.valueColumns.flatMap((column, index) =>
      isChanged(column) ? [[row.logIndexes[column]!, values[old + index]!, values[now + index]!] as const] : [],
    );
    if (moved && followsItself) this.#recorder.cannotTell();
    else if (moved || changes.length > 0) {
      // A table with a declared key has no row id column, so the indexes are those of its values.
      const unchangedKey = (): readonly NativeValue[] =>
        row.declaredKey.filter((place) => !isChanged(row.columns[place]!)).map((place) => values[now + place]!);
      this.#recorder.update(row, { before, after, moved }, changes, unchangedKey);
    }
  }
}

function keyNames(layout: TableLayout): readonly string[] {
  if (layout.primaryKey !== null) return layout.primaryKey.map((index) => layout.columns[index]!);
  const taken = new Set(layout.columns.map((name) => name.toLowerCase()));
  const key = layout.row!.shape.key;
  return [ROWID_NAMES.find((name) => !taken.has(name)) ?? (key.kind === 'rowid' ? key.name : 'rowid')];
}

function listOf(row: 'old' | 'new', names: readonly string[]): string {
  return names.map((name) => `${row}.${quoteName(name)}`).join(', ');
}

/**
 * SQL for numbers with one bit for each column that changes, regardless of the column's collation. Generated columns follow from the
 * others.
 * @param loose columns that keep 1 and 1.0 apart: their storage classes are compared too, which doubles the time
 */
function changedColumns(layout: TableLayout, loose: ReadonlySet<string>): string {
  const chunks: string[] = [];
  for (let first = 0; first < layout.columns.length; first += MASK_BITS) {
    const bits: string[] = [];
    for (let index = first; index < Math.min(first + MASK_BITS, layout.columns.length); index++) {
      if (layout.generated.includes(index)) continue;
      const column = layout.columns[index]!;
      const name = quoteName(column);
      const classes = loose.has(column) ? ` OR typeof(old.${name}) <> typeof(new.${name})` : '';
      bits.push(`((old.${name} IS NOT new.${name} COLLATE BINARY${classes}) << ${index - first})`);
    }
    chunks.push(bits.length === 0 ? '0.0' : `(${bits.join(' | ')}) * 1.0`);
  }
  return chunks.join(', ');
}
