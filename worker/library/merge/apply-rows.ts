// Makes planned rows part of the copy in the caller's transaction, in an order that keys and unique values allow.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { MergeChoice, MergeChoices } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import { MergeTarget } from '../../history/merge-target.ts';
import type { PartialRow } from '../../history/net-changes.ts';
import { sameValue } from '../../sql/same-value.ts';
import type { MergeFile, PlannedRow } from './merge-file.ts';
import type { PlannedTable } from './plan-rows.ts';

export interface Sides {
  readonly mine: MergeTarget;
  readonly theirs: MergeTarget;
}

/** A row that cannot be changed as planned. */
export interface Refused {
  readonly row: PlannedRow;
  readonly message: string;
}

interface Blocked {
  readonly id: number;
  readonly message: string;
}

const SAVEPOINT = 'sidelite_merge';

export class RowApplier {
  rowsChanged = 0;
  /** Row ids that came beside rows of this copy. */
  readonly added: { readonly table: string; readonly key: readonly Value[] }[] = [];
  readonly #file: MergeFile;
  readonly #connection: Connection;
  readonly #choices: MergeChoices;
  readonly #sides: ReadonlyMap<string, Sides>;
  readonly #watch: () => void;

  constructor(
    file: MergeFile,
    connection: Connection,
    choices: MergeChoices,
    sides: ReadonlyMap<string, Sides>,
    watch: () => void,
  ) {
    this.#file = file;
    this.#connection = connection;
    this.#choices = choices;
    this.#sides = sides;
    this.#watch = watch;
  }

  /** Deletions make room for insertions; a row whose place is taken waits for another round. */
  run(): readonly Refused[] {
    let blocked: Blocked[] = [];
    this.#pass('deleted', false, blocked);
    this.#pass('updated', false, blocked);
    this.#pass('inserted', false, blocked);
    // The free row ids are known by now.
    this.#pass('updated', true, blocked);
    for (let before = Infinity; blocked.length > 0 && blocked.length < before;) {
      before = blocked.length;
      const again: Blocked[] = [];
      for (const { id } of blocked) {
        this.#watch();
        this.#try(this.#file.row(id), again);
      }
      blocked = again;
    }
    return this.#settle(this.#moveTogether(blocked));
  }

  #pass(kind: PlannedRow['kind'], isBoth: boolean, blocked: Blocked[]): void {
    for (const row of this.#file.rows([kind])) {
      if ((row.state === 'both') !== isBoth || !isTaken(row, this.#choices)) continue;
      this.#watch();
      this.#try(row, blocked);
    }
  }

  #try(row: PlannedRow, blocked: Blocked[], force = false): void {
    try {
      this.#take(row, force);
      this.rowsChanged++;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'constraint') throw error;
      blocked.push({ id: row.id, message: whatHappened(error) });
    }
  }

  #take({ table, kind, state, key }: PlannedRow, force: boolean): void {
    const { mine, theirs } = this.#sides.get(table)!;
    if (kind === 'deleted') return mine.delete(key);
    const row = theirs.read(key)!;
    if (state === 'both') {
      mine.insert(null, row);
      this.added.push({ table, key: [this.#connection.lastInsertRowid] });
    } else if (kind === 'inserted') mine.insert(key, row, force);
    else
      mine.update(
        { ...changeOf(mine.read(key)!, row), keyBefore: key, keyAfter: key, nameBefore: null, nameAfter: null },
        force,
      );
  }

  /** Handles rows that wait for one another (two that swap a unique value): removes all, then inserts all. */
  #moveTogether(blocked: readonly Blocked[]): readonly Blocked[] {
    const updates = blocked
      .map(({ id }) => this.#file.row(id))
      .filter(({ kind, state }) => kind === 'updated' && state !== 'both');
    if (updates.length < 2) return blocked;
    this.#connection.run(`SAVEPOINT ${SAVEPOINT}`);
    try {
      for (const { table, key } of updates) this.#sides.get(table)!.mine.delete(key);
      for (const { table, key } of updates) {
        const { mine, theirs } = this.#sides.get(table)!;
        mine.insert(key, theirs.read(key)!);
      }
      this.#connection.run(`RELEASE ${SAVEPOINT}`);
      this.rowsChanged += updates.length;
      const moved = new Set(updates.map(({ id }) => id));
      return blocked.filter(({ id }) => !moved.has(id));
    } catch (error) {
      this.#connection.run(`ROLLBACK TO ${SAVEPOINT}`);
      this.#connection.run(`RELEASE ${SAVEPOINT}`);
      if (error instanceof AppError && error.code === 'constraint') return blocked;
      throw error;
    }
  }

  /** If the user chose the source's row, it replaces whatever conflicts with it. */
  #settle(blocked: readonly Blocked[]): readonly Refused[] {
    const refused: Blocked[] = [];
    for (const { id, message } of blocked) {
      const row = this.#file.row(id);
      if (row.state === 'ask') this.#try(row, refused, true);
      else refused.push({ id, message });
    }
    return refused.map(({ id, message }) => ({ row: this.#file.row(id), message }));
  }
}

export function choiceOf({ id, table }: Pick<PlannedRow, 'id' | 'table'>, choices: MergeChoices): MergeChoice | null {
  return choices.rows[id] ?? choices.tables[table] ?? choices.all ?? null;
}

export function isTaken(row: PlannedRow, choices: MergeChoices): boolean {
  if (row.state === 'ask') return choiceOf(row, choices) === 'theirs';
  return row.state !== 'keep';
}

export function sidesOf(
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

function changeOf(now: PartialRow, row: PartialRow): { table: never; kind: 'update'; before: null; after: PartialRow } {
  const after = row.map((value, index) => (sameValue(value!, now[index]!) ? undefined : value));
  return { table: undefined as never, kind: 'update', before: null, after };
}
