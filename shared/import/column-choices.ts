// Decides what becomes of each column of a file: pure rules that make the first choice, keep it valid, and turn it into the columns of a
// plan.
import type { Column, ColumnFacts, ImportColumn } from '../protocol/index.ts';
import { trimmed } from '../trimmed.ts';
import type { TargetChoice } from './target-choice.ts';
import { freeName } from '../free-name.ts';

/** One column of the file, or one that was added and gets its values from an expression or its default alone. */
export interface ColumnChoice {
  /** Name in the file; for an added one, its first name. */
  readonly source: string;
  /** It is not in the file. Added ones come after those of the file. */
  readonly isAdded?: boolean | undefined;
  /** An existing table does not have it yet: the import adds it. */
  readonly isNew?: boolean | undefined;
  /** Position among the columns of a new table, if it differs from the position in the file. */
  readonly place?: number | undefined;
  /** Name in the table; null: it is not imported. */
  readonly name: string | null;
  /** Type in a new table. */
  readonly type: string;
  /** Chosen by the user: what the file holds no longer changes it. */
  readonly isTypeChosen: boolean;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  /** SQL; '' for none. */
  readonly defaultSql: string;
  /** SQL with `value` for the field; '' for the field itself. */
  readonly expression: string;
}

export const TYPES = ['INTEGER', 'REAL', 'NUMERIC', 'TEXT', 'BLOB'] as const;
/** sqlite.org/stricttables.html: the only types that a STRICT table may name. */
export const STRICT_TYPES = ['INTEGER', 'REAL', 'TEXT', 'BLOB', 'ANY'] as const;

/** Until the whole file has been read nothing is known of its types, and TEXT changes nothing. */
const UNKNOWN_TYPE = 'TEXT';

export const plainChoice = (source: string, name: string | null): ColumnChoice => ({
  source,
  name,
  type: UNKNOWN_TYPE,
  isTypeChosen: false,
  notNull: false,
  primaryKey: false,
  defaultSql: '',
  expression: '',
});

/** Every column under its own name. */
export const choicesForNewTable = (sources: readonly string[]): readonly ColumnChoice[] =>
  sources.map((source) => plainChoice(source, source));

/** Case, spaces and underscores tell no columns apart: “Order ID” is `order_id`. */
export const normal = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** Columns that SQLite computes cannot be written (sqlite.org/gencol.html). */
export const writableColumns = (columns: readonly Column[]): readonly Column[] =>
  columns.filter(({ generated }) => generated === 'no');

/** Names of these columns. */
export const writable = (columns: readonly Column[]): readonly string[] =>
  writableColumns(columns).map(({ name }) => name);

/** First those of the same name to the letter, then those that only differ in case, spaces and underscores. */
export function choicesByName(sources: readonly string[], names: readonly string[]): readonly ColumnChoice[] {
  const taken = new Map<number, string>();
  const free = new Set(names);
  for (const isSame of [(a: string, b: string) => a === b, (a: string, b: string) => normal(a) === normal(b)]) {
    sources.forEach((source, at) => {
      if (taken.has(at)) return;
      const name = [...free].find((candidate) => isSame(candidate, source));
      if (name === undefined) return;
      taken.set(at, name);
      free.delete(name);
    });
  }
  return sources.map((source, at) => plainChoice(source, taken.get(at) ?? null));
}

/** The first to the first, as far as there are columns on both sides. */
export const choicesByOrder = (sources: readonly string[], names: readonly string[]): readonly ColumnChoice[] =>
  sources.map((source, at) => plainChoice(source, names[at] ?? null));

/** The user mapped a column by hand. The source column that had the table's column before gets this one's former column. */
export function mapped(choices: readonly ColumnChoice[], at: number, name: string | null): readonly ColumnChoice[] {
  const { isNew, name: former = null } = choices[at] ?? {};
  if (isNew) return mapped(replaced(choices, at, { name: null, isNew: undefined }), at, name);
  return choices.map((choice, index) => {
    if (index === at) return { ...choice, name };
    return name !== null && choice.name === name ? { ...choice, name: former } : choice;
  });
}

/** With another value for parts of one choice. */
export const replaced = (
  choices: readonly ColumnChoice[],
  at: number,
  change: Partial<ColumnChoice>,
): readonly ColumnChoice[] => choices.map((choice, index) => (index === at ? { ...choice, ...change } : choice));

/**
 * The user named a column, or left it out.
 * @param names of the columns of an existing table; null: the table is new
 */
export function named(
  choices: readonly ColumnChoice[],
  at: number,
  name: string | null,
  names: readonly string[] | null,
): readonly ColumnChoice[] {
  if (name === null && choices[at]?.isAdded) return choices.filter((_, index) => index !== at);
  if (names === null) return replaced(choices, at, { name });
  const existing = name === null ? undefined : names.find((one) => lowerCase(one) === lowerCase(name));
  if (choices[at]?.isNew && name !== null && existing === undefined) return replaced(choices, at, { name });
  return mapped(choices, at, existing ?? name);
}

/** SQLite tells names apart without regard to ASCII case. */
export const lowerCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The contents of the whole file decide the types of new columns that the user has not chosen. */
export function withFacts(
  choices: readonly ColumnChoice[],
  facts: readonly ColumnFacts[],
  { kind, isStrict }: { readonly kind: TargetChoice['kind']; readonly isStrict: boolean },
): readonly ColumnChoice[] {
  return choices.map((choice, at) => {
    if (kind === 'table' && !choice.isNew) return choice;
    const suggested = facts[at]?.suggested ?? choice.type;
    return inTable(choice.isTypeChosen ? choice : { ...choice, type: suggested }, isStrict);
  });
}

export const inTable = (choice: ColumnChoice, isStrict: boolean): ColumnChoice => ({
  ...choice,
  type: typeInTable(choice.type, isStrict),
});

/** A STRICT table has no NUMERIC and others no ANY; either takes what the other would. */
export function typeInTable(type: string, isStrict: boolean): string {
  if (isStrict && type === 'NUMERIC') return 'ANY';
  return !isStrict && type === 'ANY' ? 'NUMERIC' : type;
}

/** Names that several columns have, or that are empty. */
export function nameProblems(choices: readonly ColumnChoice[]): ReadonlyMap<number, string> {
  const first = new Map<string, number>();
  const problems = new Map<number, string>();
  choices.forEach(({ name }, at) => {
    if (name === null) return;
    if (name.trim() === '') return void problems.set(at, 'Enter a name for this column.');
    const key = lowerCase(name);
    if (first.has(key)) problems.set(at, `Another column is also called “${name}”. Enter a different name.`);
    else first.set(key, at);
  });
  return problems;
}

interface ImportedColumn {
  readonly choice: ColumnChoice;
  /** Index among all choices. */
  readonly at: number;
}

/** Imported choices, in the order they were moved into, or else that of the file. */
export const importedOf = (choices: readonly ColumnChoice[]): readonly ImportedColumn[] =>
  choices
    .flatMap((choice, at) => (choice.name === null ? [] : [{ choice, at }]))
    .sort((a, b) => (a.choice.place ?? a.at) - (b.choice.place ?? b.at) || a.at - b.at);

/** Adds a column that the file does not have, at the end. */
export const withAdded = (choices: readonly ColumnChoice[], name: string): readonly ColumnChoice[] => [
  ...choices,
  { ...plainChoice(name, name), isAdded: true, isTypeChosen: true, place: lastPosition(choices) + 1 },
];

/** “column”, or “column_2” where there is one already. */
export const newColumnName = (taken: readonly string[]): string => freeColumnName('column', taken);

/** The name, or with a number after it where it is taken. */
export function freeColumnName(base: string, taken: readonly string[]): string {
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  return freeName(base, (name) => lower.has(name.toLowerCase()), '_');
}

const lastPosition = (choices: readonly ColumnChoice[]): number =>
  choices.reduce((last, { place }, at) => Math.max(last, place ?? at), -1);

/** Moves a column by up to this many places among the imported ones, stopping at the first or last. */
export function movedBy(choices: readonly ColumnChoice[], at: number, by: number): readonly ColumnChoice[] {
  const order = importedOf(choices).map((column) => column.at);
  const from = order.indexOf(at);
  if (from < 0) return choices;
  order.splice(Math.max(0, Math.min(order.length - 1, from + by)), 0, ...order.splice(from, 1));
  // A column that is left out stays after the one that preceded it.
  return choices.map((choice, index) => ({ ...choice, place: order.includes(index) ? order.indexOf(index) : index }));
}

/** Choices that were recreated for the columns of the file, with those that were added before, as far as their names are free. */
export const keepingAdded = (
  fresh: readonly ColumnChoice[],
  before: readonly ColumnChoice[],
  names: readonly string[] | null,
): readonly ColumnChoice[] => [
  ...fresh,
  ...before.filter(
    ({ isAdded, name }) =>
      isAdded && (names === null || (names.includes(name ?? '') && !fresh.some((choice) => choice.name === name))),
  ),
];

/** @param typesAreOpen nobody knows yet what the whole file holds */
export const planColumns = (
  choices: readonly ColumnChoice[],
  kind: TargetChoice['kind'],
  typesAreOpen = false,
): readonly ImportColumn[] =>
  importedOf(choices).map(({ choice, at }) => ({
    name: choice.name!,
    from: choice.isAdded ? null : at,
    type: choice.type,
    notNull: choice.notNull,
    primaryKey: choice.primaryKey,
    defaultSql: choice.defaultSql,
    expression: choice.expression,
    ...(choice.isNew && kind === 'table' && { isNew: true }),
    ...(typesAreOpen && (kind === 'new-table' || choice.isNew) && !choice.isTypeChosen && { isTypeOpen: true }),
  }));

/** Columns of the table that get no value from the file. */
export function unfilled(choices: readonly ColumnChoice[], names: readonly string[]): readonly string[] {
  const filled = new Set(choices.map(({ name }) => name));
  return names.filter((name) => !filled.has(name));
}

/** “sales-2026.csv” becomes “sales_2026”, and “sales_2026_2” where there is one already. */
export function tableNameFor(fileName: string, taken: readonly string[]): string {
  const base = trimmed(fileName.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N}]+/gu, '_'), '_') || 'imported';
  const lower = new Set(taken.map((name) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    // Names that begin so are SQLite's own (sqlite.org/fileformat2.html#internal_schema_objects).
    const free = name.toLowerCase().startsWith('sqlite_') ? `my_${name}` : name;
    if (!lower.has(free.toLowerCase())) return free;
  }
}
