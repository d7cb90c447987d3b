// Looks for a text in every column of every table. A table that cannot be read is named, and the search continues.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import { MAX_TABLE_HITS, type SearchedTable, type SearchHit } from '#shared/protocol/explore.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import { conditionOf } from '../readers/filter-condition.ts';
import type { Scan } from '../readers/scan.ts';
import { keyNames, type TableShape } from '../schema/table-shape.ts';
import { TableShapes } from '../schema/table-shapes.ts';
import type { Pause } from '../sessions/session.ts';
import { escapeLike, quoteName } from '../sql/quote.ts';
import { scanTable } from './table-scan.ts';

/** Characters before the hit, and in total. */
const EXCERPT_BEFORE = 30;
const EXCERPT_LENGTH = 160;

export function* searchTables(
  scan: Scan,
  text: string,
  found: (hit: SearchHit) => void,
): Generator<Pause, readonly SearchedTable[]> {
  scan.connection.refreshSchema?.();
  const tables = searchableTables(scan.connection);
  const searched: SearchedTable[] = [];
  let shapes = new TableShapes(scan.connection, tables);
  for (const [done, table] of tables.entries()) {
    const at = (share: number | null): void =>
      scan.tell({ phase: `Searching ${table}`, done: done + (share ?? 0), total: tables.length, unit: 'steps' });
    at(0);
    let hits = 0;
    const take = (hit: SearchHit): void => {
      if (hits++ < MAX_TABLE_HITS) found(hit);
    };
    let problem: string | null = null;
    try {
      // Writes may come between two tables.
      if (!shapes.areCurrent) shapes = new TableShapes(scan.connection, tables);
      const shape = shapes.describe(table);
      yield* searchTable(scan, shape, text, { at, take, isFull: () => hits > MAX_TABLE_HITS });
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      problem = whatHappened(known);
    }
    searched.push({ table, hits: Math.min(hits, MAX_TABLE_HITS), hasMore: hits > MAX_TABLE_HITS, problem });
    yield* scan.pause();
  }
  return searched;
}

/**
 * Tables and virtual tables of the schema. Views are left out, because their rows come from tables and a view may never end; so are shadow
 * tables, whose rows are those of their virtual table.
 */
function searchableTables(connection: Connection): readonly string[] {
  return listTables(connection)
    .filter(({ name, kind }) => (kind === 'table' || kind === 'virtual') && !name.startsWith('sqlite_'))
    .map(({ name }) => name)
    .sort();
}

interface Finding {
  readonly at: (share: number | null) => void;
  readonly take: (hit: SearchHit) => void;
  readonly isFull: () => boolean;
}

function* searchTable(
  scan: Scan,
  shape: TableShape,
  text: string,
  { at, take, isFull }: Finding,
): Generator<Pause, void> {
  const names = shape.columns.map(({ name }) => quoteName(name));
  const pattern = `%${escapeLike(text)}%`;
  const eachColumn = (then: (name: string, index: number) => string): string =>
    `CASE ${names.map((name, index) => `WHEN ${name} LIKE ? ESCAPE '\\' THEN ${then(name, index)}`).join(' ')} END`;
  const column = eachColumn((_name, index) => String(index));
  const excerpt = eachColumn(
    (name) =>
      `iif(instr(lower(${name}), lower(?)) > ${EXCERPT_BEFORE + 1}, '…', '')
       || substr(${name}, max(1, instr(lower(${name}), lower(?)) - ${EXCERPT_BEFORE}), ${EXCERPT_LENGTH})`,
  );
  const key = keyNames(shape.key);
  const hitOf = (row: Statement): void => {
    const index = row.value(0);
    if (index === null) return;
    const found = row.value(1);
    take({
      table: shape.name,
      column: shape.columns[Number(index)]!.name,
      key: key.length === 0 ? null : key.map((_name, part) => row.value(part + 2)),
      excerpt: found instanceof Uint8Array ? new TextDecoder().decode(found) : textOf(found),
    });
  };
  const columns = [column, excerpt, ...key.map(quoteName)].join(', ');
  yield* scanTable(scan, {
    shape,
    slice: columns,
    row: columns,
    params: [...names.map(() => pattern), ...names.flatMap(() => [pattern, text, text])],
    where: conditionOf(shape, { column: null, operator: 'contains', value: text }),
    // Every row is passed on: a search that pauses only at a hit could not be stopped.
    rowWhere: { sql: null, params: [] },
    take: hitOf,
    at,
    isDone: isFull,
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : String(value ?? ''));
