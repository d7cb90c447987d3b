// Finds merged changes that leave a row with a broken reference. SQLite does not check after each row, because keys may be broken in
// between.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import type { Conflict, MergeStep } from './merge.ts';

export interface Violation {
  readonly table: string;
  /** Null in a WITHOUT ROWID table. */
  readonly rowid: number | bigint | null;
  readonly parent: string;
  /** Number of the foreign key in its table. */
  readonly key: number;
}

export class ForeignKeyCheck {
  readonly #connection: Connection;
  /** Tables whose rows may now refer to nothing. */
  readonly #children: readonly string[];
  /** Rows that were already broken are not a conflict of this change. */
  readonly #before: ReadonlySet<string>;

  constructor(connection: Connection, touched: readonly string[]) {
    this.#connection = connection;
    this.#children = childrenOf(connection, touched);
    this.#before = new Set(this.#violations().map(textOf));
  }

  /** Violations that were not there before. */
  broken(): readonly Violation[] {
    return this.#violations().filter((violation) => !this.#before.has(textOf(violation)));
  }

  conflicts(steps: readonly MergeStep[]): Conflict[] {
    const found = new Map<MergeStep, Conflict>();
    const culprits = new Culprits(steps);
    for (const violation of this.broken()) {
      const step = culprits.of(violation);
      if (!step) continue;
      const message = `A row of “${violation.table}” would refer to a row of “${violation.parent}” that does not exist.`;
      found.set(step, { step, reason: 'refused', message });
    }
    return [...found.values()];
  }

  #violations(): Violation[] {
    return this.#children.flatMap((table) =>
      this.#connection.all(`PRAGMA main.foreign_key_check(${quoteName(table)})`).map(([child, rowid, parent, key]) => ({
        table: String(child),
        rowid: rowid as number | bigint | null,
        parent: String(parent),
        key: Number(key),
      })),
    );
  }
}

/** Finds the change that broke a reference, in time that does not grow with the changes. */
class Culprits {
  /** The first change of each row, by table and by the first value of its key. */
  readonly #ofRow = new Map<string, Map<Value, MergeStep>>();
  /** The first change of each table that may have removed a row. */
  readonly #removals = new Map<string, MergeStep>();
  readonly #first = new Map<string, MergeStep>();

  constructor(steps: readonly MergeStep[]) {
    for (const step of steps) {
      const table = step.target.table.toLowerCase();
      const { kind, keyAfter } = step.change;
      if (!this.#first.has(table)) this.#first.set(table, step);
      if (kind !== 'insert' && !this.#removals.has(table)) this.#removals.set(table, step);
      const [key] = keyAfter ?? [];
      if (key === undefined) continue;
      let rows = this.#ofRow.get(table);
      if (!rows) this.#ofRow.set(table, (rows = new Map()));
      if (!rows.has(key)) rows.set(key, step);
    }
  }

  /** The row itself when it was changed, otherwise the row that was removed from the table it refers to. */
  of({ table, rowid, parent }: Violation): MergeStep | undefined {
    const [child, removed] = [table.toLowerCase(), parent.toLowerCase()];
    const own = rowid === null ? undefined : this.#ofRow.get(child)?.get(rowid);
    return own ?? this.#removals.get(removed) ?? this.#first.get(child);
  }
}

function childrenOf(connection: Connection, touched: readonly string[]): string[] {
  const names = new Set(touched.map((name) => name.toLowerCase()));
  const rows = connection.all(
    `SELECT t.name, f."table" FROM main.sqlite_schema t, temp.pragma_foreign_key_list(t.name) f WHERE t.type = 'table'`,
  ) as [string, string][];
  const children = rows.filter(([child, parent]) => names.has(child.toLowerCase()) || names.has(parent.toLowerCase()));
  return [...new Set(children.map(([child]) => child))];
}

function textOf({ table, rowid, parent }: Violation): string {
  return `${table}\n${rowid}\n${parent}`;
}
