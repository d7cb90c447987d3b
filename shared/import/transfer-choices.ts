// Chooses which tables of a file go where: what is chosen first, and why a choice cannot be imported.
import type { TransferContents, TransferObject, TransferPlan } from '../protocol/index.ts';

export interface TableChoice extends TransferObject {
  readonly isChosen: boolean;
  /** Name in the database. */
  readonly into: string;
  readonly how: 'new' | 'append';
}

export interface TransferChoices {
  readonly tables: readonly TableChoice[];
  readonly indexes: boolean;
  readonly triggers: boolean;
  /** Rows of existing tables may refer to rows that do not exist. */
  readonly looseKeys: boolean;
}

/** A table whose name is taken is left to the user: adding rows to it may not be wanted, unless the file has nothing but rows for it. */
export function firstChoices(contents: TransferContents, taken: readonly string[]): TransferChoices {
  const names = new Set(taken.map(fold));
  const tables = contents.objects.map((object): TableChoice => {
    const isTaken = names.has(fold(object.name));
    return {
      ...object,
      isChosen: canMove(object) && (!isTaken || object.isUndefined),
      into: object.name,
      how: isTaken && object.kind === 'table' ? 'append' : 'new',
    };
  });
  return { tables, indexes: true, triggers: true, looseKeys: false };
}

/** A view can be created even where SQLite cannot run its query. */
export const canMove = ({ kind, problem }: TransferObject): boolean => problem === null || kind === 'view';

const fold = (name: string): string => name.toLowerCase();

/** Problems by position in the list. */
export function choiceProblems({ tables }: TransferChoices, taken: readonly string[]): ReadonlyMap<number, string> {
  const names = new Set(taken.map(fold));
  const seen = new Set<string>();
  const problems = new Map<number, string>();
  tables.forEach(({ isChosen, into, how }, at) => {
    if (!isChosen) return;
    const name = fold(into);
    if (into.trim() === '') problems.set(at, 'A new table needs a name.');
    else if (how === 'append' && !names.has(name)) problems.set(at, `There is no table “${into}” in the database.`);
    else if (how === 'new' && names.has(name))
      problems.set(at, `“${into}” already exists. Choose another name, or add the rows to it.`);
    else if (how === 'new' && seen.has(name)) problems.set(at, `Two tables would be named “${into}”.`);
    else if (how === 'new' && name.startsWith('sqlite_'))
      problems.set(at, 'Names that begin with “sqlite_” are reserved for SQLite.');
    if (how === 'new') seen.add(name);
  });
  return problems;
}

/** Null: it can be imported. */
export function whyNoTransfer(choices: TransferChoices, taken: readonly string[]): string | null {
  if (choices.tables.length === 0) return 'There are no tables in this file.';
  if (!choices.tables.some(({ isChosen }) => isChosen)) return 'No tables are selected.';
  const [problem] = choiceProblems(choices, taken).values();
  return problem ?? null;
}

export const planOf = ({ tables, indexes, triggers, looseKeys }: TransferChoices): TransferPlan => ({
  tables: tables.filter(({ isChosen }) => isChosen).map(({ name, into, how }) => ({ name, into, how })),
  indexes,
  triggers,
  ...(looseKeys && { looseKeys }),
});

/** The database in the file can become one of the library as it is. */
export const isWhole = ({ tables, indexes, triggers }: TransferChoices): boolean =>
  indexes && triggers && tables.every(({ isChosen, into, name, how }) => isChosen && how === 'new' && into === name);

export const chosenRows = ({ tables }: TransferChoices): number =>
  tables.reduce((sum, { isChosen, rows }) => sum + (isChosen ? (rows ?? 0) : 0), 0);
