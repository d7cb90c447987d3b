// Counts the rows of a transaction that a copy stands for: by table, and exact when a savepoint or a failed statement takes some back.
import type { LoggedTable, LoggedShape } from './row-log.ts';

/** Kinds of changes of a row, and the positions of their counts among those of its table. */
export const Counted = { inserted: 0, updated: 1, deleted: 2 } as const;
export type Counted = (typeof Counted)[keyof typeof Counted];

const COUNTS = 3;

export class RowCounts {
  readonly #tables: LoggedShape[] = [];
  readonly #numbers = new Map<string, number>();
  /** Three for each table. Copied before it changes once {@link mark} has given it away. */
  #counts: number[] = [];
  #isGivenAway = false;
  #isKnown = true;

  add(shape: LoggedShape, what: Counted): void {
    if (!this.#isKnown) return;
    const table = this.#numbers.get(shape.name) ?? this.#addTable(shape);
    if (this.#isGivenAway) {
      this.#counts = [...this.#counts];
      this.#isGivenAway = false;
    }
    const at = table * COUNTS + what;
    while (this.#counts.length <= at) this.#counts.push(0);
    this.#counts[at]!++;
  }

  /** Counts may be wrong from here on. */
  giveUp(): void {
    this.#isKnown = false;
  }

  /** A state to go back to. */
  mark(): readonly number[] {
    this.#isGivenAway = true;
    return this.#counts;
  }

  hasGrown(mark: readonly number[]): boolean {
    return this.#counts.some((count, at) => count > (mark[at] ?? 0));
  }

  goBack(mark: readonly number[]): void {
    this.#counts = [...mark];
    this.#isGivenAway = false;
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  /** Tables with rows, in the order of their first one; none after {@link giveUp}. */
  get tables(): readonly LoggedTable[] {
    if (!this.#isKnown) return [];
    const count = (table: number, what: Counted): number => this.#counts[table * COUNTS + what] ?? 0;
    return this.#tables
      .map((shape, table) => ({
        ...shape,
        inserted: count(table, Counted.inserted),
        updated: count(table, Counted.updated),
        deleted: count(table, Counted.deleted),
      }))
      .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
  }

  clear(): void {
    this.#isKnown = true;
    if (this.#tables.length === 0) return;
    this.#tables.length = 0;
    this.#numbers.clear();
    this.#counts = [];
    this.#isGivenAway = false;
  }

  #addTable(shape: LoggedShape): number {
    const table = this.#tables.push(shape) - 1;
    this.#numbers.set(shape.name, table);
    return table;
  }
}
