// Refuses what SQLite could only prepare by blocking or breaking the engine (heavy-schema.ts), before SQLite sees it. The rest of such a
// database is used as any other.
import { foldName, quoteName } from '#shared/ddl/names.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { sourcesOf } from '#shared/sql-sources.ts';
import { namesIn } from '../sql/source-names.ts';
import { findHeavy, hasManyUniques, heavyInAny, heavyStatement, heavyTable, NOTHING_HEAVY } from './heavy-schema.ts';
import type { HeavySchema, SchemaRow } from './heavy-schema.ts';

/** Tables, too, unless none has generated columns, and nothing reads from them. */
const definitionsIn = (schema: string): string => `SELECT type, name, sql FROM ${schema}.sqlite_schema
  WHERE type = 'trigger' OR (type IN ('table', 'view') AND (sql LIKE '%as%' OR EXISTS (SELECT 1 FROM ${schema}.sqlite_schema WHERE type = 'view')))`;

/** What they define is neither a view, nor a trigger, nor a generated column. */
const PLAIN_OBJECTS: ReadonlySet<string> = new Set(['TABLE', 'INDEX', 'UNIQUE', 'VIRTUAL']);
const CHANGES: ReadonlySet<string> = new Set(['DROP', 'ALTER', 'ROLLBACK']);
const PASSED_OVER: ReadonlySet<string> = new Set(['EXPLAIN', 'QUERY', 'PLAN', 'TEMP', 'TEMPORARY']);
/** PRAGMAs that compute the columns of tables. */
const CHECKS = ['quick_check', 'integrity_check', 'optimize'];
/** Where no name adds more than this, an INSERT is not looked at. */
const LOAD_OF_WIDE_TABLE = 5000;
/** No names: they have spaces in front. */
const ALL_VIEWS = ' views';
const ALL_TABLES = ' tables';
const WRITES = /\b(?:insert|replace|update|delete)\b/i;
const UNPREPARED: ReadonlySet<string> = new Set([
  'DROP', 'BEGIN', 'COMMIT', 'END', 'ROLLBACK', 'SAVEPOINT', 'RELEASE',
]); // prettier-ignore

export class HeavyGuard {
  readonly #read: (sql: string) => readonly SchemaRow[];
  /** Null until it is needed, and again after the schema may have changed. */
  #heavy: HeavySchema | null = NOTHING_HEAVY;
  #isOn = false;
  /** `main`, and what is attached to it. */
  #schemas: readonly string[] = ['main'];
  /** All definitions that were prepared so far are plain, so that none of them changes what is heavy. */
  #isPlain = true;
  #isMoving = false;

  constructor(read: (sql: string) => readonly unknown[]) {
    this.#read = read as (sql: string) => readonly SchemaRow[];
  }

  /** Call once the file is known to be a database. */
  turnOn(): void {
    this.#isOn = true;
    this.#heavy = null;
  }

  /** The views of a file name only what is in it, so each schema is weighed by itself. */
  setSchemas(names: readonly string[]): void {
    this.#schemas = names;
    this.forget();
  }

  /** The schema may be any other now. */
  forget(): void {
    if (this.#isOn) this.#heavy = null;
  }

  /** A statement of this connection has changed the schema. */
  changed(): void {
    if (!this.#isPlain) this.forget();
  }

  get heavy(): HeavySchema {
    if (this.#heavy !== null) return this.#heavy;
    // Reading prepares statements, too.
    this.#heavy = NOTHING_HEAVY;
    try {
      const all = this.#schemas.map((name) => findHeavy(this.#read(definitionsIn(quoteName(name)))));
      this.#heavy = all.reduce(heavyInAny);
      return this.#heavy;
    } catch {
      // A schema that cannot be read now has nothing that can be prepared now, either.
      this.#heavy = null;
      return NOTHING_HEAVY;
    }
  }

  /** Whether a statement may be too heavy though it only inserts rows, so that {@link assertLight} has to see its text, which may be long. */
  get weighsInserts(): boolean {
    return this.#hasHeavyObjects || this.heavy.mostLoad >= LOAD_OF_WIDE_TABLE;
  }

  /** Also while that is not known. */
  get #hasHeavyObjects(): boolean {
    return this.#heavy === null || this.#heavy.relations.size > 0 || this.#heavy.writes !== null;
  }

  /** What `move` takes out of the schema table is plain, and it is put back as it was. */
  whileMoving(move: () => void): void {
    this.#isMoving = true;
    try {
      move();
    } finally {
      this.#isMoving = false;
      // What was read meanwhile may have been without these rows.
      this.forget();
    }
  }

  /** Call with each statement that may change the schema, or take a change back, before it runs. */
  note(sql: string): void {
    if (!this.#isPlain || this.#isMoving) return;
    const [first = '', second = ''] = beginning(sql);
    if (first === 'SELECT') return;
    const isPlain = first === 'CREATE' ? PLAIN_OBJECTS.has(second) && !hasAs(sql) : !CHANGES.has(first);
    this.#isPlain = isPlain && !/writable_schema|sqlite_(?:schema|master)/i.test(sql);
  }

  /** @param sql one statement @throws AppError `sql` if something that it names is too heavy, or all of it together */
  assertLight(sql: string): void {
    const [first = '', second = ''] = beginning(sql);
    const isTable = first === 'CREATE' && second === 'TABLE';
    // SQLite prepares a query of all columns, to see whether they can be computed.
    if (isTable && hasAs(sql)) assertLightTable(sql);
    // No trigger fires for rows of the schema table.
    if (this.#isMoving) return;
    if (isTable && hasManyUniques(sql)) throw tooManyUniques();
    if (UNPREPARED.has(first) || (first === 'CREATE' && isKept(second, sql))) return;
    if (this.#hasHeavyObjects) this.#assertLightObjects(first, second, sql);
    const why = /\bselect\b/i.test(sql) ? heavyStatement(sql, this.heavy) : null;
    if (why !== null) throw refused(why);
  }

  #assertLightObjects(first: string, second: string, sql: string): void {
    const { relations, writes } = this.heavy;
    if (relations.size === 0 && writes === null) return;
    if (writes !== null && WRITES.test(first === 'WITH' ? sql : first)) throw refused(writes);
    const names = this.#preparedBy(first, second, sql);
    for (const [name, { isView, why }] of relations) {
      if (names.has(name)) throw refused(why);
      if (names.has(isView ? ALL_VIEWS : ALL_TABLES)) throw refused(`${why} This statement would prepare all of them.`);
    }
  }

  /** Names of what SQLite prepares along with the statement. */
  #preparedBy(first: string, second: string, sql: string): ReadonlySet<string> {
    const { relations } = this.heavy;
    if (first === 'ALTER') return new Set([ALL_VIEWS, ...namesIn(sql)]);
    if (first === 'VACUUM' || first === 'REINDEX') return new Set([ALL_TABLES]);
    if (first !== 'PRAGMA' && first !== 'ANALYZE' && second !== 'INDEX' && second !== 'UNIQUE') {
      const names = new Set(sourcesOf(sql).keys());
      if (names.has('pragma_table_list')) names.add(ALL_VIEWS);
      if (CHECKS.some((check) => names.has(`pragma_${check}`))) names.add(ALL_TABLES);
      return names;
    }
    const names = namesIn(sql);
    if (names.has('table_list')) return new Set([ALL_VIEWS]);
    const isCheck = CHECKS.some((check) => names.has(check));
    // The columns of a table are listed without computing them.
    if (first === 'PRAGMA' && !isCheck)
      return new Set([...names].filter((name) => relations.get(name)?.isView === true));
    // Alone, or with the name of the schema.
    if (
      second !== 'INDEX' &&
      second !== 'UNIQUE' &&
      names.size <= (first === 'PRAGMA' ? 2 : 1) + (names.has('main') ? 1 : 0)
    )
      names.add(ALL_TABLES);
    return names;
  }

  /** The same for names of tables that are parameters of a read of the columns. @throws AppError `sql` */
  assertLightNames(sql: string, params: readonly unknown[]): void {
    if (params.length === 0 || !this.#hasHeavyObjects || !sql.includes('pragma_table_')) return;
    for (const param of params) {
      const found = typeof param === 'string' ? this.heavy.relations.get(foldName(param)) : undefined;
      if (found?.isView === true) throw refused(found.why);
    }
  }
}

const tooManyUniques = (): AppError =>
  AppError.sql(
    inParts(
      'The table has thousands of UNIQUE constraints, and comparing each with all others would block SQLite.',
      'It was not created.',
    ),
  );

function assertLightTable(sql: string): void {
  const why = heavyTable(sql);
  if (why !== null) throw AppError.sql(inParts(why, 'It was not created.'));
}

/** Whether SQLite only keeps the text of a definition: it does not look into views, and an index computes what it is made of. */
const isKept = (object: string, sql: string): boolean =>
  object === 'VIEW' || object === 'TRIGGER' || (object === 'TABLE' && !hasAs(sql));

/** So that a table can be made of a query, or have generated columns. */
const hasAs = (sql: string): boolean => /\bas\b/i.test(sql);

const refused = (why: string): AppError =>
  AppError.sql(inParts(why, 'Everything else in this database can be used.'), { detail: { blamed: true } });

/** The first two words that say what a statement, or the one that it explains, does, in capitals. */
export function beginning(sql: string): readonly string[] {
  const scanner = new SqlScanner(sql);
  const words: string[] = [];
  while (words.length < 2 && scanner.next() === Token.word) {
    const word = scanner.text.toUpperCase();
    if (!PASSED_OVER.has(word)) words.push(word);
  }
  return words;
}
