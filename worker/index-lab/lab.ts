// A copy of a schema without rows, in which indexes are tried: the planner looks at the schema and the statistics only, so its plan is the
// one it would make for the database itself.
import { foldName } from '#shared/ddl/names.ts';
import { parseIndex } from '#shared/ddl/parse-object.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { PlanLine } from '#shared/protocol/query.ts';
import type { Connection } from '../engines/engine.ts';
import { queryPlan } from '../query/query-plan.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { attempt } from '../transfer/scratch.ts';
import { readIndexSql, type LabIndex } from './index-parts.ts';
import type { LabMaterial, LabTable } from './material.ts';

const SAMPLE = 'sidelite_sample';
/** Size of an index entry besides its payload: its length and its place in the page (sqlite.org/fileformat2.html#b_tree_pages). */
const CELL_BYTES = 3;
const PAGE_HEAD_BYTES = 12;

export interface TriedPlan {
  readonly lines: readonly PlanLine[];
  readonly cost: number;
  readonly isUsed: boolean;
}

/** Copies the schema and the statistics unchanged. @throws AppError `sql` if the statement cannot be compiled there */
export function copySchema(connection: Connection, { sql, schema, others, stat1, stat4 }: LabMaterial): void {
  connection.run('PRAGMA foreign_keys = OFF');
  for (const row of schema) attempt(() => connection.run(row.sql));
  try {
    connection.check(sql);
  } catch {
    for (const row of others) attempt(() => connection.run(row.sql));
    connection.check(sql);
  }
  // The tables of the statistics cannot be created otherwise.
  connection.run('ANALYZE');
  for (const row of stat1) connection.run('INSERT INTO main.sqlite_stat1 VALUES (?, ?, ?)', row);
  // Present only if SQLite has STAT4; another build would not read it.
  if (stat4.length > 0) attempt(() => stat4.forEach((row) => insertStat4(connection, row)));
  connection.run('ANALYZE main.sqlite_schema');
}

const insertStat4 = (connection: Connection, row: Parameters<Connection['run']>[1] & object): unknown =>
  connection.run(`INSERT INTO main.sqlite_stat4 VALUES (${row.map(() => '?').join(', ')})`, row);

/** The plan with the index, and the existing statistics. The index is dropped again. */
export function planWith(connection: Connection, sql: string, index: LabIndex): readonly PlanLine[] {
  connection.run(index.sql);
  try {
    connection.run('ANALYZE main.sqlite_schema');
    return queryPlan(connection, sql);
  } finally {
    connection.run(`DROP INDEX main.${quoteName(index.name)}`);
  }
}

export const usesIndex = (lines: readonly PlanLine[], name: string): boolean =>
  lines.some(({ detail }) => `${detail} `.includes(`INDEX ${name} `));

/** An automatic index has no SQL to parse. SQLite reports its columns. */
function partsOf(sql: string | null): Pick<LabIndex, 'parts' | 'where'> {
  const model = parseIndex(sql ?? '');
  return model.understood ? readIndexSql(sql!) : { parts: [], where: null };
}

/** The copied schema with statistics for every index, from the sample where the database has none. */
export class Lab {
  readonly connection: Connection;
  readonly material: LabMaterial;
  readonly #tables: ReadonlyMap<string, LabTable>;
  readonly #statistics = new Map<string, readonly number[]>();
  readonly #counts = new Map<string, KeyCounts>();
  /** Row counts by folded table name. */
  readonly #rows = new Map<string, number>();

  /** @param connection on which {@link copySchema} was called */
  constructor(connection: Connection, material: LabMaterial) {
    this.connection = connection;
    this.material = material;
    this.#tables = new Map(material.tables.map((table) => [foldName(table.name), table]));
    for (const [table, index, stat] of material.stat1) this.#note(String(table), index as string | null, String(stat));
    for (const table of material.tables)
      if (!this.#rows.has(foldName(table.name)) && table.rows) this.#rows.set(foldName(table.name), table.rows);
    connection.run(`ATTACH ':memory:' AS ${SAMPLE}`);
    for (const table of material.tables) this.#fill(table);
    for (const table of material.tables) this.#complete(table);
    connection.run('ANALYZE main.sqlite_schema');
  }

  /** The plan without another index. */
  get plan(): TriedPlan {
    return this.#planned(null);
  }

  /** @throws AppError `sql` if SQLite rejects the index */
  try(index: LabIndex): TriedPlan {
    const { connection } = this;
    connection.run(index.sql);
    try {
      const stat = this.#statOf(index);
      if (stat !== null) this.#insert(index.table, index.name, stat);
      connection.run('ANALYZE main.sqlite_schema');
      return this.#planned(index.name);
    } finally {
      // Also drops its statistics.
      connection.run(`DROP INDEX main.${quoteName(index.name)}`);
      this.#statistics.delete(index.name);
    }
  }

  /** How large the index would be, from an index on the sample. Null if the sample cannot tell. */
  bytesOf(index: LabIndex): number | null {
    const table = this.#tables.get(foldName(index.table));
    const rows = this.#rows.get(foldName(index.table));
    if (!table || !rows || table.sample.length === 0) return null;
    const { connection } = this;
    const name = 'sidelite_sized';
    // Each entry ends with the key by which the row is found.
    const parts = [...index.parts.map(({ expression }) => expression), ...table.primaryKey.map(quoteName)];
    const where = index.where === null ? '' : ` WHERE ${index.where}`;
    try {
      connection.run(`CREATE INDEX ${SAMPLE}.${name} ON ${quoteName(table.name)} (${parts.join(', ')})${where}`);
    } catch {
      return null;
    }
    const [payload, cells] = connection.one(
      `SELECT sum(payload), sum(ncell) FROM temp.dbstat WHERE schema = '${SAMPLE}' AND name = '${name}'`,
    )! as [number, number];
    connection.run(`DROP INDEX ${SAMPLE}.${name}`);
    const [pageBytes] = connection.one('PRAGMA main.page_size')! as [number];
    const bytes = ((payload + cells * CELL_BYTES) * rows) / table.sample.length;
    return Math.ceil(bytes / (pageBytes - PAGE_HEAD_BYTES)) * pageBytes;
  }

  #planned(name: string | null): TriedPlan {
    const lines = queryPlan(this.connection, this.material.sql);
    return { lines, cost: planCost(lines, this.#statistics), isUsed: name !== null && usesIndex(lines, name) };
  }

  #fill({ name, sampled, sample, primaryKey }: LabTable): void {
    if (sampled.length === 0) return;
    const { connection } = this;
    connection.run(`CREATE TABLE ${SAMPLE}.${quoteName(name)} (${quoteNames(sampled)})`);
    const hasRowid = primaryKey.length === 0 && !sampled.some((column) => /^(?:rowid|_rowid_|oid)$/i.test(column));
    const columns = hasRowid ? ['rowid', ...sampled] : sampled;
    const marks = columns.map(() => '?').join(', ');
    const insert = `INSERT INTO ${SAMPLE}.${quoteName(name)} (${quoteNames(columns)}) VALUES (${marks})`;
    connection.run('BEGIN');
    for (const row of sample) connection.run(insert, hasRowid ? row : row.slice(1));
    connection.run('COMMIT');
  }

  /** Adds statistics for a table's indexes that ANALYZE has not covered. */
  #complete({ name, rows }: LabTable): void {
    const indexes = this.connection
      .all(
        "SELECT i.name, m.sql FROM temp.pragma_index_list(?, 'main') i JOIN main.sqlite_schema m ON m.name = i.name",
        [name],
      )
      .map(([index, sql]) => ({ name: index as string, sql: sql as string | null }));
    for (const index of indexes) {
      if (this.#statistics.has(index.name)) continue;
      const stat = this.#statOf({ ...partsOf(index.sql), name: index.name, table: name });
      if (stat !== null) this.#insert(name, index.name, stat);
    }
    if (indexes.length === 0 && rows && !this.material.stat1.some(([table]) => table === name))
      this.#insert(name, null, String(rows));
  }

  /** Null if the sample cannot tell. */
  #statOf({ name, table, parts, where }: Pick<LabIndex, 'name' | 'table' | 'parts' | 'where'>): string | null {
    const total = this.#rows.get(foldName(table));
    if (!total) return null;
    const keys = this.connection.all(
      'SELECT cid, name, coll FROM temp.pragma_index_xinfo(?, \'main\') WHERE "key" = 1 ORDER BY seqno',
      [name],
    );
    const expressions = keys.map(
      ([cid, column, collation], at) =>
        `${cid === -2 ? `(${parts[at]?.expression ?? 'NULL'})` : cid === -1 ? 's.rowid' : `s.${quoteName(column as string)}`} COLLATE ${quoteName(String(collation))}`,
    );
    const counts: KeyCounts[] = [];
    for (let length = 1; length <= expressions.length; length++) {
      const found = this.#countsOf(table, expressions.slice(0, length).join(', '), where);
      if (found === null) return null;
      counts.push(found);
    }
    const sampled = this.#tables.get(foldName(table))!.sample.length;
    const share = where === null || sampled === 0 ? 1 : counts[0]!.rows / sampled;
    return stat1Text(counts, Math.round(total * share));
  }

  #countsOf(table: string, keys: string, where: string | null): KeyCounts | null {
    const id = `${table} ${where ?? ''} ${keys}`;
    const known = this.#counts.get(id);
    if (known) return known;
    try {
      const condition = where === null ? '' : `WHERE ${where} `;
      const [rows, distinct, single] = this.connection.one(
        `SELECT coalesce(sum(n), 0), count(*), coalesce(sum(n = 1), 0) FROM (SELECT count(*) AS n FROM ${SAMPLE}.${quoteName(table)} AS s ${condition}GROUP BY ${keys})`,
      )!;
      const counts = { rows: Number(rows), distinct: Number(distinct), single: Number(single) };
      this.#counts.set(id, counts);
      return counts;
    } catch (error) {
      // The index reads something that the sample lacks.
      if (error instanceof AppError && error.code !== 'stopped') return null;
      throw error;
    }
  }

  #insert(table: string, index: string | null, stat: string): void {
    this.connection.run('INSERT INTO main.sqlite_stat1 VALUES (?, ?, ?)', [table, index, stat]);
    this.#note(table, index, stat);
  }

  #note(table: string, index: string | null, stat: string): void {
    const numbers = stat.split(' ').map(Number).filter(Number.isFinite);
    if (index !== null) this.#statistics.set(index, numbers);
    const rows = numbers[0] ?? 0;
    if (rows > 0) this.#rows.set(foldName(table), Math.max(rows, this.#rows.get(foldName(table)) ?? 0));
  }
}

// Estimates, from a sample of the rows, what ANALYZE would find about an index.

/** How often the values of some columns occur in a sample. */
interface KeyCounts {
  /** Rows of the sample that are in the index. */
  readonly rows: number;
  readonly distinct: number;
  /** Values that occur exactly once. */
  readonly single: number;
}

/**
 * Distinct values in all rows, estimated with Charikar's GEE estimator ("Towards Estimation Error Guarantees for Distinct Values", PODS
 * 2000): values that the sample has once stand for `sqrt(1 / share)` others each. Exact if the sample is the whole table.
 */
function estimateDistinct({ rows, distinct, single }: KeyCounts, totalRows: number): number {
  if (rows >= totalRows) return distinct;
  const scaled = Math.sqrt(totalRows / rows) * single + (distinct - single);
  return Math.min(totalRows, Math.max(distinct, Math.round(scaled)));
}

/**
 * The text of `sqlite_stat1` for an index: rounded as ANALYZE rounds (`statGet` in analyze.c).
 * @param prefixes of the first column, of the first two, …
 */
function stat1Text(prefixes: readonly KeyCounts[], totalRows: number): string {
  const rows = Math.max(1, totalRows);
  const perKey = prefixes.map((counts) => {
    const distinct = Math.max(1, estimateDistinct(counts, rows));
    const average = Math.floor((rows + distinct - 1) / distinct);
    return average === 2 && rows * 10 <= distinct * 11 ? 1 : average;
  });
  return [rows, ...perKey].join(' ');
}

// Cost of a whole statement, estimated from the lines of its plan: SQLite reports what one run of each loop costs, not how often it runs.

/** Rows, then rows for each value of the first column, of the first two, …, as in `sqlite_stat1` (sqlite.org/fileformat2.html#stat1tab). */
type IndexStatistics = ReadonlyMap<string, readonly number[]>;

/** SQLite takes a full row of a scan for about three steps (`whereLoopAddBtree`). */
const STEPS_PER_ROW = 3;
/** A range keeps a quarter of the rows (`whereRangeScanEst` without samples). */
const RANGE_SHARE = 0.25;
/** An automatic index costs that many steps for each row and level (`whereLoopAddBtree`). */
const AUTOMATIC_STEPS = 7;

interface Sum {
  readonly cost: number;
  readonly rows: number;
}

/** @param statistics of indexes by name, as far as they are known */
function planCost(lines: readonly PlanLine[], statistics: IndexStatistics): number {
  return costOf(lines, 0, statistics).cost;
}

/** Loops of one parent are nested in their order, so each runs once for each row of the preceding ones. */
function costOf(lines: readonly PlanLine[], parent: number, statistics: IndexStatistics): Sum {
  let cost = 0;
  let rows = 1;
  for (const line of lines) {
    if (line.parent !== parent) continue;
    const inner = costOf(lines, line.id, statistics);
    if (line.detail.startsWith('USE TEMP B-TREE')) cost += sortCost(rows);
    else if (line.detail.startsWith('MULTI-INDEX OR')) {
      cost += rows * inner.cost;
      rows *= Math.max(1, inner.rows);
    } else if (line.cost !== null) {
      cost += setUpCost(line) + rows * (line.cost + inner.cost);
      rows *= rowsOf(line, statistics);
    } else {
      // A subquery runs once, or once for each row if it is correlated.
      cost += (line.detail.startsWith('CORRELATED') ? rows : 1) * inner.cost;
      if (line.detail.startsWith('INDEX ')) rows += inner.rows;
    }
  }
  return { cost, rows };
}

const sortCost = (rows: number): number => STEPS_PER_ROW * rows * Math.log2(rows + 1);

/** The rows that one run of a loop returns. */
function rowsOf({ detail, cost }: PlanLine, statistics: IndexStatistics): number {
  const byCost = Math.max(1, (cost ?? 1) / STEPS_PER_ROW);
  if (detail.includes('(rowid=?)')) return 1;
  const words = /USING (?:COVERING )?INDEX /.exec(detail);
  if (!words || !detail.endsWith(')')) return byCost;
  const rest = detail.slice(words.index + words[0].length);
  const end = rest.indexOf(' (', 1);
  const stat = statistics.get(rest.slice(0, end));
  if (!stat || end < 0) return byCost;
  const terms = rest.slice(end + 2, -1).split(' AND ');
  const equal = terms.filter((term) => /[^<>]=\?$/.test(term) || term.startsWith('ANY(')).length;
  const ranges = terms.length - equal;
  const skipped = terms.filter((term) => term.startsWith('ANY(')).length;
  const perKey = stat[equal] ?? 1;
  // Each value of the skipped columns is searched for the columns after them.
  const keys = skipped > 0 ? (stat[0] ?? 1) / Math.max(1, stat[skipped] ?? 1) : 1;
  return Math.max(1, perKey * keys * RANGE_SHARE ** ranges);
}

function setUpCost({ detail, cost }: PlanLine): number {
  if (!detail.includes(' AUTOMATIC ')) return 0;
  const rows = (cost ?? 1) ** 2;
  return AUTOMATIC_STEPS * rows * Math.log2(rows + 1);
}
