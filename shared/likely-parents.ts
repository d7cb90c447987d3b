// Guesses the table that a column is likely to refer to, from its name, its type, and the unique keys there are.
import { groupBy } from './group-by.ts';
import { affinityOf } from './ddl/affinity.ts';

export interface NamedColumn {
  readonly name: string;
  /** The type as declared, possibly empty. */
  readonly declaredType: string;
  /** 1-based position in the primary key, 0 if not part of it. */
  readonly primaryKeyIndex: number;
}

export interface NamedTable {
  readonly name: string;
  readonly columns: readonly NamedColumn[];
  /** Columns that are unique together. */
  readonly uniqueKeys: readonly (readonly string[])[];
}

interface LikelyParent<Table extends NamedTable> {
  readonly table: Table;
  /** The column that alone is unique. */
  readonly key: NamedColumn;
}

/** Last words of a column whose values name a row. Of other unique columns a value with the same name is rather a copy. */
const NAMING_WORDS = new Set(['id', 'code', 'key', 'uuid', 'guid', 'no', 'nr', 'number', 'ref']);

interface Target<Table extends NamedTable> extends LikelyParent<Table> {
  readonly isPrimary: boolean;
  readonly tableWords: readonly string[];
  readonly keyWords: readonly string[];
}

/** Returns what finds the parent of a column among these tables: null if there is none, or if two would do equally well. */
export function likelyParents<Table extends NamedTable>(
  tables: readonly Table[],
): (table: Table, column: NamedColumn) => LikelyParent<Table> | null {
  const targets = tables.flatMap((table) => targetsOf(table));
  const byTable = groupBy(targets, ({ table }) => table);
  // Nearly every table has a key `id`: those whose name the column has are found by that name.
  const byName = groupBy(targets, (target) => placeKey(target.keyWords.at(-1)!, nameOf(target)));
  const depths = groupBy(targets, ({ keyWords }) => keyWords.at(-1)!);
  const depthsOf = new Map(
    [...depths].map(([word, some]) => [word, new Set(some.map((target) => nameOf(target).depth))]),
  );
  return (table, column) => {
    const words = wordsOf(column.name);
    const last = words.at(-1) ?? '';
    const found = new Set(byTable.get(table) ?? []);
    for (const depth of depthsOf.get(last) ?? []) {
      const name = words.at(-1 - depth);
      if (name === undefined) continue;
      for (const word of sameWords(name))
        for (const target of byName.get(placeKey(last, { word, depth })) ?? []) found.add(target);
    }
    return bestTarget(
      table,
      column,
      words,
      [...found].filter(({ keyWords }) => keyWords.at(-1) === last),
    );
  };
}

interface NameInColumn {
  readonly word: string;
  /** How many words of the column follow. */
  readonly depth: number;
}

/** The word that each column that means the target has: of its key, if that names the table, otherwise the last one of the table. */
function nameOf({ tableWords, keyWords }: Target<NamedTable>): NameInColumn {
  if (tableWords.length === 0) return { word: keyWords.at(-1)!, depth: 0 };
  if (namesTable(keyWords, tableWords)) return { word: keyWords.at(-2)!, depth: 1 };
  return { word: tableWords.at(-1)!, depth: keyWords.length };
}

const namesTable = (keyWords: readonly string[], tableWords: readonly string[]): boolean =>
  startsWith(keyWords, tableWords) && keyWords.length > tableWords.length;

const placeKey = (last: string, { word, depth }: NameInColumn): string => `${last}\0${depth}\0${word}`;

function targetsOf<Table extends NamedTable>(table: Table): readonly Target<Table>[] {
  return table.uniqueKeys.flatMap((names) => {
    const key = names.length === 1 ? table.columns.find(({ name }) => name === names[0]) : undefined;
    const keyWords = key ? wordsOf(key.name) : [];
    if (!key || !NAMING_WORDS.has(keyWords.at(-1) ?? '')) return [];
    return [{ table, key, isPrimary: key.primaryKeyIndex > 0, tableWords: wordsOf(table.name), keyWords }];
  });
}

function bestTarget<Table extends NamedTable>(
  table: Table,
  column: NamedColumn,
  words: readonly string[],
  targets: readonly Target<Table>[],
): Target<Table> | null {
  let [best, bestRank, isTied]: [Target<Table> | null, number, boolean] = [null, 0, false];
  for (const target of targets) {
    const isItself = target.table === table && target.key === column;
    if (isItself || affinityOf(target.key.declaredType, false) !== affinityOf(column.declaredType, false)) continue;
    const rank = rankOf(words, target, table);
    if (rank === 0 || rank < bestRank) continue;
    isTied = rank === bestRank;
    [best, bestRank] = [target, rank];
  }
  return isTied ? null : best;
}

/** 0: not meant. The more of the name is accounted for, the higher. */
function rankOf(
  words: readonly string[],
  { table, tableWords, keyWords, isPrimary }: Target<NamedTable>,
  own: NamedTable,
): number {
  const bonus = isPrimary ? 0.5 : 0;
  // “CustomerId” for “Customer.CustomerId”: the key itself says which table it is of.
  if (namesTable(keyWords, tableWords)) {
    if (same(words, keyWords)) return own === table ? 0 : 100 + bonus;
    return endsWith(words, keyWords) ? 50 + keyWords.length + bonus : 0;
  }
  if (!endsWith(words, keyWords)) return 0;
  const before = words.slice(0, words.length - keyWords.length);
  if (before.length === 0) return 0;
  if (same(before, ['parent']) && own === table) return 90 + bonus;
  // “customer_id” for “customers.id”, then “billing_customer_id”, then “user_id” for “auth_user.id”.
  if (same(before, tableWords)) return 100 + (before.at(-1) === tableWords.at(-1) ? 1 : 0) + bonus;
  if (endsWith(before, tableWords)) return 50 + tableWords.length + bonus;
  return endsWith(tableWords, before) ? 10 + before.length + bonus : 0;
}

/** `billing_customerId` → billing, customer, id. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Ignores the difference between singular and plural. */
function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long === `${short}s` || long === `${short}es` || (short.endsWith('y') && long === `${short.slice(0, -1)}ies`);
}

/** The words that are {@link isSameWord}, and some more. */
function sameWords(word: string): readonly string[] {
  const shorter = [/s$/, /es$/].map((ending) => word.replace(ending, ''));
  return [
    ...new Set([word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies'), word.replace(/ies$/, 'y'), ...shorter]),
  ];
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, at) => isSameWord(word, b[at]!));
const startsWith = (words: readonly string[], start: readonly string[]): boolean =>
  same(words.slice(0, start.length), start);
const endsWith = (words: readonly string[], end: readonly string[]): boolean =>
  end.length > 0 && words.length >= end.length && same(words.slice(words.length - end.length), end);
