// Sorts the rows in which a copy and its source differ: changed on which side, and what becomes of each.
import type { MergeRowKind } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { LoggedTable } from '../../engines/row-log/row-log.ts';
import { MergeTarget } from '../../history/merge-target.ts';
import { contentOf } from '../../history/text-indexes.ts';
import { sameRow } from '../../sql/same-value.ts';
import { keyNames, type TableShape } from '../../schema/table-shape.ts';
import { findDifferences, schemaDifferences } from '../source/compare-databases.ts';
import type { ComparedTable, CompareStep, RowSink } from '../source/compare-databases.ts';
import type { MergeFile, PastRow } from './merge-file.ts';

/** State of both when they were the same: changed rows are in the merge's file, all others as in `copy`, or as they are now. */
export interface Base {
  readonly copy: Connection | null;
  /** Tables whose earlier state is unknown. */
  readonly unknown: ReadonlySet<string>;
}

export interface RowsPlanned {
  readonly tables: ReadonlyMap<string, PlannedTable>;
  readonly notes: readonly string[];
  /** Tables in both that are not merged although they differ. */
  readonly left: readonly string[];
  /** The plan contains everything that the source changed since. */
  readonly isWhole: boolean;
  readonly isSameSchema: boolean;
}

export interface PlannedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly logged: LoggedTable;
  /** Rows have no key but the row id that SQLite gives them: the same one on both sides means nothing when both are new. */
  readonly isKeyless: boolean;
}

/** @param base null when it is unknown */
export function* planRows(
  file: MergeFile,
  mine: Connection,
  theirs: Connection,
  base: Base | null,
): Generator<CompareStep, RowsPlanned> {
  const tables = new Map<string, PlannedTable>();
  const counting: Counted[] = [];
  const found = yield* findDifferences(mine, theirs, (compared) => {
    const why = whyNot(mine, compared);
    if (why !== null) {
      const counted = new Counted(compared.name, why);
      counting.push(counted);
      return counted;
    }
    const table = planned(compared);
    tables.set(table.name.toLowerCase(), table);
    return new Sorted(file, table, pastOf(file, table, base));
  });
  const virtual = counting.filter(({ count, why }) => count > 0 && why !== '');
  const left = [...found.left.map(({ table }) => table), ...virtual.map(({ name }) => name)];
  const isSameSchema = found.schema.length === 0;
  const sameSource = base ? schemaDifferences(base.copy ?? mine, theirs).length === 0 : isSameSchema;
  return {
    tables,
    left,
    notes: [
      ...(isSameSchema ? [] : [`Only rows are merged; the schema stays as it is here. ${found.schema.join(' ')}`]),
      ...found.left.map(({ table, why }) => `Rows of “${table}” are left as they are here: ${why}`),
      ...virtual.map(({ why }) => why),
    ],
    isWhole: left.length === 0 && sameSource,
    isSameSchema,
  };
}

/** Why rows are not merged; empty where no reason needs stating. */
function whyNot(mine: Connection, { name, shape }: ComparedTable): string | null {
  if (shape.kind !== 'virtual') return null;
  const sql = String(mine.one('SELECT sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name])?.[0] ?? '');
  const content = /\busing\s+fts5\b/i.test(sql) ? contentOf(sql) : '';
  if (content === null) return null;
  // An index over a table that is merged itself is rebuilt from it.
  return content === '' ? `Rows of “${name}”, a virtual table, are left as they are here: they cannot be merged.` : '';
}

/** A table that is only read. */
class Counted implements RowSink {
  readonly name: string;
  readonly why: string;
  count = 0;

  constructor(name: string, why: string) {
    this.name = name;
    this.why = why;
  }

  add(): void {
    this.count++;
  }
}

type Past = (keys: readonly (readonly Value[])[], now: readonly Value[] | null) => PastRow;

class Sorted implements RowSink {
  readonly #file: MergeFile;
  readonly #table: PlannedTable;
  readonly #past: Past;
  readonly #keyIndexes: readonly number[];

  constructor(file: MergeFile, table: PlannedTable, past: Past) {
    this.#file = file;
    this.#table = table;
    this.#past = past;
    const { key } = table.logged;
    this.#keyIndexes = key.kind === 'rowid' ? [] : key.columns.map((name) => table.columns.indexOf(name));
  }

  add(kind: MergeRowKind, key: readonly Value[], mine: readonly Value[] | null, theirs: readonly Value[] | null): void {
    // A key that ignores case may be spelled differently here.
    const own = mine && this.#keyIndexes.length > 0 ? this.#keyIndexes.map((index) => mine[index]!) : key;
    const keys = own === key || sameRow(own, key) ? [key] : [key, own];
    const base = this.#past(keys, mine);
    const plan = (state: 'take' | 'keep' | 'ask' | 'both'): void =>
      this.#file.plan({ table: this.#table.name, kind, state, key, base: state === 'ask' ? base : undefined });
    if (base === undefined) plan('ask');
    else if (sameRow(base, theirs)) plan('keep');
    else if (sameRow(base, mine)) plan('take');
    else plan(base === null && mine && theirs && this.#table.isKeyless ? 'both' : 'ask');
  }
}

function pastOf(file: MergeFile, table: PlannedTable, base: Base | null): Past {
  const { name, columns } = table;
  if (!base || base.unknown.has(name.toLowerCase()) || !file.isKnown(name, columns)) return () => undefined;
  const copy = base.copy && copyOf(base.copy, table);
  if (copy === 'other') return () => undefined;
  return (keys, now) => {
    const found = keys.map((key) => file.get(name, key)).filter((row) => row !== undefined);
    if (found.length > 0) return found.find((row) => row !== null) ?? null;
    return copy ? copy(keys) : now;
  };
}

type Read = (keys: readonly (readonly Value[])[]) => readonly Value[] | null;

/** Reads a row of the table from the copy. `other`: it was another table then. */
function copyOf(connection: Connection, { name, columns, logged }: PlannedTable): Read | 'other' {
  if (
    connection.one("SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [name]) === null
  )
    return () => null; // created since
  try {
    const target = new MergeTarget(connection, logged, {});
    return (keys) => {
      for (const key of keys) {
        const row = target.read(key);
        if (row) return columns.map((_, index) => row[index]!);
      }
      return null;
    };
  } catch {
    return 'other';
  }
}

function planned({ name, columns, shape }: ComparedTable): PlannedTable {
  return { name, columns, logged: loggedOf(name, columns, shape), isKeyless: isKeyless(shape) };
}

function loggedOf(name: string, columns: readonly string[], shape: TableShape): LoggedTable {
  const counts = { inserted: 0, updated: 0, deleted: 0 };
  if (shape.key.kind !== 'rowid')
    return { name, columns, key: { kind: 'primary-key', columns: keyNames(shape.key) }, ...counts };
  const index = shape.rowidColumn === null ? null : columns.indexOf(shape.rowidColumn);
  return { name, columns, key: { kind: 'rowid', name: shape.key.name, columnIndex: index }, ...counts };
}

const isKeyless = ({ kind, key, columns }: TableShape): boolean =>
  kind === 'table' && key.kind === 'rowid' && columns.every(({ primaryKeyIndex }) => primaryKeyIndex === 0);
