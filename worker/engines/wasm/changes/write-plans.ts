// Facts needed about the tables a statement writes to before its first step, determined once for each set of tables.
import type { StatementFacts } from '../statements/statement-facts.ts';
import type { TableLayouts } from '../../table-layouts.ts';

export interface WritePlan {
  /** A table with AUTOINCREMENT, or `sqlite_sequence` itself, is written to. */
  readonly counts: boolean;
  /** Rows of at least one table cannot be logged. */
  readonly isBeyondRows: boolean;
  readonly writesVirtual: boolean;
  readonly writesVirtualOnly: boolean;
}

export class WritePlans {
  readonly #layouts: TableLayouts;
  readonly #plans = new Map<string, WritePlan>();

  constructor(layouts: TableLayouts) {
    this.#layouts = layouts;
  }

  /** Call after a schema change. */
  forget(): void {
    this.#layouts.forget();
    this.#plans.clear();
  }

  of({ writtenTables }: StatementFacts): WritePlan {
    const key = writtenTables.length === 1 ? writtenTables[0]! : writtenTables.join('\0');
    let plan = this.#plans.get(key);
    if (plan === undefined) this.#plans.set(key, (plan = this.#make(writtenTables)));
    return plan;
  }

  #make(writtenTables: readonly string[]): WritePlan {
    this.#layouts.learn(writtenTables);
    const virtual = writtenTables.filter((table) => this.#layouts.isVirtual(table)).length;
    const layouts = writtenTables.map((table) => this.#layouts.of(table));
    return {
      counts:
        writtenTables.includes('sqlite_sequence') || layouts.some((layout) => layout?.row?.isAutoincrement === true),
      isBeyondRows: layouts.some((layout) => layout !== null && layout.row === null),
      writesVirtual: virtual > 0,
      writesVirtualOnly: virtual > 0 && virtual === writtenTables.length,
    };
  }
}
