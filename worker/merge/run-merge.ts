// Merges one database with another from what both were: schema, rows, and the proof that the result is what both sides make together.
import { foldName } from '#shared/ddl/names.ts';
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { CONFLICTS } from '#shared/protocol/merge.ts';
import type { MergeOptions, MergeSide } from '#shared/protocol/merge.ts';
import type { SchemaText } from '#shared/protocol/schema-comparison.ts';
import { diffTables } from '../diff/diff-tables.ts';
import { Output } from '../diff/output.ts';
import { holdBoth } from '../diff/run-diff.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import { ByteWriter } from '../export/byte-writer.ts';
import { MergeFile } from '../library/merge/merge-file.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { applyPlan } from './apply.ts';
import { conflictsOf, writeConflicts } from './conflicts-table.ts';
import type { Conflict } from './conflicts-table.ts';
import { lossSentence, lostChanges } from './losses.ts';
import { MergedTables } from './merged-tables.ts';
import { mergeSchemas } from './merged-schema.ts';
import type { Loss, SchemaMerge } from './merged-schema.ts';
import { hasOtherTables, migrate, tablesOnly } from './migrate.ts';
import { planMerge } from './plan.ts';
import type { Chosen } from './plan.ts';
import { assertMerged, assertWhole } from './prove.ts';
import { reportOf } from './report.ts';
import { SideChanges } from './side-changes.ts';
import type { ChangedSide } from './side-changes.ts';

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
