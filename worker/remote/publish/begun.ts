// A publication that an earlier process has begun: recognized by its objects, and then by its rows.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engines/engine.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import { quoteName } from '../../sql/quote.ts';
import { readBack, SourceRows } from './read-back.ts';
import type { ServerObject } from './on-server.ts';
import { RowDigest } from './row-digest.ts';
import type { Definition, PublishPlan, PlannedTable } from './source-plan.ts';

/** Rows of the source between two checks for Stop. */
const SOURCE_ROWS = 4000;
/** Tables that are checked in one request. */
const ASKED_TOGETHER = 200;

export const isCreate = ({ kind, sql }: Definition): boolean => kind !== 'setting' && /^CREATE\b/i.test(sql);

/** Whether each object is one of the plan, by name and text, or one that a module makes for a virtual table of it. */
export function isOfPlan({ before, after, shadows }: PublishPlan, objects: readonly ServerObject[]): boolean {
  const texts = new Map([...before, ...after].filter(isCreate).map(({ name, sql }) => [name, sql]));
  return objects.every(
    ({ type, name, sql }) => (sql !== null && texts.get(name) === sql) || (type === 'table' && shadows.has(name)),
  );
}

/** Whether its tables, which are created in one transaction, are there, and nothing else. */
export function isBegun(plan: PublishPlan, objects: readonly ServerObject[]): boolean {
  const names = new Set(objects.map(({ name }) => name));
  return (
    objects.length > 0 && isOfPlan(plan, objects) && plan.before.every((one) => !isCreate(one) || names.has(one.name))
  );
}

/**
 * Reads the rows of each table on the server, which must be the first ones of the source, and notes how far it was sent.
 * @param look called after each page; what it throws ends the work
 * @throws AppError `conflict`
 */
export function* findSent(
  turn: Turn,
  source: Connection,
  tables: readonly SentTable[],
  look: (table: SentTable, rows: number) => void,
): Generator<Pause, void> {
  for (const [at, table] of tables.entries()) {
    const read = new RowDigest();
    yield* readBack(turn, table.plan, read, () => look(table, read.rows));
    const sent = new RowDigest();
    yield* addFirst(source, table, read.rows, sent);
    if (sent.rows !== read.rows || sent.text !== read.text) throw isDifferent(table.plan.name);
    table.saved = read.rows;
    table.digest = sent;
    if (read.rows < table.plan.rows) {
      // Rows are sent table by table.
      if (!areEmpty(turn.connection, tables.slice(at + 1))) throw isDifferent(table.plan.name);
      return;
    }
    table.isComplete = true;
    table.onServer = { rows: read.rows, digest: read.text };
  }
}

function* addFirst(source: Connection, { plan }: SentTable, rows: number, digest: RowDigest): Generator<Pause, void> {
  const from = new SourceRows(source, plan);
  try {
    while (digest.rows < rows) {
      const row = from.next();
      if (row === null) return;
      digest.add(row);
      if (digest.rows % SOURCE_ROWS === 0) yield 'between';
    }
  } finally {
    from.close();
  }
}

function areEmpty(connection: Connection, tables: readonly SentTable[]): boolean {
  for (let from = 0; from < tables.length; from += ASKED_TOGETHER) {
    const some = tables.slice(from, from + ASKED_TOGETHER);
    const has = some.map(({ plan }) => `EXISTS (SELECT 1 FROM main.${quoteName(plan.name)})`);
    if (connection.one(`SELECT ${has.join(', ')}`)!.includes(1)) return false;
  }
  return true;
}

const isDifferent = (name: string): AppError =>
  AppError.conflict(
    inParts(
      `The rows of “${name}” on the server differ from those of this database: one of the two has changed since.`,
      'Nothing was changed. Remove on the server what you do not need.',
    ),
  );

/** `unsure`: the reply to the last commit was lost. */
export interface SentTable {
  readonly plan: PlannedTable;
  saved: number;
  unsure: number;
  digest: RowDigest;
  /** Digest of all rows, including the unsure ones. */
  unsureDigest: RowDigest | null;
  isComplete: boolean;
  onServer: { readonly rows: number; readonly digest: string } | null;
}
