// Determines which tables a write can reach: its own and those that triggers and foreign key actions write to. It may list too many, never
// too few.
import type { Connection } from '../../engine.ts';
import { namesIn, type QualifiedName } from '../statements/statement-shape.ts';

export type TableKind = 'table' | 'virtual' | 'view';

interface Entry {
  readonly name: string;
  readonly kind: TableKind;
  /** `REPLACE` somewhere in its definition or in its triggers. */
  replaces: boolean;
  /** `FAIL` somewhere in its definition or in its triggers. */
  fails: boolean;
  /** Lower-case names of the tables that a write to this one can also write to. */
  readonly reaches: Set<string>;
  hasTriggers: boolean;
  /** Temporary triggers, which may fire before ours. */
  hasOwnTriggers: boolean;
}

/** Effects that a write to one table can have. */
export interface Reach {
  readonly tables: readonly string[];
  readonly virtuals: readonly string[];
  readonly replaces: boolean;
  readonly fails: boolean;
  readonly hasTriggers: boolean;
  readonly hasOwnTriggers: boolean;
  /** A table that nothing else follows from. */
  readonly isAlone: boolean;
}

const REPLACE = /\breplace\b/i;
const FAIL = /\bfail\b/i;

export class SchemaMap {
  readonly #entries = new Map<string, Entry>();
  readonly #temporary = new Set<string>();
  readonly #reaches = new Map<string, Reach>();

  /** @param isOurs recognizes the engine's own triggers by name */
  constructor(connection: Pick<Connection, 'all'>, isOurs: (trigger: string) => boolean) {
    this.#readTables(connection);
    this.#readForeignKeys(connection);
    this.#readTriggers(connection, isOurs);
  }

  /** The matching name in `main`, as spelled there; null for temporary, attached and SQLite's own tables. */
  resolve(target: QualifiedName): string | null {
    if (target.schema !== null && target.schema !== 'main') return null;
    const key = target.name.toLowerCase();
    if (target.schema === null && this.#temporary.has(key)) return null;
    return this.#entries.get(key)?.name ?? null;
  }

  /** Every table that is neither virtual nor temporary. */
  get tables(): readonly string[] {
    return Array.from(this.#entries.values(), (entry) => (entry.kind === 'table' ? entry.name : '')).filter(Boolean);
  }

  kindOf(name: string): TableKind | null {
    return this.#entries.get(name.toLowerCase())?.kind ?? null;
  }

  /** Reach of a table whose changes have no further effects. */
  only(name: string): Reach {
    const kind = this.kindOf(name);
    const of = (wanted: TableKind): string[] => (kind === wanted ? [name] : []);
    const none = {
      replaces: false,
      fails: false,
      hasTriggers: false,
      hasOwnTriggers: false,
      isAlone: kind === 'table',
    };
    return { tables: of('table'), virtuals: of('virtual'), ...none };
  }

  reachOf(name: string): Reach {
    let reach = this.#reaches.get(name);
    if (reach === undefined) this.#reaches.set(name, (reach = this.#findReach(name)));
    return reach;
  }

  #findReach(name: string): Reach {
    const met = new Set<Entry>();
    const open = [name.toLowerCase()];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      const entry = this.#entries.get(key);
      if (entry === undefined || met.has(entry)) continue;
      met.add(entry);
      open.push(...entry.reaches);
    }
    const all = [...met];
    const named = (kind: TableKind): string[] => all.filter((entry) => entry.kind === kind).map((entry) => entry.name);
    return {
      tables: named('table'),
      virtuals: named('virtual'),
      replaces: all.some((entry) => entry.replaces),
      fails: all.some((entry) => entry.fails),
      hasTriggers: all.some((entry) => entry.hasTriggers),
      hasOwnTriggers: all.some((entry) => entry.hasOwnTriggers),
      isAlone: all.every((entry) => entry.kind === 'table' && entry.reaches.size === 0 && !entry.hasTriggers),
    };
  }

  #readTables(connection: Pick<Connection, 'all'>): void {
    const rows = connection.all(
      "SELECT name, type, rootpage, sql FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    );
    for (const [name, type, rootPage, sql] of rows as readonly [string, string, number, string | null][]) {
      const kind = type === 'view' ? 'view' : rootPage === 0 ? 'virtual' : 'table';
      const may = (what: RegExp): boolean => kind === 'table' && what.test(sql ?? '');
      this.#entries.set(name.toLowerCase(), {
        name,
        kind,
        replaces: may(REPLACE),
        fails: may(FAIL),
        reaches: new Set(),
        hasTriggers: false,
        hasOwnTriggers: false,
      });
    }
    for (const [name] of connection.all("SELECT name FROM temp.sqlite_schema WHERE type IN ('table', 'view')")) {
      this.#temporary.add((name as string).toLowerCase());
    }
  }

  #readForeignKeys(connection: Pick<Connection, 'all'>): void {
    const rows = connection.all(
      `SELECT child.name, key."table" FROM main.sqlite_schema AS child, temp.pragma_foreign_key_list(child.name, 'main') AS key
       WHERE child.type = 'table' AND child.rootpage > 0`,
    );
    for (const [child, parent] of rows as readonly [string, string][]) {
      this.#entries.get(parent.toLowerCase())?.reaches.add(child.toLowerCase());
    }
  }

  #readTriggers(connection: Pick<Connection, 'all'>, isOurs: (trigger: string) => boolean): void {
    const triggers = connection.all(
      `SELECT name, tbl_name, sql, 0 FROM main.sqlite_schema WHERE type = 'trigger'
       UNION ALL SELECT name, tbl_name, sql, 1 FROM temp.sqlite_schema WHERE type = 'trigger'`,
    );
    for (const [name, table, sql, isOwn] of triggers as readonly [string, string, string | null, number][]) {
      const entry = this.#entries.get(table.toLowerCase());
      if (entry === undefined || isOurs(name)) continue;
      entry.hasTriggers = true;
      entry.hasOwnTriggers ||= isOwn === 1;
      entry.replaces ||= REPLACE.test(sql ?? '');
      entry.fails ||= FAIL.test(sql ?? '');
      for (const word of namesIn(sql ?? '')) if (this.#entries.has(word)) entry.reaches.add(word);
    }
  }
}
