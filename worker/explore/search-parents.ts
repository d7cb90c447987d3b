// Looks for rows that a foreign key can refer to: first where an index leads, then through the table.
import { AppError } from '#shared/protocol/errors.ts';
import { MAX_PARENTS, type FoundParent, type ParentSearch, type ParentSearchChunk } from '#shared/protocol/explore.ts';
import type { Value } from '#shared/protocol/values.ts';
import { readableColumns } from '#shared/readable-columns.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { keyText } from '../history/net-changes.ts';
import { conditionOf, type Condition } from '../readers/filter-condition.ts';
import { wholeTable } from '../readers/scan-cost.ts';
import type { Scan } from '../readers/scan.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { describeTable, type TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { isIndexed, shownSql } from './parent-names.ts';
import { scanTable } from './table-scan.ts';

/** Limit per condition, so that one column does not take the places of all others. */
const MAX_BY_INDEX = 20;
const REPORT_EVERY_MS = 100;

export interface ParentRequest {
  readonly table: string;
  readonly key: readonly string[];
  readonly text: string;
  readonly current: readonly Value[] | null;
}

/** @throws AppError `not-found`, `stopped` */
export function* searchParents(
  scan: Scan,
  { table, key, text, current }: ParentRequest,
  report: (chunk: ParentSearchChunk) => void,
): Generator<Pause, ParentSearch> {
  const shape = describeTable(scan.connection, table);
  const found = new FoundParents(shape, key);
  const { connection } = scan;
  if (text === '') {
    if (current) found.look(connection, `${key.map((name) => `${quoteName(name)} = ?`).join(' AND ')}`, current);
    found.look(connection, null, []);
    return found.result(found.isFull);
  }
  for (const { sql, params } of prefixConditions(shape, found.searched, text)) {
    found.look(connection, sql, params, MAX_BY_INDEX);
    yield* scan.pause();
  }
  if (wholeTable(connection, shape) !== null) return { ...found.result(found.isFull), byIndexOnly: true };
  report({ ...found.result(true), progress: { phase: 'Searching', done: 0, total: null, unit: 'rows' } });
  yield* scanFor(scan, found, text, report);
  return found.result(found.isFull);
}

function* scanFor(
  scan: Scan,
  found: FoundParents,
  text: string,
  report: (chunk: ParentSearchChunk) => void,
): Generator<Pause, void> {
  const { shape } = found;
  const rowid = shape.key.kind === 'rowid' ? shape.key.name : null;
  const total = estimateRows(scan.connection, shape.name, rowid)?.count ?? null;
  const match = conditionOf(shape, {
    any: found.searched.map((column) => [{ column, operator: 'contains', value: text }]),
  });
  let rows = 0;
  let nextReportMs = performance.now() + REPORT_EVERY_MS;
  const at = (share: number | null): void => {
    const done = share === null || total === null ? rows : Math.round(share * total);
    const progress = { phase: `Searching ${shape.name}`, done, total, unit: 'rows' } as const;
    scan.tell(progress);
    if (performance.now() < nextReportMs) return;
    report({ ...found.result(true), progress });
    nextReportMs = performance.now() + REPORT_EVERY_MS;
  };
  yield* scanTable(scan, {
    shape,
    slice: `${found.select}, ${match.sql}`,
    row: `${found.select}, ${match.sql}`,
    params: match.params,
    where: match,
    // Every row is passed on: a search that pauses only at a hit could not be stopped.
    rowWhere: { sql: null, params: [] },
    take: (row) => {
      if (row.value(found.width) === 1) found.take(row);
      if (++rows % 256 === 0) at(null);
    },
    at,
    isDone: () => found.isFull,
  });
}

/** Rows found so far, each once. */
class FoundParents {
  readonly shape: TableShape;
  /** Names of the columns searched: the key, then the readable columns. */
  readonly searched: readonly string[];
  readonly select: string;
  readonly #keyWidth: number;
  readonly #columns: readonly string[];
  readonly #rows = new Map<string, FoundParent>();

  constructor(shape: TableShape, key: readonly string[]) {
    const columns = key.map((name) => shape.columns.find((each) => each.name.toLowerCase() === name.toLowerCase()));
    const names = columns.map((column) => column?.name);
    if (names.length === 0 || names.includes(undefined))
      throw AppError.notFound(`“${shape.name}” no longer has the columns of this key.`);
    const known = names as string[];
    this.shape = shape;
    this.#columns = readableColumns(shape.columns, known).map(({ name }) => name);
    this.#keyWidth = known.length;
    this.searched = [...known, ...this.#columns];
    this.select = [...known.map(quoteName), ...this.#columns.map(shownSql)].join(', ');
  }

  get width(): number {
    return this.searched.length;
  }

  get isFull(): boolean {
    return this.#rows.size >= MAX_PARENTS;
  }

  take(row: Statement): void {
    if (this.isFull) return;
    const values = this.searched.map((_name, index) => row.value(index));
    const key = values.slice(0, this.#keyWidth);
    // A key with NULL cannot be referred to.
    if (key.includes(null)) return;
    const id = keyText(this.shape.name, key);
    if (!this.#rows.has(id)) this.#rows.set(id, { key, shown: values.slice(this.#keyWidth) });
  }

  /** A condition that no index serves is left out: it would read the whole table in one statement. */
  look(connection: Connection, condition: string | null, params: readonly Value[], limit = MAX_PARENTS): void {
    const where = condition === null ? '' : ` WHERE ${condition}`;
    const sql = `SELECT ${this.select} FROM main.${quoteName(this.shape.name)}${where} LIMIT ${limit}`;
    if (condition !== null && !isIndexed(connection, sql, params)) return;
    const statement = connection.prepare(sql);
    try {
      statement.bind(params);
      while (statement.step()) this.take(statement);
    } finally {
      statement.finalize();
    }
  }

  result(hasMore: boolean): ParentSearch {
    return { columns: this.#columns, rows: [...this.#rows.values()], hasMore, byIndexOnly: false };
  }
}

// Conditions that an index can serve, for values that begin with a text.

const TEXT_TYPE = /CHAR|CLOB|TEXT/i;
/** More digits than that are typed in full. */
const MORE_DIGITS = 9;
const LAST_CHARACTER = '\u{10FFFF}';

/** Conditions in the order in which rows are wanted: those equal to the text, then those that extend it. */
function prefixConditions({ columns }: TableShape, names: readonly string[], text: string): readonly Condition[] {
  const types = names.map((name) => columns.find((column) => column.name === name)?.declaredType ?? '');
  const typed = text.trim();
  const number = /^-?\d{1,18}$/.test(typed) ? BigInt(typed) : null;
  const equal = names.flatMap((name, at) => {
    const isText = isTextType(types[at]!);
    const values: Value[] = [text, ...(number !== null && !isText ? [asInteger(number)] : [])];
    return values.map((value) => ({ sql: `${quoteName(name)} = ?`, params: [value] }));
  });
  const longer = names.flatMap((name, at) =>
    isTextType(types[at]!)
      ? spellings(text).map((prefix) => textRange(name, prefix))
      : number !== null && number > 0n
        ? digitRanges(name, number)
        : [],
  );
  return [...equal, ...longer];
}

/** INT takes precedence (sqlite.org/datatype3.html). */
const isTextType = (type: string): boolean => TEXT_TYPE.test(type) && !/INT/i.test(type);

const textRange = (name: string, prefix: string): Condition => ({
  sql: `${quoteName(name)} >= ? AND ${quoteName(name)} < ?`,
  params: [prefix, prefix + LAST_CHARACTER],
});

/** 12: 120 … 129, 1200 … 1299, … */
function digitRanges(name: string, number: bigint): readonly Condition[] {
  const ranges: Condition[] = [];
  for (let unit = 10n; ranges.length < MORE_DIGITS && number * unit < 10n ** 18n; unit *= 10n)
    ranges.push({
      sql: `${quoteName(name)} BETWEEN ? AND ?`,
      params: [asInteger(number * unit), asInteger(number * unit + unit - 1n)],
    });
  return ranges;
}

const asInteger = (number: bigint): Value =>
  number >= BigInt(Number.MIN_SAFE_INTEGER) && number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;

/** An index of the usual collation distinguishes upper from lower case. */
function spellings(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const capital = lower.slice(0, 1).toUpperCase() + lower.slice(1);
  return [...new Set([text, capital, lower, text.toUpperCase()])];
}
