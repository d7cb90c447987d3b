// Copies whatever can still be read of a damaged database into a new one, row by row. Its schema is hostile until proved otherwise:
// a text of it is run only where SQLite says that it creates the object it is listed as, and does nothing else.
import { fail } from '#shared/protocol/errors.ts';
import type { Progress, SalvageReply } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, DefinedObject } from '../engines/engine.ts';
import { salvageRows } from './salvage-rows.ts';
import { quoteName } from '../sql/quote.ts';
import { attempt } from './salvage-tools.ts';

type SalvagedTable = SalvageReply['tables'][number];

export interface SalvageResult {
  readonly tables: readonly SalvagedTable[];
  readonly notes: readonly string[];
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** Triggers come last, or they would fire while rows are copied; sqlite_sequence after the tables that move it. */
const ORDER = ['table', 'index', 'view', 'trigger'];
const SEQUENCE = 'sqlite_sequence';
const DEFINED_LATER: ReadonlySet<string> = new Set(['index', 'view', 'trigger']);

/** Pauses now and then, outside any transaction; each pause yields the progress. @throws AppError `stopped`, `full` */
export function* salvageInto(from: Connection, to: Connection): Generator<Progress, SalvageResult, undefined> {
  const notes: string[] = [];
  const schema = readSchema(from, notes);
  const tables: SalvagedTable[] = [];
  let rowsBefore = 0;
  to.run('PRAGMA foreign_keys = OFF');
  for (const { name, sql } of schema.filter(isPlainTable)) {
    const why =
      name === SEQUENCE ? attempt(() => to.run(`DELETE FROM ${SEQUENCE}`)) : define(to, { kind: 'table', name }, sql);
    if (why !== null) {
      if (name !== SEQUENCE) notes.push(`The table “${name}” could not be re-created: ${why}`);
      continue;
    }
    const { rowsSaved, complete, problem } = yield* salvageRows(from, to, name, rowsBefore);
    if (problem) notes.push(`“${name}”: ${problem}`);
    rowsBefore += rowsSaved;
    if (name !== SEQUENCE) tables.push({ name, rowsSaved, complete });
  }
  addVirtualTables(to, schema.filter(isVirtual), notes);
  // Objects without SQL are created with their table.
  const rest = schema.filter(({ type, sql }) => DEFINED_LATER.has(type) && sql !== null);
  for (const [done, { type, name, sql }] of rest.entries()) {
    yield { phase: 'Creating indexes, views, and triggers', done, total: rest.length, unit: 'steps' };
    const why = define(to, { kind: type as DefinedObject['kind'], name }, sql);
    if (why !== null) notes.push(`The ${type} “${name}” could not be re-created: ${why}`);
  }
  return { tables, notes };
}

/** Null when the object exists now, otherwise why not. */
function define(to: Connection, object: DefinedObject, sql: string | null): string | null {
  return attempt(() => {
    assertDefines(to, object, sql);
    to.run(sql ?? '');
  });
}

function assertDefines(to: Connection, object: DefinedObject, sql: string | null): void {
  if (to.assertDefines === undefined) fail('unavailable', 'this engine cannot tell what a definition does.');
  to.assertDefines(sql ?? '', object);
}

function readSchema(from: Connection, notes: string[]): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  const text = (value: Value): string | null => (typeof value === 'string' ? value : null);
  const why = attempt(() => {
    const statement = from.prepare('SELECT type, name, sql FROM sqlite_schema');
    try {
      while (statement.step()) {
        rows.push({
          type: text(statement.value(0)) ?? '',
          name: text(statement.value(1)) ?? '',
          sql: text(statement.value(2)),
        });
      }
    } finally {
      statement.finalize();
    }
  });
  if (why !== null) notes.push(`The list of tables could only be read in part (${why}), so tables may be missing.`);
  const index = ({ type, name }: SchemaRow): number => (name === SEQUENCE ? 0.5 : ORDER.indexOf(type));
  return rows.sort((a, b) => index(a) - index(b));
}

function isVirtual({ type, sql }: SchemaRow): boolean {
  return type === 'table' && /^\s*create\s+virtual\s/i.test(sql ?? '');
}

/** Statistics are left out: `ANALYZE` creates them again. */
function isPlainTable(row: SchemaRow): boolean {
  return row.type === 'table' && !isVirtual(row) && !row.name.startsWith('sqlite_stat');
}

/** Their content was copied with their shadow tables; creating them in the usual way would want to make those itself. */
function addVirtualTables(to: Connection, virtual: readonly SchemaRow[], notes: string[]): void {
  const sound = virtual.filter(({ name, sql }) => {
    const why = attempt(() => assertDefines(to, { kind: 'virtual', name }, sql));
    if (why !== null) notes.push(`The virtual table “${name}” could not be re-created: ${why}`);
    return why === null;
  });
  if (sound.length === 0) return;
  // The only place that writes to the schema, with defensive mode off: nothing of the file is run in the meantime.
  to.replay(() => {
    to.run('PRAGMA writable_schema = ON');
    for (const { name, sql } of sound)
      to.run("INSERT INTO sqlite_schema VALUES ('table', ?, ?, 0, ?)", [name, name, sql]);
  });
  for (const { name } of sound) {
    const why = attempt(() => to.one(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`));
    if (why !== null) notes.push(`The virtual table “${name}” may not work: ${why}`);
  }
}
