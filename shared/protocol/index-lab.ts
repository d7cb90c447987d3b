// Operations of the index lab: indexes that could help a statement, tried in a copy of the schema without rows, and measured in a copy of the
// database.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { ParameterValues, PlanLine } from './query.ts';

/** Plan that the planner expects for a statement. */
export interface ExpectedPlan {
  readonly lines: readonly PlanLine[];
  /** An estimate made from the costs in `lines`, in the unit of {@link PlanLine.cost}, of the whole statement. A hint. */
  readonly cost: number;
}

/** An index that is not in the database. */
export interface IndexCandidate {
  /** The CREATE INDEX statement. */
  readonly sql: string;
  readonly name: string;
  readonly table: string;
  /** Plan with this index and statistics about it. */
  readonly plan: ExpectedPlan;
  readonly isUsed: boolean;
  /** Whether SQLite also uses it with the statistics that the database has now, that is, before ANALYZE. */
  readonly isUsedNow: boolean;
  /** Extrapolated from a sample of the rows; null if that is not possible. */
  readonly bytes: number | null;
  /** An index that can do all that this one could; null if there is none. */
  readonly servedBy: string | null;
}

/** An index that could be dropped without changing what any statement can do. */
export interface RedundantIndex {
  readonly table: string;
  readonly index: string;
  /** The index that does its work. Null: the table itself, which is sorted by its row ids. */
  readonly covering: string | null;
}

export interface IndexLabReport {
  /** Plan with the existing indexes and statistics about them. */
  readonly plan: ExpectedPlan;
  /** Best first. */
  readonly candidates: readonly IndexCandidate[];
  /** How many indexes were tried. */
  readonly tried: number;
  /** Redundant indexes of the tables that the statement reads. */
  readonly redundant: readonly RedundantIndex[];
}

export interface IndexMeasurement {
  /** Times of the statement without and with the index, each run to its last row. */
  readonly beforeMs: readonly number[];
  readonly afterMs: readonly number[];
  readonly buildMs: number;
  readonly bytes: number;
}

export interface IndexLabOperations {
  /**
   * Looks for indexes that make the one statement of `sql` cheaper, or tries the given ones. Nothing is written to the database: the
   * planner is asked in a private copy of the schema without rows, with statistics from a sample of the rows. @throws AppError `invalid`
   * if the statement has no query plan, or a text of `indexes` is not a CREATE INDEX statement for a table of the database; `sql`, `stopped`
   */
  'indexLab.try': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      /** CREATE INDEX statements; null: the lab looks for some. */
      readonly indexes: readonly string[] | null;
    },
    IndexLabReport,
    Progress
  >;
  /** Runs the statement without and with the index in a private copy of the database, which is deleted afterward. @throws AppError `full`, `sql`, `stopped` */
  'indexLab.measure': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters: ParameterValues;
      readonly index: string;
    },
    IndexMeasurement,
    Progress
  >;
}
