// Which tables, views, and columns rules leave visible. In doubt something is hidden: whatever could show a hidden value is hidden itself.
import { foldName } from '#shared/ddl/names.ts';
import type { GuardRules } from '#shared/protocol/guarded.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables, type ListedTable } from '../engines/table-list.ts';
import { namesIn } from '../sql/source-names.ts';

export interface VisibleTable {
  readonly name: string;
  readonly kind: ListedTable['kind'];
  /** At least one. */
  readonly columns: readonly string[];
  /** Folded names of the columns that are hidden. */
  readonly hidden: ReadonlySet<string>;
}

export interface VisibleSchema {
  /** By folded name. */
  readonly tables: ReadonlyMap<string, VisibleTable>;
  /** Folded names of all that is hidden. */
  readonly hiddenNames: ReadonlySet<string>;
}

/** Tables without a definition that read nothing but their arguments. */
export const HARMLESS_MODULES: ReadonlySet<string> = new Set(['json_each', 'json_tree']);
const SCHEMA_TABLES = ['sqlite_schema', 'sqlite_master', 'sqlite_temp_schema', 'sqlite_temp_master'];
/** A function that reads the tables of an R-Tree. */
const READING_FUNCTION = 'rtreecheck';
const ROW_IDS = ['rowid', '_rowid_', 'oid'];

/** Folded names of what exists without a definition, and shows a schema or pages; the tables of PRAGMAs are not among them. */
function modulesOf(connection: Connection): ReadonlySet<string> {
  const names = connection.all('SELECT name FROM temp.pragma_module_list').map(([name]) => foldName(name as string));
  return new Set([READING_FUNCTION, ...SCHEMA_TABLES, ...names.filter((name) => !HARMLESS_MODULES.has(name))]);
}

/** The first of the names by which SQL could read more than the tables that are visible; null if there is none. */
export function revealingName(connection: Connection, names: ReadonlySet<string>): string | null {
  const modules = modulesOf(connection);
  return [...names].find((name) => modules.has(name) || name.startsWith('pragma_')) ?? null;
}

interface Kept {
  readonly of: string;
  readonly schema: VisibleSchema;
}

const kept = new WeakMap<Connection, Kept>();

/**
 * Kept as long as rules and definitions are the same, because it takes several statements for each table. A connection that has rested may be
 * to another file with the same schema version, so definitions are compared.
 */
export function visibleSchema(connection: Connection, rules: GuardRules): VisibleSchema {
  const definitions = connection.all('SELECT type, name, tbl_name, sql FROM main.sqlite_schema');
  const of = JSON.stringify([rules, definitions]);
  const known = kept.get(connection);
  if (known?.of === of) return known.schema;
  const schema = readVisible(connection, rules);
  kept.set(connection, { of, schema });
  return schema;
}

function readVisible(connection: Connection, rules: GuardRules): VisibleSchema {
  const all = listTables(connection).filter(({ name }) => !SCHEMA_TABLES.includes(foldName(name)));
  const tables = new Map<string, VisibleTable>();
  const hiddenNames = new Set<string>();
  const hide = ({ name }: ListedTable): void => void hiddenNames.add(foldName(name));
  // A virtual table, and a table in which one keeps its data, can hold the values of another table.
  const virtual = all.filter(({ kind }) => kind === 'virtual').map(({ name }) => foldName(name));
  const isOfVirtual = (name: string): boolean =>
    virtual.some((owner) => name === owner || name.startsWith(`${owner}_`));
  const views: ListedTable[] = [];
  for (const table of all) {
    const name = foldName(table.name);
    const mayBeSeen = isListed(rules, table.name) && !name.startsWith('sqlite_') && !isOfVirtual(name);
    if (mayBeSeen && table.kind === 'view') views.push(table);
    else if (mayBeSeen && table.kind === 'table')
      addTable(tables, hiddenNames, columnsOf(connection, table, rules)) || hide(table);
    else hide(table);
  }
  addViews(connection, { rules, views, names: new Set(all.map((table) => foldName(table.name))), tables, hiddenNames });
  return { tables, hiddenNames };
}

function addTable(tables: Map<string, VisibleTable>, hiddenNames: Set<string>, table: VisibleTable): boolean {
  if (table.columns.length === 0) return false;
  tables.set(foldName(table.name), table);
  for (const column of table.hidden) hiddenNames.add(column);
  return true;
}

interface Views {
  readonly rules: GuardRules;
  readonly views: readonly ListedTable[];
  /** Folded names of all tables and views. */
  readonly names: ReadonlySet<string>;
  readonly tables: Map<string, VisibleTable>;
  readonly hiddenNames: Set<string>;
}

/** A view can name other views, so those that name only what is known come first. */
function addViews(connection: Connection, { rules, views, names, tables, hiddenNames }: Views): void {
  let waiting = views.map((view) => ({ view, words: wordsOf(connection, view) }));
  for (let before = -1; before !== waiting.length;) {
    before = waiting.length;
    waiting = waiting.filter(({ view, words }) => {
      const read = [...words].filter((word) => names.has(word) && word !== foldName(view.name));
      const isKnown = read.every((name) => tables.has(name));
      if (!isKnown || revealingName(connection, words) !== null) return true;
      if (read.some((name) => readsHidden(words, tables.get(name)!))) return true;
      return !addTable(tables, hiddenNames, columnsOf(connection, view, rules));
    });
  }
  for (const { view } of waiting) hiddenNames.add(foldName(view.name));
}

/** The names in its definition, and `*`. */
function wordsOf(connection: Connection, { name }: ListedTable): ReadonlySet<string> {
  const sql = String(
    connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?", [name])?.[0],
  );
  const words = namesIn(sql);
  return sql.includes('*') ? words.add('*') : words;
}

/** Never too seldom: a word may be a column of another table. */
function readsHidden(words: ReadonlySet<string>, { hidden }: VisibleTable): boolean {
  if (hidden.size === 0) return false;
  return ['*', 'natural', ...ROW_IDS, ...hidden].some((word) => words.has(word));
}

/** Without columns if it cannot be read. A generated column can show any other one of its table. */
function columnsOf(connection: Connection, { name, kind }: ListedTable, rules: GuardRules): VisibleTable {
  const rows = fieldsOf(connection, name);
  const isHidden = (column: string): boolean =>
    rules.hiddenColumns.some((glob) => matchesGlob(glob, glob.includes('.') ? `${name}.${column}` : column));
  const isPartial = rows.some(([column]) => isHidden(column as string));
  const isKept = ([column, state]: (typeof rows)[number]): boolean =>
    !isHidden(column as string) && !(isPartial && Number(state) > 1);
  const hidden = new Set(rows.filter((row) => !isKept(row)).map(([column]) => foldName(column as string)));
  return { name, kind, columns: rows.filter(isKept).map(([column]) => column as string), hidden };
}

function fieldsOf(connection: Connection, table: string): readonly (readonly unknown[])[] {
  try {
    return connection.all(
      "SELECT name, hidden FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden <> 1 ORDER BY cid",
      [table],
    );
  } catch {
    return [];
  }
}

const isListed = ({ tables }: GuardRules, name: string): boolean =>
  tables.length === 0 || tables.some((glob) => matchesGlob(glob, name));

/** In time proportional to the product of the lengths at worst. */
export function matchesGlob(glob: string, text: string): boolean {
  const [pattern, name] = [foldName(glob), foldName(text)];
  let [at, star, retry] = [0, -1, 0];
  for (let place = 0; place < name.length;) {
    if (pattern[at] === '*') [star, retry] = [at++, place];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[place]))
      [at, place] = [at + 1, place + 1];
    else if (star >= 0) [at, place] = [star + 1, ++retry];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
