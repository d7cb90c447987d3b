// TEMP triggers that tell each changed row to the change tracker. They live in this connection only; the file knows nothing of them.
import { randomBytes } from 'node:crypto';
import type { Connection } from '../engine.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TableLayout, TableLayouts } from '../wasm/table-layouts.ts';
import type { NativeValue } from './binding.ts';
import { MASK_BITS } from './change-tracker.ts';
import type { ChangeTracker } from './change-tracker.ts';
import type { Internals } from './internals.ts';
import { quoteName } from '../../sql/quote.ts';
import { toValue } from './row.ts';

const OPERATIONS = ['insert', 'update', 'delete'] as const;
type Operation = (typeof OPERATIONS)[number];

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

export class RowTriggers {
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #layouts: TableLayouts;
  /** Of this connection alone: no schema of a file can call it or clash with it. */
  readonly #prefix = `sidelite_${randomBytes(4).toString('hex')}`;
  /** By number, as triggers name their table. */
  readonly #tables: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** Tables that have theirs; null: to be looked up again. */
  #present: Set<string> | null = new Set();

  constructor(connection: Connection, internals: Internals, layouts: TableLayouts, tracker: ChangeTracker) {
    this.#connection = connection;
    this.#internals = internals;
    this.#layouts = layouts;
    this.#install(internals.db, tracker);
  }

  /** Whether a trigger is one of these. */
  isOurs(name: string): boolean {
    return name.startsWith(this.#prefix);
  }

  /** TEMP triggers may have come or gone: a rollback, a change of the schema. */
  forget(): void {
    this.#present = null;
  }

  /** Tables that cannot have them are answered: what happens to those is not seen. */
  ensure(tables: readonly string[]): readonly string[] {
    this.#present ??= this.#lookUp();
    const unseen: string[] = [];
    for (const table of tables) {
      if (this.#present.has(table)) continue;
      this.#layouts.learn([table]);
      const layout = this.#layouts.of(table);
      const key = layout && keyColumns(layout);
      if (layout === null || key === null) unseen.push(table);
      else this.#make(table, layout, key);
    }
    return unseen;
  }

  /** Before a definition changes that they name columns of. */
  drop(): void {
    for (const table of this.#present ?? this.#lookUp()) {
      for (const operation of OPERATIONS)
        this.#internals.run(`DROP TRIGGER IF EXISTS temp.${quoteName(this.#nameOf(table, operation))}`);
    }
    this.#present = new Set();
  }

  #make(table: string, layout: TableLayout, key: KeyColumns): void {
    const number = this.#numbers.get(table) ?? this.#tables.push(table) - 1;
    this.#numbers.set(table, number);
    const list = (row: 'old' | 'new'): string => key.names.map((name) => `${row}.${quoteName(name)}`).join(', ');
    // A REAL literal arrives as a number: no bigint for what is the same in every row.
    const call = (operation: Operation, values: string): string =>
      `CREATE TEMP TRIGGER ${quoteName(this.#nameOf(table, operation))} AFTER ${operation.toUpperCase()} ON main.${quoteName(table)}
       BEGIN SELECT ${this.#functionName(operation, key.kind)}(${number}.0, ${values}); END`;
    this.#internals.run(call('insert', list('new')));
    this.#internals.run(call('update', `${list('old')}, ${list('new')}, ${changedColumns(layout)}`));
    this.#internals.run(call('delete', list('old')));
    this.#present!.add(table);
  }

  #nameOf(table: string, operation: Operation): string {
    return `${this.#prefix}_${operation}_${table}`;
  }

  #functionName(operation: Operation, kind: KeyColumns['kind']): string {
    return `${this.#prefix}_${operation}_${kind === 'rowid' ? 'rowid' : 'key'}`;
  }

  #lookUp(): Set<string> {
    const start = this.#nameOf('', 'delete');
    const rows = this.#connection.all(
      "SELECT name FROM temp.sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ?) = ?",
      [start.length, start],
    );
    return new Set(rows.map(([name]) => (name as string).slice(start.length)));
  }

  #install(db: Internals['db'], tracker: ChangeTracker): void {
    const options = { directOnly: true, safeIntegers: true };
    const table = (number: number): string => this.#tables[number]!;
    db.function(this.#functionName('insert', 'rowid'), options, (number: number, rowid: bigint) => {
      tracker.inserted(table(number), rowid);
      return null;
    });
    db.function(this.#functionName('delete', 'rowid'), options, (number: number, rowid: bigint) => {
      tracker.deleted(table(number), rowid);
      return null;
    });
    const varargs = { ...options, varargs: true };
    db.function(
      this.#functionName('update', 'rowid'),
      varargs,
      (number: number, before: bigint, after: bigint, ...changed: number[]) => {
        tracker.updated(table(number), before, after, changed);
        return null;
      },
    );
    db.function(this.#functionName('insert', 'primary-key'), varargs, (number: number, ...key: NativeValue[]) => {
      tracker.insertedKey(table(number), key.map(toValue));
      return null;
    });
    db.function(this.#functionName('delete', 'primary-key'), varargs, (number: number, ...key: NativeValue[]) => {
      tracker.deletedKey(table(number), key.map(toValue));
      return null;
    });
    db.function(this.#functionName('update', 'primary-key'), varargs, (number: number, ...values: NativeValue[]) => {
      const length = this.#layouts.of(table(number))!.primaryKey!.length;
      const key = (from: number): readonly Value[] => values.slice(from, from + length).map(toValue);
      tracker.updatedKey(table(number), key(0), key(length), values.slice(2 * length) as number[]);
      return null;
    });
  }
}

interface KeyColumns {
  readonly kind: 'rowid' | 'primary-key';
  readonly names: readonly string[];
}

/** Null when columns stand in front of every name of the row id. */
function keyColumns(layout: TableLayout): KeyColumns | null {
  if (layout.primaryKey !== null) {
    return { kind: 'primary-key', names: layout.primaryKey.map((place) => layout.columns[place]!) };
  }
  const taken = new Set(layout.columns.map((name) => name.toLowerCase()));
  const free = ROWID_NAMES.find((name) => !taken.has(name));
  return free === undefined ? null : { kind: 'rowid', names: [free] };
}

/**
 * SQL for numbers with a bit for each column that gets another value: another storage class, or other content whatever the column's
 * collation says. Generated columns follow the others.
 */
function changedColumns(layout: TableLayout): string {
  const chunks: string[] = [];
  for (let first = 0; first < layout.columns.length; first += MASK_BITS) {
    const bits: string[] = [];
    for (let place = first; place < Math.min(first + MASK_BITS, layout.columns.length); place++) {
      if (layout.generated.includes(place)) continue;
      const name = quoteName(layout.columns[place]!);
      bits.push(
        `((old.${name} IS NOT new.${name} COLLATE BINARY OR typeof(old.${name}) <> typeof(new.${name})) << ${place - first})`,
      );
    }
    chunks.push(bits.length === 0 ? '0.0' : `(${bits.join(' | ')}) * 1.0`);
  }
  return chunks.join(', ');
}
