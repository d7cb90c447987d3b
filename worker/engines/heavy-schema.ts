// Finds what in a schema SQLite could prepare only with more time, memory, or stack than there is. SQLite has no limit of its own for that, and
// nothing stops it: it prepares a view again for each place that names it, and a generated column for each expression that reads it.
import { foldName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { ColumnModel } from '#shared/ddl/table-model.ts';
import { sourcesOf } from '#shared/sql-sources.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { namesIn } from '../sql/source-names.ts';
import { readSelects, type SelectTree } from './select-tree.ts';
import { tableWeight, weighTree, type SelectWeight } from './select-weight.ts';

/** A row of `sqlite_schema`. */
export type SchemaRow = readonly [type: string, name: string, sql: string | null];

export interface HeavyRelation {
  /** SQLite prepares it to list its columns: a view, or a full-text table of one. */
  readonly isView: boolean;
  /** A sentence. */
  readonly why: string;
}

export interface HeavySchema {
  /** Views and tables by folded name. */
  readonly relations: ReadonlyMap<string, HeavyRelation>;
  /** Why no rows can be written: a trigger would have to be prepared. Null where they can. */
  readonly writes: string | null;
  /** What a view or table weighs. @param name folded */
  weightOf(name: string): SelectWeight;
  /** What one name in a statement may add at most: see {@link loadOf}. */
  readonly mostLoad: number;
}

/** What is prepared takes time with the square of this number: at most 0.06 s for 500, 1 s for 2,000, and a minute for 16,000. */
const MOST_SOURCES = 2000;
/** Each level takes some of the stack, of which a worker of a browser has 500 KB; 600 levels need more. */
const MOST_VIEWS_DEEP = 100;
/** Names and operators of a view, with each column that is read in place of its name: 30,000 take 0.15 s natively and 0.5 s in wasm, 90,000 take 0.5 and 1.9 s. */
const MOST_NODES = 60_000;
/** Many SELECTs of up to so many nodes, as UNION ALL joins them, take an eighth of the time for each node of a long one, or less. */
const SHORT_NODES = 3000;
const SHORT_SHARE = 1 / 8;
/** {@link SelectWeight.firstWork}: 20 views of 200 columns in each other are 3 million, and take 0.2 to 0.5 s natively. */
const MOST_WORK = 4_000_000;
/** All triggers of a database may be prepared at once, but seldom are. */
const MOST_IN_TRIGGERS = 4;
/** Tokens of the expressions that a column is made of, with each column that is read in place of its name. */
const MOST_TOKENS = 5000;
/** SQLite's own limit for one expression (sqlite.org/limits.html#max_expr_depth). */
const MOST_OPERATORS_DEEP = 1000;
/** What {@link MOST_OPERATORS_DEEP} counts for a column that is read in place of its name. */
const COLUMN_DEPTH = 3;

interface Weight {
  readonly size: number;
  readonly depth: number;
}

const LIGHT: Weight = { size: 1, depth: 0 };
const PLAIN = tableWeight(new Map(), 1);
export const NOTHING_HEAVY: HeavySchema = { relations: new Map(), writes: null, weightOf: () => PLAIN, mostLoad: 1 };
const UNUSABLE: SelectWeight = { ...PLAIN, named: Infinity };

const REMEDY =
  'What it reads from can be used, and a common table expression AS MATERIALIZED in between is prepared by itself.';

/** Takes time proportional to the texts. */
export function findHeavy(rows: readonly SchemaRow[]): HeavySchema {
  const relations = new Map<string, HeavyRelation>();
  const views = new Map<string, SelectTree | string>();
  const tables = new Map<string, SelectWeight>();
  for (const [type, name, sql] of rows) {
    if (sql === null) continue;
    const key = foldName(name);
    if (type === 'view') views.set(key, readSelects(sql) ?? sql);
    if (type !== 'table') continue;
    const table = weighTable(sql);
    if (table.why === null) tables.set(key, table.weight);
    else {
      relations.set(key, { isView: false, why: table.why });
      tables.set(key, UNUSABLE);
    }
  }
  const weights = weighViews(views, tables);
  for (const [type, name] of rows) {
    const weight = type === 'view' ? weights.get(foldName(name)) : undefined;
    const how = weight === undefined ? null : howHeavy(weight);
    if (how === null) continue;
    const why = `The view “${name}” cannot be used here: it ${how}, and preparing it would block SQLite. ${REMEDY}`;
    relations.set(foldName(name), { isView: true, why });
  }
  const heavyViews = new Map([...relations].filter(([, { isView }]) => isView));
  for (const [type, name, sql] of heavyViews.size === 0 ? [] : rows) {
    const read = type === 'table' && isVirtual(sql) ? valuesIn(sql!).find((value) => heavyViews.has(value)) : undefined;
    if (read === undefined) continue;
    const why = `The virtual table “${name}” cannot be used here. ${heavyViews.get(read)!.why}`;
    relations.set(foldName(name), { isView: true, why });
  }
  const weightOf = (name: string): SelectWeight => weights.get(name) ?? tables.get(name) ?? PLAIN;
  let mostLoad = 1;
  for (const weight of [...weights.values(), ...tables.values()])
    if (weight.named !== Infinity) mostLoad = Math.max(mostLoad, loadOf(weight));
  return { relations, writes: heavyTrigger(rows, relations, weightOf), weightOf, mostLoad };
}

/** What is heavy in either of two schemas. A name that both have counts as the heavier one. */
export function heavyInAny(one: HeavySchema, other: HeavySchema): HeavySchema {
  return {
    relations: new Map([...other.relations, ...one.relations]),
    writes: one.writes ?? other.writes,
    mostLoad: Math.max(one.mostLoad, other.mostLoad),
    weightOf(name) {
      const [first, second] = [one.weightOf(name), other.weightOf(name)];
      const isHeavier = first.named === Infinity || (second.named !== Infinity && loadOf(first) >= loadOf(second));
      return isHeavier ? first : second;
    },
  };
}

/** A bound of what one name can add, in nodes: with all columns, in all copies, and what comes near to the other limits. */
const loadOf = ({ whole, other, copies, named, levels }: SelectWeight): number =>
  (whole.nodes + other.nodes) * copies + ((named - 1) / MOST_SOURCES + levels / MOST_VIEWS_DEEP) * MOST_NODES;

/** A statement reads columns in the SELECT list, its conditions, and its order: so many times what a view may. */
const STATEMENT_SHARE = 4;
/** Few of its names are compared with all columns: wide tables are ordinary. */
const STATEMENT_WORK = 4;
const FEW_SELECTS = 3;

/**
 * Why SQLite cannot prepare a statement: a sentence, or null. Its own length does not count.
 * @param schema whatever of it is heavy by itself is refused already
 */
export function heavyStatement(sql: string, schema: Pick<HeavySchema, 'weightOf' | 'mostLoad'>): string | null {
  const mostNodes = MOST_NODES * STATEMENT_SHARE + sql.length;
  const isRepeated = (sql.match(/\bselect\b/gi)?.length ?? 0) > FEW_SELECTS;
  // A name has a character, and something that separates it from the next one.
  if (!isRepeated && (sql.length / 2) * schema.mostLoad <= mostNodes) return null;
  const tree = readSelects(sql);
  if (tree === null || tree.selects.length === 0) return null;
  const weight = weighTree(tree, schema.weightOf);
  const { whole, other, named, mostNamed, levels, firstWork } = weight;
  // SELECTs that UNION joins are prepared one after the other: each takes time with the square of its own sources.
  const share = Math.sqrt(mostNamed / Math.max(1, named));
  const isHeavy =
    nodesOf(weight) > mostNodes ||
    Math.max(named, whole.sources + other.sources) * share > MOST_SOURCES + sql.length / 4 ||
    levels > MOST_VIEWS_DEEP ||
    firstWork > MOST_WORK * STATEMENT_WORK;
  return isHeavy
    ? `This statement names columns of views or subqueries that are made of so many others, so often, that preparing it would block SQLite. ${REMEDY}`
    : null;
}

/** @param views their texts where they are not understood */
function weighViews(
  views: ReadonlyMap<string, SelectTree | string>,
  tables: ReadonlyMap<string, SelectWeight>,
): ReadonlyMap<string, SelectWeight> {
  const sourcesIn = (name: string): Iterable<string> => {
    const view = views.get(name)!;
    return typeof view === 'string' ? sourcesOf(view).keys() : view.sources;
  };
  return weigh(views.keys(), sourcesIn, PLAIN, (name, weightOf) => {
    const of = (source: string): SelectWeight => tables.get(source) ?? weightOf(source);
    const view = views.get(name)!;
    return typeof view === 'string' ? weighText(view, of) : weighTree(view, of);
  });
}

/** SQLite understands hardly any such text. If it does, each word may be the heaviest column. */
function weighText(sql: string, weightOf: (name: string) => SelectWeight): SelectWeight {
  if (/\bwith\b/i.test(sql)) return UNUSABLE;
  let [nodes, sources, all, deepest] = [1, 0, 0, 0];
  for (const [name, times] of sourcesOf(sql)) {
    const { whole, other, named, levels } = weightOf(name);
    nodes += (whole.nodes + other.nodes) * sql.length;
    sources += (whole.sources + other.sources) * times;
    all += named * times;
    deepest = Math.max(deepest, levels);
  }
  const least = { nodes, sources, depth: 0 };
  return { ...PLAIN, least, other: least, mostOther: nodes, named: all, levels: deepest + 1 };
}

function howHeavy(weight: SelectWeight): string | null {
  const { whole, other, named, levels, firstWork } = weight;
  const [nodes, sources] = [nodesOf(weight), Math.max(named, whole.sources + other.sources)];
  if (named === Infinity) return 'reads from something that cannot be used';
  if (sources > MOST_SOURCES)
    return `reads from more than ${counted(MOST_SOURCES)} tables, counted through other views`;
  if (levels > MOST_VIEWS_DEEP) return `is more than ${MOST_VIEWS_DEEP} views deep`;
  if (nodes > MOST_NODES)
    return `has more than ${counted(MOST_NODES)} names and operators, with those of the columns that it reads from other views`;
  if (Math.max(whole.depth, other.depth) > MOST_OPERATORS_DEEP)
    return `has more than ${counted(MOST_OPERATORS_DEEP)} operators in each other, with those of the columns that it reads from other views`;
  return firstWork > MOST_WORK ? 'has too many columns that are read through too many other views' : null;
}

const nodesOf = ({ whole, other, mostWhole, mostOther }: SelectWeight): number =>
  (whole.nodes + other.nodes) * (mostWhole + mostOther > SHORT_NODES ? 1 : SHORT_SHARE);

const counted = (number: number): string => number.toLocaleString('en-US');

const isVirtual = (sql: string | null): boolean => /^create\s+virtual\b/i.test(sql ?? '');

/** Folded names and texts of a definition, and what is behind its equals signs, which needs no quotes. */
function valuesIn(sql: string): readonly string[] {
  return [...Array.from(sql.matchAll(/=([^=,)]*)/g), ([, value]) => foldName(value!.trim())), ...namesIn(sql)];
}

/** SQLite prepares a trigger with each statement that may run it, or may run one that runs it. */
function heavyTrigger(
  rows: readonly SchemaRow[],
  heavy: HeavySchema['relations'],
  weightOf: (name: string) => SelectWeight,
): string | null {
  const texts = rows.flatMap(([type, name, sql]) => (type === 'trigger' && sql !== null ? [{ name, sql }] : []));
  const first = heavyTriggers(texts);
  if (first !== null)
    return `Rows of this database cannot be changed while it has the trigger “${first}”. With others, it is one of so many on one table, or that run each other, that preparing them would block SQLite.`;
  let share = 0;
  for (const [type, name, sql] of rows) {
    if (type !== 'trigger' || sql === null) continue;
    const refused = `Rows of this database cannot be changed while it has the trigger “${name}”.`;
    const read = heavy.size === 0 ? undefined : [...sourcesOf(sql).keys()].find((source) => heavy.has(source));
    if (read !== undefined) return `${refused} ${heavy.get(read)!.why}`;
    const tree = readSelects(sql);
    if (tree === null || tree.selects.length === 0) continue;
    const weight = weighTree(tree, weightOf);
    const how = howHeavy(weight);
    if (how !== null) return `${refused} It ${how}, and preparing it would block SQLite.`;
    share += shareOf(weight);
    if (share > MOST_IN_TRIGGERS)
      return `${refused} With the others, it reads from so many tables and columns that preparing them would block SQLite.`;
  }
  return null;
}

/** How near it comes to what would be refused. */
const shareOf = (weight: SelectWeight): number =>
  (weight.named / MOST_SOURCES) ** 2 + nodesOf(weight) / MOST_NODES + weight.firstWork / MOST_WORK;

/** SQLite compares each with all others: 4,000 take 0.1 s natively, and 60,000 take 24 s. */
const MOST_UNIQUES = 5000;

/** @param sql of CREATE TABLE */
export const hasManyUniques = (sql: string): boolean => (sql.match(/\bunique\b/gi)?.length ?? 0) > MOST_UNIQUES;

/** Why the table cannot be read: a virtual generated column is too much. Stored ones are read, not computed. */
export const heavyTable = (sql: string): string | null => weighTable(sql).why;

function weighTable(sql: string): { readonly why: string | null; readonly weight: SelectWeight } {
  const plain = { why: null, weight: tableWeight(new Map(), sql.split(',').length) };
  if (!/\bas\b/i.test(sql)) return plain;
  const table = parseTable(sql);
  if (!table.understood) return plain;
  const expressions = new Map(
    table.columns.flatMap((column) => {
      const expression = virtualExpression(column);
      return expression === null ? [] : [[foldName(column.name.name), expression] as const];
    }),
  );
  const namesOf = (name: string): readonly string[] => columnsIn(expressions.get(name)!);
  const weights = weigh(expressions.keys(), namesOf, LIGHT, (name, weightOf) =>
    weightOfExpression(expressions.get(name)!, weightOf),
  );
  const columns = new Map([...weights].map(([name, { size, depth }]) => [name, { nodes: size, sources: 0, depth }]));
  const weight = tableWeight(columns, table.columns.length);
  const heavy = table.columns.find(({ name }) => {
    const { size, depth } = weights.get(foldName(name.name)) ?? LIGHT;
    return size > MOST_TOKENS || depth > MOST_OPERATORS_DEEP;
  });
  if (heavy === undefined) return { why: null, weight };
  const why = `The table “${table.name.name}” cannot be read here: its generated column “${heavy.name.name}” is computed from so many others that preparing it would block SQLite.`;
  return { why, weight };
}

/** Calls `see` for each token; with the name of a column where it may be one. */
function eachToken(sql: string, see: (name: string | null, isOperator: boolean) => void): void {
  const scanner = new SqlScanner(sql);
  let cases = 0;
  for (let kind = scanner.next(); kind !== Token.end;) {
    const { text } = scanner;
    const word = kind === Token.word ? text.toUpperCase() : '';
    const isEnd = word === 'END' && cases > 0;
    if (word === 'CASE') cases++;
    if (isEnd) cases--;
    const isSign = kind === Token.other && !/[),.]/.test(text);
    const isName = kind === Token.quoted || (kind === Token.word && !isOperator(word) && !isEnd);
    const name = isName ? foldName(scanner.name) : null;
    kind = scanner.next();
    see(kind === Token.other && scanner.text === '(' ? null : name, isSign || isOperator(word));
  }
}

function columnsIn(sql: string): string[] {
  const names: string[] = [];
  eachToken(sql, (name) => name !== null && names.push(name));
  return names;
}

function weightOfExpression(sql: string, weightOf: (name: string) => Weight): Weight {
  let [size, operators, below] = [0, COLUMN_DEPTH, 0];
  eachToken(sql, (name, isOne) => {
    const weight = name === null ? LIGHT : weightOf(name);
    size += weight.size;
    below = Math.max(below, weight.depth);
    if (isOne) operators++;
  });
  return { size, depth: operators + below };
}

function virtualExpression({ constraints }: ColumnModel): string | null {
  const generated = constraints.find((constraint) => constraint.kind === 'generated');
  return generated?.storage !== 'virtual' ? null : generated.expression.sql;
}

const isOperator = (word: string): boolean =>
  /^(?:and|between|case|cast|collate|escape|exists|glob|in|is|isnull|like|match|not|notnull|or|regexp|select)$/i.test(
    word,
  );

/** Weighs each part after those that it is made of. One that is made of itself is refused by SQLite, and counts as light. */
function weigh<T>(
  parts: Iterable<string>,
  madeOf: (name: string) => Iterable<string>,
  light: T,
  weightIn: (name: string, weightOf: (name: string) => T) => T,
): ReadonlyMap<string, T> {
  const all = new Set(parts);
  const weights = new Map<string, T>();
  const begun = new Set<string>();
  for (const first of all) {
    const work = [first];
    while (work.length > 0) {
      const name = work.at(-1)!;
      if (!begun.has(name)) {
        begun.add(name);
        for (const other of madeOf(name)) if (all.has(other) && !begun.has(other)) work.push(other);
      } else {
        work.pop();
        if (!weights.has(name))
          weights.set(
            name,
            weightIn(name, (other) => weights.get(other) ?? light),
          );
      }
    }
  }
  return weights;
}

// How long SQLite prepares the triggers of a statement: it looks for each trigger of its table, and of each table that each of their statements
// writes to, in a list of all that the statement may run.

interface TriggerText {
  readonly name: string;
  readonly sql: string;
}

interface Trigger {
  readonly name: string;
  readonly table: string;
  /** Tables that it writes to, once for each statement. */
  readonly targets: readonly string[];
}

/** Triggers of tables that lead to each other. */
interface GroupSum {
  readonly first: string;
  triggers: number;
  /** Those that the statements of all of them run. */
  calls: number;
  /** Those that a statement of a person runs. */
  mostOfTable: number;
}

/** Takes 0.3 s natively, and two to four times as long in wasm. 200 triggers of 200 statements each that run one another are 800 million. */
const MOST_LOOKUPS = 80_000_000;
const WRITES = /\b(?:insert|replace|update|delete)\b/gi;
const BEFORE_TARGET: ReadonlySet<string> = new Set([
  'INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'OR', 'ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'INTO', 'FROM',
]); // prettier-ignore

/** The first of the triggers that together are too many to be prepared; null if there are none. */
function heavyTriggers(texts: readonly TriggerText[]): string | null {
  const statements = texts.reduce((sum, { sql }) => sum + (sql.match(WRITES)?.length ?? 0), 0);
  if (statements * texts.length ** 2 <= MOST_LOOKUPS) return null;
  const triggers = texts.map(readTrigger);
  const count = new Map<string, number>();
  for (const { table } of triggers) count.set(table, (count.get(table) ?? 0) + 1);
  const groups = new Groups();
  for (const { table, targets } of triggers)
    for (const target of new Set(targets)) if (count.has(target)) groups.join(table, target);
  const sums = new Map<string, GroupSum>();
  for (const { name, table, targets } of triggers) {
    const group = groups.of(table);
    const sum = sums.get(group) ?? { first: name, triggers: 0, calls: 0, mostOfTable: 0 };
    sum.triggers++;
    sum.mostOfTable = Math.max(sum.mostOfTable, count.get(table)!);
    for (const target of targets) sum.calls += count.get(target) ?? 0;
    sums.set(group, sum);
  }
  const isHeavy = ({ calls, mostOfTable, triggers }: GroupSum): boolean =>
    ((calls + mostOfTable) * triggers) / 2 > MOST_LOOKUPS;
  return [...sums.values()].find(isHeavy)?.first ?? null;
}

function readTrigger({ name, sql }: TriggerText): Trigger {
  const scanner = new SqlScanner(sql);
  const targets: string[] = [];
  let [table, isBody, isBeginning] = ['', false, false];
  for (let kind = scanner.next(); kind !== Token.end; kind = scanner.next()) {
    const word = kind === Token.word ? scanner.text.toUpperCase() : '';
    if (!isBody && word === 'ON' && table === '') {
      scanner.next();
      table = foldName(scanner.name);
    } else if (word === 'BEGIN') isBody = isBeginning = true;
    else if (kind === Token.semicolon) isBeginning = true;
    else if (isBody && isBeginning && !BEFORE_TARGET.has(word)) {
      isBeginning = false;
      if (word !== 'SELECT' && word !== 'END') targets.push(foldName(scanner.name));
    }
  }
  return { name, table, targets };
}

/** Tables that lead to each other. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(table: string): string {
    let root = table;
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next;
    if (root !== table) this.#parents.set(table, root);
    return root;
  }

  join(a: string, b: string): void {
    const [rootA, rootB] = [this.of(a), this.of(b)];
    if (rootA !== rootB) this.#parents.set(rootA, rootB);
  }
}
