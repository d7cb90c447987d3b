// Merges one database with another from what both were: schema, rows, and the proof that the result is what both sides make together.
import { foldName, sameName } from '#shared/ddl/names.ts';
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { CONFLICTS, type MergeOptions, type MergeSide } from '#shared/protocol/merge.ts';
import type { SchemaText, ComparedObject } from '#shared/protocol/schema-comparison.ts';
import { diffTables, type RowsWriter } from '../diff/diff-tables.ts';
import { Output } from '../diff/output.ts';
import { holdBoth } from '../diff/run-diff.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import { ByteWriter } from '../export/byte-writer.ts';
import { MergeFile } from '../library/merge/merge-file.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { applyPlan } from './apply.ts';
import { conflictsOf, writeConflicts, type Conflict } from './conflicts-table.ts';
import { MergedTables } from './merged-tables.ts';
import { mergeSchemas, type Loss, type SchemaMerge } from './merged-schema.ts';
import { planMerge, type Chosen } from './plan.ts';
import { reportOf } from './report.ts';
import { SideChanges, type ChangedSide } from './side-changes.ts';
import { checkFile } from '../engines/file-check.ts';
import { migrationChanges, migrationSteps } from '#shared/schema-diff/migration.ts';
import { sameSql } from '#shared/schema-diff/same-sql.ts';
import { schemaDifference } from '../diff/schema-changes.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { Work } from '../schema-change/work.ts';
import type { BlockRow } from '../diff/merge-rows.ts';
import { comparedTable, type ComparedTable } from '../diff/compared-tables.ts';
import { isSameIn } from '../diff/text-writer.ts';

export interface MergeDatabases {
  readonly base: Connection;
  readonly theirs: Connection;
  /** A private copy of `ours`, which becomes the result. */
  readonly copy: Connection;
  /** Makes a private copy of `base` or `theirs`. */
  readonly privateCopy: (of: Connection) => Generator<Pause, Connection>;
  /** An empty private database, for what is found. */
  readonly store: Connection;
  /** Another one, for rows that are to be sorted by UTF-8. */
  readonly scratch: () => Connection;
}

export interface MergeJob {
  readonly options: MergeOptions;
  /** Called now and then. @throws AppError `stopped` */
  readonly report: (progress: Progress) => Promise<void>;
}

export interface MergeResult {
  readonly conflicts: number;
  readonly report: string;
  readonly notes: readonly string[];
}

/** @throws AppError as `merge.write` */
export function* runMerge(turn: Turn, databases: MergeDatabases, job: MergeJob): Generator<Pause, MergeResult> {
  const nowhere = { write: () => Promise.resolve(), finish: () => Promise.resolve() };
  const output = new Output(turn, new ByteWriter(), nowhere, job.report);
  const merge = new RunningMerge(databases, job.options);
  const schema = yield* output.paced(merge.schema());
  const sides = yield* alignedSides(databases, schema.schema, job.options, output);
  yield* output.paced(merge.compare('theirs', sides.base, sides.theirs, schema.left));
  yield* output.paced(merge.compare('ours', sides.base, databases.copy, []));
  const chosen = yield* output.paced(merge.plan());
  const watch = (): void => {
    if (turn.stopRequested) throw AppError.stopped('The merge was stopped. Nothing was written.');
  };
  yield* output.paced(applyPlan({ ...databases, ...merge.parts, watch }));
  yield* output.paced(merge.compare('merged', sides.base, databases.copy, []));
  assertMerged(databases.store);
  return yield* output.paced(merge.finish(schema, chosen));
}

/** `base` and `theirs` with the tables of the merged schema. */
function* alignedSides(
  { base, theirs, privateCopy }: MergeDatabases,
  schema: SchemaText,
  { names }: MergeOptions,
  output: Output,
): Generator<Pause, { readonly base: Connection; readonly theirs: Connection }> {
  const aligned = function* (of: Connection, name: string): Generator<Pause, Connection> {
    if (!hasOtherTables(readSchemaText(of), schema)) return of;
    const copy = yield* privateCopy(of);
    yield* output.paced(migrate(copy, tablesOnly(schema), name, false));
    return copy;
  };
  return { base: yield* aligned(base, names[0]), theirs: yield* aligned(theirs, names[2]) };
}

class RunningMerge {
  readonly #databases: MergeDatabases;
  readonly #options: MergeOptions;
  readonly #changes: SideChanges;
  readonly #tables: MergedTables;
  readonly #file: MergeFile;
  readonly #notes: string[] = [];
  readonly #notMerged = new Map<string, string>();

  constructor(databases: MergeDatabases, options: MergeOptions) {
    this.#databases = databases;
    this.#options = options;
    this.#changes = new SideChanges(databases.store);
    this.#file = new MergeFile(databases.store);
    this.#tables = new MergedTables(databases.copy);
  }

  get parts(): { readonly file: MergeFile; readonly tables: MergedTables } {
    return { file: this.#file, tables: this.#tables };
  }

  readonly #choiceOf = (table: string): MergeSide | null => {
    const { all, tables } = this.#options.choices;
    return Object.entries(tables).find(([name]) => foldName(name) === foldName(table))?.[1] ?? all;
  };

  /** Brings the copy to the merged schema. */
  *schema(): Generator<number, SchemaMerge> {
    const { base, theirs, copy, scratch } = this.#databases;
    this.#noteEarlier();
    const [was, ours, there] = [base, copy, theirs].map(schemaOf) as [SchemaText, SchemaText, SchemaText];
    const mergedWith = (kept: readonly string[]): SchemaMerge =>
      mergeSchemas({ base: was, ours, theirs: there }, this.#choiceOf, new Set(kept.map(foldName)));
    this.#assertTables([was, ours, there]);
    const { losses } = mergedWith([]);
    const lost = yield* lostChanges({ base, ours: copy, theirs, scratch }, losses);
    const isKept = ({ side, table, columns }: Loss): boolean =>
      side === 'ours' && columns === null && this.#choiceOf(table) === 'ours';
    const merge = mergedWith(lost.filter(isKept).map(({ table }) => table));
    const refused = [...merge.conflicts, ...lost.filter((loss) => !isKept(loss)).map(lossSentence)];
    if (refused.length > 0)
      throw AppError.conflict(
        `${refused.join(' ')} Nothing was written. Make the definitions of both sides the same first, or choose a side with --ours or --theirs.`,
      );
    yield* migrate(copy, merge.schema, this.#options.names[1], true);
    return merge;
  }

  *compare(side: ChangedSide, base: Connection, of: Connection, left: readonly string[]): Generator<number, void> {
    const { scratch } = this.#databases;
    const { beside, release } = holdBoth({ mine: base, theirs: of, scratch });
    try {
      const writer = this.#changes.writer(side, this.#tables, left);
      const { notCompared } = yield* diffTables(
        { mine: base, theirs: of, scratch, beside },
        { tables: null, ignoredColumns: [] },
        writer,
      );
      for (const { table, why, isElsewhere } of notCompared) if (!isElsewhere) this.#notMerged.set(table, why);
    } finally {
      release();
    }
  }

  plan(): Generator<number, Chosen> {
    return planMerge({ ...this.parts, changes: this.#changes, choiceOf: this.#choiceOf });
  }

  /** What does not change any more is written and checked. */
  *finish({ taken }: SchemaMerge, chosen: Chosen): Generator<number, MergeResult> {
    const { copy } = this.#databases;
    for (const [table, why] of this.#notMerged)
      this.#notes.push(`The rows of “${table}” were not merged, and are those of ours: ${why}`);
    const list = (): Generator<Conflict> => conflictsOf(this.#file, this.#tables, this.#changes);
    const conflicts = yield* writeConflicts(copy, list());
    assertWhole(copy);
    const report = reportOf({
      ...this.parts,
      options: this.#options,
      taken,
      chosen,
      conflicts: list(),
      notes: this.#notes,
    });
    const undecided = [...this.#notMerged.keys()].filter((table) => this.#choiceOf(table) !== 'ours');
    return { conflicts: conflicts + undecided.length, report, notes: this.#notes };
  }

  /** @throws AppError `not-found` for a table that a choice names */
  #assertTables(schemas: readonly SchemaText[]): void {
    for (const name of Object.keys(this.#options.choices.tables))
      if (!schemas.some(({ objects }) => objects.some((object) => foldName(object.table) === foldName(name))))
        throw AppError.notFound(`There is no table “${name}” in any of the three. Nothing was written.`);
  }

  #noteEarlier(): void {
    const { copy, theirs } = this.#databases;
    for (const [connection, at] of [
      [copy, 1],
      [theirs, 2],
    ] as const)
      // prettier-ignore
      if (findTable(connection, CONFLICTS) !== null)
        this.#notes.push(
          `“${this.#options.names[at]}” has a table ${CONFLICTS} with conflicts of an earlier merge. It was left out.`,
        );
  }
}

/** Without the table of earlier conflicts. @throws AppError `unavailable` */
function schemaOf(connection: Connection): SchemaText {
  try {
    const schema = readSchemaText(connection);
    return { ...schema, objects: schema.objects.filter(({ table }) => foldName(table) !== CONFLICTS) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'sql')
      throw AppError.unavailable(`A schema cannot be read: ${whatHappened(error)} Nothing was written.`);
    throw error;
  }
}

// Proves a merge: compared with the base, the result has every change of `ours` and every planned change of `theirs`, and no other.

/**
 * Rows with a key: the planned row where one was taken, otherwise that of `ours`. Rows without one: how many more or fewer there are than in
 * the base.
 */
const EXPECTED = `
  SELECT t."table", t.key, r.row AS after, NULL AS count FROM changes t JOIN rows r ON r."table" = t."table" AND r.key = t.key AND r.state = 'take'
    WHERE t.side = 'theirs' AND t.count IS NULL AND r.row IS NOT t.before
  UNION ALL
  SELECT o."table", o.key, o.after, NULL FROM changes o WHERE o.side = 'ours' AND o.count IS NULL
    AND NOT EXISTS (SELECT 1 FROM rows r WHERE r."table" = o."table" AND r.key = o.key AND r.state = 'take')
  UNION ALL
  SELECT "table", key, NULL, sum(count) FROM (
    SELECT "table", key, count FROM changes WHERE side = 'ours' AND count IS NOT NULL
    UNION ALL
    SELECT t."table", t.key, CASE WHEN t.count < 0 THEN -min(-t.count, max(0, coalesce(o.count, 0) - t.count)) ELSE min(t.count, max(0, t.count - coalesce(o.count, 0))) END
      FROM changes t LEFT JOIN changes o ON o.side = 'ours' AND o."table" = t."table" AND o.key = t.key
      WHERE t.side = 'theirs' AND t.count IS NOT NULL
    UNION ALL
    SELECT r."table", r.key, -1 FROM rows r JOIN changes t ON t.side = 'theirs' AND t."table" = r."table" AND t.key = r.key AND t.count IS NOT NULL
      WHERE r.state = 'ask' AND r.kind = 'inserted'
  ) GROUP BY 1, 2 HAVING sum(count) <> 0`;

const MERGED = `SELECT "table", key, after, count FROM changes WHERE side = 'merged' AND (count IS NULL OR count <> 0)`;

/** @param store has the changes of all sides and the plan @throws AppError `unavailable` */
function assertMerged(store: Connection): void {
  store.run('CREATE INDEX IF NOT EXISTS by_key ON rows ("table", key)');
  for (const sql of [`${EXPECTED} EXCEPT ${MERGED}`, `${MERGED} EXCEPT SELECT * FROM (${EXPECTED})`]) {
    const row = store.one(`SELECT * FROM (${sql}) LIMIT 1`);
    if (row === null) continue;
    const table = String(row[0]).split('\0')[0];
    throw AppError.unavailable(
      `Rows of “${table}” would not be exactly what both sides make together: SQLite stores them in another way. Nothing was written.`,
    );
  }
}

/** @throws AppError `corrupt` */
function assertWhole(copy: Connection): void {
  const { messages } = checkFile(copy, 'integrity');
  if (messages.length === 0) return;
  throw AppError.corrupt(`SQLite’s check of the merged database failed: ${messages[0]}. Nothing was written.`);
}

// Brings private copies to the merged schema, so that the rows of all sides have the same columns.

const isTable = ({ kind }: ComparedObject): boolean => kind === 'table' || kind === 'virtual';

/** Whether a table that both have is defined in another way. */
function hasOtherTables(of: SchemaText, goal: SchemaText): boolean {
  const wanted = new Map(goal.objects.filter(isTable).map((object) => [foldName(object.name), object]));
  return of.objects.some((object) => {
    const other = isTable(object) ? wanted.get(foldName(object.name)) : undefined;
    return other !== undefined && !(other.kind === object.kind && sameSql(other.sql, object.sql));
  });
}

/** Tables alone, for a copy whose rows are only compared: its rows may break what an index or a trigger checks. */
const tablesOnly = (schema: SchemaText): SchemaText => ({ ...schema, objects: schema.objects.filter(isTable) });

/**
 * @param name what the user calls the database that this is a copy of
 * @param isProven nothing that depends on the schema, and no foreign key, may be broken by it
 * @throws AppError `unavailable`
 */
function* migrate(copy: Connection, goal: SchemaText, name: string, isProven: boolean): Generator<number, void> {
  const difference = schemaDifference(readSchemaText(copy), goal, null, true);
  const changes = migrationChanges(difference, new Set(migrationSteps(difference).map(({ id }) => id)));
  if (changes.length === 0) return;
  const turn = { connection: copy, deadlineMs: Infinity, stopRequested: false, measureBy: () => undefined };
  try {
    const steps = changeSchema(new Work(turn, () => undefined), changes);
    let step = steps.next();
    for (; !step.done; step = steps.next()) yield 0;
    const { broken, brokenKeys, integrity } = step.value;
    if (isProven && !isClean(step.value)) {
      const [first] = [...broken.map((each) => each.message), ...brokenKeys.map(keySentence), ...integrity];
      throw AppError.invalid(first ?? '');
    }
    copy.run('COMMIT');
  } catch (error) {
    if (!(error instanceof AppError) || !['sql', 'constraint', 'invalid'].includes(error.code)) throw error;
    throw AppError.unavailable(
      `“${name}” cannot get the definitions of the other side: ${whatHappened(error)} Nothing was written. Make the definitions of both sides the same first.`,
    );
  } finally {
    if (!copy.autocommit) copy.run('ROLLBACK');
  }
}

const keySentence = ({ table, parent }: { readonly table: string; readonly parent: string }): string =>
  `Rows of “${table}” would refer to rows of “${parent}” that do not exist.`;

// What one side changed in tables or columns that the other has dropped: it would be lost.

interface Sides extends Readonly<Record<MergeSide, Connection>> {
  readonly base: Connection;
  readonly scratch: () => Connection;
}

/** @yields the rows compared. Returns those in which something would be lost */
function* lostChanges(sides: Sides, losses: readonly Loss[]): Generator<number, readonly Loss[]> {
  const found: Loss[] = [];
  for (const loss of losses) {
    const writer = new LossWriter(loss);
    const both = { mine: sides.base, theirs: sides[loss.side], scratch: sides.scratch };
    const ignoredColumns = loss.columns === null ? [] : otherColumns(both.mine, both.theirs, loss);
    yield* diffTables(both, { tables: [loss.table], ignoredColumns }, writer);
    if (writer.hasLoss) found.push(loss);
  }
  return found;
}

function lossSentence({ table, columns }: Loss): string {
  const what = columns === null ? `the table “${table}”` : `columns of “${table}” (${columns.join(', ')})`;
  return `One side dropped ${what}, and the other changed rows there.`;
}

/** Those that are neither dropped nor part of the key. */
function otherColumns(mine: Connection, theirs: Connection, { table: name, columns }: Loss): readonly string[] {
  const table = comparedTable(mine, theirs, name, { ignoredColumns: [] });
  if ('why' in table) return [];
  return table.columns
    .slice(table.keys)
    .filter((column) => !columns!.some((dropped) => sameName(dropped, column)))
    .map((column) => `${name}.${column}`);
}

/** A row that was removed, or added with nothing in those columns, loses nothing. */
class LossWriter implements RowsWriter {
  readonly #loss: Loss;
  #places: readonly number[] = [];
  hasLoss = false;

  constructor(loss: Loss) {
    this.#loss = loss;
  }

  begin({ columns }: ComparedTable): void {
    const dropped = this.#loss.columns ?? columns;
    this.#places = [...columns.keys()].filter((at) => dropped.some((name) => sameName(name, columns[at]!)));
  }

  row(before: BlockRow | null, after: BlockRow | null): void {
    if (after === null) return;
    this.hasLoss ||= this.#places.some((at) =>
      before === null ? after.block.value(after.row, at) !== null : !isSameIn(before, after, at),
    );
  }

  end(): void {
    // The first loss is enough.
  }
}
