// Rebuilds a table in one request of an open transaction, for engines where each statement is a round trip. Servers do not accept
// `PRAGMA legacy_alter_table`, and without it a rename reaches views, triggers, and the keys of other tables. So the rows are copied into an
// interim table, the table is dropped and created from its text, and gets its rows back. Both copies are
// compared with what they were made from by statements that fail, so that nothing behind them is run. Statistics get an interim name as well, because
// servers accept no ANALYZE that would make new ones.
import type { AppError } from '#shared/protocol/errors.ts';
import type { SchemaName, TableProof } from '#shared/protocol/schema-change.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { unless } from '../engines/guarded-write.ts';
import type { BoundSql } from '../engines/guarded-write.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { interimSql, withoutRules } from './interim-table.ts';
import { failure, MISSING, OTHER_VALUES, planCopy } from './copy-rows.ts';
import type { CopyPlan } from './copy-rows.ts';
import { isAutoincrement } from './owned-objects.ts';
import type { OwnedObject } from './owned-objects.ts';
import { sequenceToInterimSql, sequenceBackSql, statisticsSql } from './kept-counts.ts';
import { changedValuesSql, equalRowsSql, otherRowsSql, provedColumns } from './row-comparison.ts';
import type { Work } from './work.ts';

export interface Rebuilt {
  readonly proof: TableProof;
  readonly restored: readonly SchemaName[];
}

export interface RebuildTogether {
  readonly before: TableShape;
  /** The table as `sql` defines it. */
  readonly after: TableShape;
  /** The name of no table. */
  readonly interim: string;
  readonly sql: string;
  /** The former name of each column of `after`; null: a new one. */
  readonly columns: readonly (string | null)[];
  /** Indexes and triggers to create again. */
  readonly owned: readonly OwnedObject[];
}

type Step =
  /** Changes something, and is shown. */
  | { readonly kind: 'change'; readonly sql: string }
  | { readonly kind: 'read'; readonly sql: string }
  /** Fails unless `condition`. */
  | { readonly kind: 'check'; readonly condition: string; readonly error: (read: Read) => AppError };

/** Row that a `read` step returned, by its SQL. */
type Read = (sql: string) => readonly Value[];

export function* rebuildTogether(work: Work, rebuild: RebuildTogether): Generator<Pause, Rebuilt> {
  const { connection } = work;
  const { before, after, interim, columns, owned } = rebuild;
  const plain = withoutRules(before, interim);
  const out = planCopy({ table: before.name, before, after: plain, sources: before.columns.map(({ name }) => name) });
  const back = planCopy({ table: before.name, before: plain, after, sources: columns });
  const steps = stepsOf(connection, rebuild, plain, { out, back });
  work.tell(`Rebuilding ${before.name} on the server`);
  yield* work.look();
  work.sql.push(...steps.flatMap((step) => (step.kind === 'change' ? [step.sql] : [])));
  const read = runSteps(connection, steps);
  yield* work.look();
  const rows = Number(read(countSql(out.compared.from))[0]);
  const changed = changedValuesSql(back.compared, 'true').flatMap((sql) =>
    read(sql).map((count) => Number(count ?? 0)),
  );
  const { pairs } = back.compared;
  return {
    proof: {
      table: after.name,
      rowsBefore: rows,
      rowsAfter: rows,
      columns: provedColumns(pairs, changed),
      rowids: pairs.rowids,
    },
    restored: owned.map(({ kind, name, table }) => ({ kind, name, table })),
  };
}

function stepsOf(
  connection: Connection,
  { before, interim, sql, owned }: RebuildTogether,
  plain: TableShape,
  { out, back }: { readonly out: CopyPlan; readonly back: CopyPlan },
): readonly Step[] {
  const count = sequenceToInterimSql(connection, before.name, interim);
  const backSql = count === null ? [] : sequenceBackSql({ table: before.name, interim, counts: isAutoincrement(sql) });
  const statistics = statisticsSql(connection, before.name, interim);
  const { nullKeys } = back;
  return [
    change(interimSql(plain)),
    { kind: 'read', sql: countSql(out.compared.from) },
    change(out.insert),
    ...checksOf(before.name, out),
    ...(nullKeys === null ? [] : checkOfKeys(nullKeys)),
    ...(count === null ? [] : [change(count)]),
    ...statistics.toInterim.map(change),
    change(`DROP TABLE ${out.compared.from}`),
    change(sql),
    ...statistics.back.map(change),
    change(back.insert),
    ...checksOf(before.name, back),
    ...changedValuesSql(back.compared, 'true').map((read): Step => ({ kind: 'read', sql: read })),
    ...backSql.map(change),
    change(`DROP TABLE ${back.compared.from}`),
    ...owned.map((object) => change(object.sql)),
    ...statistics.settle.map(change),
  ];
}

const change = (sql: string): Step => ({ kind: 'change', sql });
const countSql = (table: string): string => `SELECT count(*) FROM ${table}`;

function checksOf(table: string, { compared }: CopyPlan): readonly Step[] {
  const { from, to } = compared;
  const check = (condition: string, what: string): Step => ({
    kind: 'check',
    condition,
    error: () => failure(table, what),
  });
  const others = otherRowsSql(compared);
  return [
    check(`(${countSql(to)}) = (${countSql(from)})`, MISSING),
    ...equalRowsSql(compared, 'true').map((sql) => check(`(${sql}) = (${countSql(from)})`, OTHER_VALUES)),
    ...(others === null ? [] : [check(`NOT EXISTS (${others})`, OTHER_VALUES)]),
  ];
}

function checkOfKeys({ sql, error }: NonNullable<CopyPlan['nullKeys']>): readonly Step[] {
  return [
    { kind: 'read', sql },
    { kind: 'check', condition: `(${sql}) = 0`, error: (read) => error(Number(read(sql)[0])) },
  ];
}

/** @throws AppError of the first step that fails */
function runSteps(connection: Connection, steps: readonly Step[]): Read {
  const outcomes = connection.runInTransaction!(steps.map(boundSql), false);
  const read: Read = (sql) => {
    const outcome = outcomes[steps.findIndex((step) => step.kind === 'read' && step.sql === sql)];
    if (outcome?.kind !== 'ran' || outcome.row === null) throw new Error('A statement that was run has no row.');
    return outcome.row;
  };
  outcomes.forEach((outcome, at) => {
    const step = steps[at]!;
    if (outcome.kind === 'failed') throw step.kind === 'check' ? step.error(read) : outcome.error;
  });
  return read;
}

function boundSql(step: Step): BoundSql {
  return step.kind === 'check' ? unless(step.condition) : { sql: step.sql, params: [] };
}
