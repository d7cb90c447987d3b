// Finds what in a schema SQLite could prepare only with more time, memory, or stack than there is. SQLite has no limit of its own for that, and
// nothing stops it: it prepares a view again for each place that names it, and a generated column for each expression that reads it.
import { foldName } from '#shared/ddl/names.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import type { ColumnModel } from '#shared/ddl/table-model.ts';
import { sourcesOf } from '#shared/sql-sources.ts';
import type { Source } from '#shared/sql-sources.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

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
}

export const NOTHING_HEAVY: HeavySchema = { relations: new Map(), writes: null };

/** What is prepared takes time with the square of this number: at most 0.06 s for 500, 1 s for 2,000, and a minute for 16,000. */
const MOST_SOURCES = 2000;
/** Each level takes some of the stack, of which a worker of a browser has 500 KB; 600 levels need more. */
const MOST_VIEWS_DEEP = 100;
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

/** Takes time proportional to the texts. */
export function findHeavy(rows: readonly SchemaRow[]): HeavySchema {
  const relations = new Map<string, HeavyRelation>();
  const views = new Map<string, ReadonlyMap<string, Source>>();
  for (const [type, name, sql] of rows) {
    if (sql === null) continue;
    const key = foldName(name);
    if (type === 'view') views.set(key, sourcesOf(sql));
    const why = type === 'table' ? heavyTable(sql) : null;
    if (why !== null) relations.set(key, { isView: false, why });
  }
  const weights = weigh(views, (view, weightOf) => {
    let [size, depth] = [0, 0];
    for (const [name, source] of views.get(view)!) {
      const weight = relations.has(name) ? { size: Infinity, depth: 0 } : weightOf(name);
      size += source.times * weight.size;
      depth = Math.max(depth, weight.depth + source.depth + 1);
    }
    return { size, depth };
  });
  for (const [type, name] of rows) {
    const weight = type === 'view' ? weights.get(foldName(name)) : undefined;
    if (weight === undefined || (weight.size <= MOST_SOURCES && weight.depth <= MOST_VIEWS_DEEP)) continue;
    const how =
      weight.size === Infinity
        ? 'reads from something that cannot be used'
        : weight.size > MOST_SOURCES
          ? `reads from more than ${MOST_SOURCES.toLocaleString('en-US')} tables, counted through other views`
          : `is more than ${MOST_VIEWS_DEEP} views deep`;
    const why = `The view “${name}” cannot be used here: it ${how}, and preparing it would block SQLite.`;
    relations.set(foldName(name), { isView: true, why });
  }
  const heavyViews = new Map([...relations].filter(([, { isView }]) => isView));
  for (const [type, name, sql] of heavyViews.size === 0 ? [] : rows) {
    const read = type === 'table' && isVirtual(sql) ? valuesIn(sql!).find((value) => heavyViews.has(value)) : undefined;
    if (read === undefined) continue;
    const why = `The virtual table “${name}” cannot be used here. ${heavyViews.get(read)!.why}`;
    relations.set(foldName(name), { isView: true, why });
  }
  return { relations, writes: relations.size === 0 ? null : heavyTrigger(rows, relations) };
}

const isVirtual = (sql: string | null): boolean => /^create\s+virtual\b/i.test(sql ?? '');

/** Folded names and texts of a definition, and what is behind its equals signs, which needs no quotes. */
function valuesIn(sql: string): readonly string[] {
  const values = [...sql.matchAll(/=([^=,)]*)/g)].map(([, value]) => foldName(value!.trim()));
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end)
    if (scanner.kind === Token.word || scanner.kind === Token.quoted || scanner.kind === Token.text)
      values.push(foldName(scanner.name));
  return values;
}

function heavyTrigger(rows: readonly SchemaRow[], heavy: HeavySchema['relations']): string | null {
  for (const [type, name, sql] of rows) {
    const read = type === 'trigger' ? [...sourcesOf(sql ?? '').keys()].find((source) => heavy.has(source)) : undefined;
    if (read !== undefined)
      return `Rows of this database cannot be changed while it has the trigger “${name}”. ${heavy.get(read)!.why}`;
  }
  return null;
}

/** Why the table cannot be read: a virtual generated column is too much. Stored ones are read, not computed. */
export function heavyTable(sql: string): string | null {
  if (!/\bas\b/i.test(sql)) return null;
  const table = parseTable(sql);
  if (!table.understood) return null;
  const expressions = new Map(
    table.columns.flatMap((column) => {
      const expression = virtualExpression(column);
      return expression === null ? [] : [[foldName(column.name.name), expression] as const];
    }),
  );
  const weights = weigh(expressions, (name, weightOf) => weightOfExpression(expressions.get(name)!, weightOf));
  const heavy = table.columns.find(({ name }) => {
    const { size, depth } = weights.get(foldName(name.name)) ?? LIGHT;
    return size > MOST_TOKENS || depth > MOST_OPERATORS_DEEP;
  });
  if (heavy === undefined) return null;
  return `The table “${table.name.name}” cannot be read here: its generated column “${heavy.name.name}” is computed from so many others that preparing it would block SQLite.`;
}

function weightOfExpression(sql: string, weightOf: (name: string) => Weight): Weight {
  const scanner = new SqlScanner(sql);
  let [size, operators, below] = [0, COLUMN_DEPTH, 0];
  for (let kind = scanner.next(); kind !== Token.end; kind = scanner.next()) {
    const isName = kind === Token.word || kind === Token.quoted;
    const weight = isName ? weightOf(foldName(scanner.name)) : LIGHT;
    size += weight.size;
    below = Math.max(below, weight.depth);
    if (kind === Token.word ? isOperator(scanner.text) : kind === Token.other && !/[),.]/.test(scanner.text))
      operators++;
  }
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
function weigh(
  parts: ReadonlyMap<string, unknown>,
  weightIn: (name: string, weightOf: (name: string) => Weight) => Weight,
): ReadonlyMap<string, Weight> {
  const weights = new Map<string, Weight>();
  const begun = new Set<string>();
  for (const first of parts.keys()) {
    const work = [first];
    while (work.length > 0) {
      const name = work.at(-1)!;
      if (weights.has(name)) {
        work.pop();
        continue;
      }
      begun.add(name);
      const missing: string[] = [];
      const weight = weightIn(name, (other) => {
        const known = weights.get(other);
        if (known === undefined && parts.has(other) && !begun.has(other)) missing.push(other);
        return known ?? LIGHT;
      });
      if (missing.length > 0) work.push(...missing);
      else {
        weights.set(name, weight);
        work.pop();
      }
    }
  }
  return weights;
}
