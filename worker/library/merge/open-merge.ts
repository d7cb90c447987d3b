// A merge between being planned and being applied: the source as it was read, the plan, and the questions for the user.
import { AppError } from '#shared/protocol/errors.ts';
import type { DifferenceValue, TableCounts } from '#shared/protocol/history.ts';
import type { MergeChoices, MergePlan, MergeQuestion, MergeRowKind } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import type { Connection } from '../../engines/engine.ts';
import { preview } from '../../history/differences.ts';
import { MergeTarget } from '../../history/merge-target.ts';
import { mergeBaseValues } from '../../history/past-rows.ts';
import { assertNoTransaction } from '../../history/undo-redo.ts';
import { TextIndexes } from '../../history/text-indexes.ts';
import { rowBytes } from '../../sql/row-bytes.ts';
import type { MergeFile, PlannedRow } from './merge-file.ts';
import type { RowsPlanned, PlannedTable } from './plan-rows.ts';
import { References } from './references.ts';
import { choiceOf, isTaken, RowApplier, type Refused } from './row-applier.ts';

export interface MergeParts {
  readonly file: MergeFile;
  /** The source at the time it was read. */
  readonly theirs: Connection;
  readonly print: SourcePrint;
  readonly fileName: string;
  /** Commit mark of the copy that the plan is about. */
  readonly mark: string;
  readonly planned: RowsPlanned;
  /** Why the last common state of both is unknown; null when it is known. */
  readonly why: string | null;
  /** Closes all files. */
  readonly dispose: () => void;
}

export interface Applied {
  readonly rowsChanged: number;
  readonly later: number;
  /** Rows of the copy that currently differ from the source. */
  readonly ahead: number;
  /** Row ids assigned to rows of the source. */
  readonly added: RowApplier['added'];
}

export class OpenMerge {
  readonly parts: MergeParts;

  constructor(parts: MergeParts) {
    this.parts = parts;
  }

  get plan(): MergePlan {
    const { planned, why } = this.parts;
    const keyless = [...planned.tables.values()].filter(({ isKeyless }) => isKeyless).map(({ name }) => name);
    const touched = new Set(this.#counts('take', 'keep', 'ask', 'both').map(({ table }) => table));
    const told = keyless.filter((name) => touched.has(name));
    return {
      way: why === null ? 'three-way' : 'two-way',
      why,
      taken: this.#counts('take', 'both'),
      kept: this.#counts('keep').map((counts) => ({
        ...counts,
        inserted: counts.deleted,
        deleted: counts.inserted,
      })),
      questions: this.#counts('ask'),
      notes: [...planned.notes, ...(told.length > 0 ? [keylessNote(told, why === null)] : [])],
    };
  }

  /** Called in a turn that reads. */
  questions(mine: Connection, start: number, count: number): readonly MergeQuestion[] {
    const sides = sidesOf(this.parts.planned.tables, mine, this.parts.theirs);
    return this.parts.file.asked(start, count).map((row) => this.#question(row, sides.get(row.table)!));
  }

  /**
   * Call in a turn that writes. Returns `refused` if something stood against it: nothing was changed then, and the plan asks about it now.
   * @throws AppError `conflict` when the copy is not what the plan is about
   */
  apply(mine: Connection, choices: MergeChoices, watch: () => void): Applied | 'refused' {
    const { file, planned, theirs } = this.parts;
    assertNoTransaction(mine);
    this.assertCurrent(mine);
    const sides = sidesOf(planned.tables, mine, theirs);
    const byTable = this.#byLowerCase(choices);
    const touched = this.#touched(byTable);
    const indexes = new TextIndexes(mine, {}, new Set(touched));
    const applier = new RowApplier({
      file,
      connection: mine,
      targets: new Map([...sides].map(([table, side]) => [table, side.mine])),
      isTaken: (row) => isTaken(row, byTable),
      rowOf: ({ table, key }) => sides.get(table)!.theirs.read(key)!,
      watch,
    });
    try {
      mine.replay(() => {
        // Unlike the rows that undo restores, these may never have passed the checks of this copy.
        mine.run('PRAGMA ignore_check_constraints = OFF');
        const references = new References(mine, touched, planned.tables);
        const blocked = applier.run();
        const broken = references.broken(file, (row) => isTaken(row, byTable));
        const refused = [...blocked, ...broken.refused];
        if (refused.length > 0) throw new InTheWay(refused);
        if (broken.untraced !== null) throw refusedAsAWhole(broken.untraced);
        indexes.rebuild();
      });
    } catch (error) {
      if (!(error instanceof InTheWay)) throw error;
      this.#askAbout(error.refused);
      return 'refused';
    }
    return this.#applied(applier, byTable);
  }

  assertCurrent(mine: Connection): void {
    if (mine.commitMark !== this.parts.mark) throw movedOn();
  }

  /** The remaining differences of the source after the merge: the next merge begins there. */
  differing(choices: MergeChoices, mine: Connection, added: RowApplier['added']): Iterable<Uint8Array> {
    return this.#differing(
      this.#byLowerCase(choices),
      sidesOf(this.parts.planned.tables, mine, this.parts.theirs),
      added,
    );
  }

  *#differing(
    choices: MergeChoices,
    sides: ReadonlyMap<string, Sides>,
    added: RowApplier['added'],
  ): Generator<Uint8Array> {
    const { file, planned } = this.parts;
    for (const row of file.rows(['deleted', 'updated', 'inserted'])) {
      if (row.state !== 'both' && isTaken(row, choices)) continue;
      const { name: table, columns } = planned.tables.get(row.table)!;
      const known = choiceOf(row, choices) === 'later' && row.state === 'ask' ? row.base! : this.#theirs(row, sides);
      yield rowBytes(mergeBaseValues({ table, columns, key: row.key, row: known }));
    }
    for (const { table, key } of added) {
      const { name, columns } = planned.tables.get(table)!;
      yield rowBytes(mergeBaseValues({ table: name, columns, key, row: null }));
    }
  }

  #theirs({ table, key }: PlannedRow, sides: ReadonlyMap<string, Sides>): readonly Value[] | null {
    return sides.get(table)!.theirs.read(key) as readonly Value[] | null;
  }

  #applied({ rowsChanged, added }: RowApplier, choices: MergeChoices): Applied {
    let [later, ahead] = [0, added.length];
    for (const row of this.parts.file.rows(['deleted', 'updated', 'inserted'])) {
      if (row.state === 'both' || !isTaken(row, choices)) ahead++;
      if (row.state === 'ask' && choiceOf(row, choices) === 'later') later++;
    }
    return { rowsChanged, later, ahead, added };
  }

  #askAbout(refused: readonly Refused[]): void {
    for (const { row, message } of refused) this.parts.file.ask(row.id, message);
  }

  #question({ id, table, kind, key, base, message }: PlannedRow, { mine, theirs }: Sides): MergeQuestion {
    const { name, columns } = this.parts.planned.tables.get(table)!;
    const shown = (row: readonly (Value | undefined)[] | null): readonly DifferenceValue[] | null =>
      row && row.map((value) => preview(value));
    return {
      id,
      table: name,
      kind,
      key,
      columns,
      base: base === undefined ? undefined : shown(base),
      mine: shown(mine.read(key)),
      theirs: shown(theirs.read(key)),
      message,
    };
  }

  /** Tables whose rows change. */
  #touched(choices: MergeChoices): string[] {
    const asked = (table: string): boolean =>
      Object.keys(choices.rows).length > 0 || choiceOf({ id: 0, table }, choices) === 'theirs';
    const names = this.parts.file.counts
      .filter(({ table, state }) => state !== 'keep' && (state !== 'ask' || asked(table)))
      .map(({ table }) => this.parts.planned.tables.get(table)!.name);
    return [...new Set(names)];
  }

  #counts(...states: readonly string[]): readonly TableCounts[] {
    const found = new Map<string, { table: string } & Record<MergeRowKind, number>>();
    for (const { table, kind, state, count } of this.parts.file.counts) {
      if (!states.includes(state)) continue;
      const { name } = this.parts.planned.tables.get(table)!;
      const counts = found.get(table) ?? { table: name, inserted: 0, updated: 0, deleted: 0 };
      counts[state === 'both' ? 'inserted' : kind] += count;
      found.set(table, counts);
    }
    return [...found.values()];
  }

  #byLowerCase(choices: MergeChoices): MergeChoices {
    const tables = Object.entries(choices.tables).map(([name, choice]) => [name.toLowerCase(), choice]);
    return { ...choices, tables: Object.fromEntries(tables) as MergeChoices['tables'] };
  }
}

/** Rolls the transaction back. */
export class InTheWay extends Error {
  readonly refused: readonly Refused[];

  constructor(refused: readonly Refused[]) {
    super('Rows are in the way.');
    this.refused = refused;
  }
}

export function movedOn(): AppError {
  return AppError.conflict(
    'This copy was changed while it was being merged. Nothing was merged. Merge again with the current data.',
  );
}

function refusedAsAWhole(why: string): AppError {
  return AppError.constraint(`${why} Nothing was merged.`);
}

function keylessNote(names: readonly string[], isThreeWay: boolean): string {
  const list = names.map((name) => `“${name}”`).join(', ');
  const both = isThreeWay ? ' New rows of both sides are all kept.' : '';
  return `Without a primary key, rows of ${list} are identified by row id: after a VACUUM of one side they may be mistaken for others.${both}`;
}

interface Sides {
  readonly mine: MergeTarget;
  readonly theirs: MergeTarget;
}

function sidesOf(
  tables: ReadonlyMap<string, PlannedTable>,
  mine: Connection,
  theirs: Connection,
): ReadonlyMap<string, Sides> {
  return new Map(
    [...tables].map(([name, { logged }]) => [
      name,
      { mine: new MergeTarget(mine, logged, {}), theirs: new MergeTarget(theirs, logged, {}) },
    ]),
  );
}
