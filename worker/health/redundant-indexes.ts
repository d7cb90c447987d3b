// Indexes of a table that do nothing another one does not do as well.

/** A column in an index, or a stand-in for it where only its name counts. */
export interface IndexColumn {
  /** Names a column and its collation, or an expression: equal exactly when they are the same. */
  readonly key: string;
  readonly descending: boolean;
}

export interface IndexShape {
  readonly name: string;
  readonly unique: boolean;
  /** Made by SQLite for a PRIMARY KEY or UNIQUE: it cannot be dropped. */
  readonly isAutomatic: boolean;
  /** WHERE clause as written; null: all rows are in it. */
  readonly where: string | null;
  /** Key columns, in order. */
  readonly columns: readonly IndexColumn[];
}

interface Redundant {
  readonly index: IndexShape;
  readonly covering: IndexShape;
  /** Neither has more columns than the other. */
  readonly isSame: boolean;
}

/** Each index that could be dropped, with one that stays and does its work. Both are indexes of one table. */
export function redundantIndexes(indexes: readonly IndexShape[]): readonly Redundant[] {
  const dropped = new Set<IndexShape>();
  const found: Redundant[] = [];
  // Indexes with more columns come first, so that those covering others are known to stay; of two equal ones the older one stays.
  for (const index of [...indexes].reverse().sort((a, b) => b.columns.length - a.columns.length)) {
    if (index.isAutomatic) continue;
    const covering = indexes
      .filter((other) => other !== index && !dropped.has(other) && doesAll(other, index))
      .sort((a, b) => a.columns.length - b.columns.length || Number(b.isAutomatic) - Number(a.isAutomatic))[0];
    if (!covering) continue;
    dropped.add(index);
    found.push({ index, covering, isSame: covering.columns.length === index.columns.length });
  }
  return found;
}

/** Whether `other` finds and sorts everything that `index` does, and rejects every row that it rejects. */
export function doesAll(other: IndexShape, index: IndexShape): boolean {
  if (other.where !== index.where) return false;
  if (index.unique && !(other.unique && other.columns.every(({ key }) => index.columns.some((own) => own.key === key))))
    return false;
  if (index.columns.length > other.columns.length) return false;
  // SQLite reads an index from either end (sqlite.org/queryplanner.html), so all directions may be reversed.
  return [false, true].some((turned) =>
    index.columns.every(({ key, descending }, at) => {
      const own = other.columns[at]!;
      return own.key === key && own.descending === (turned ? !descending : descending);
    }),
  );
}
