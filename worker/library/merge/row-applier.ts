// Makes planned rows part of a database in the caller's transaction, in an order that keys and unique values allow.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { MergeChoice, MergeChoices } from '#shared/protocol/source.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { MergeTarget } from '../../history/merge-target.ts';
import type { PartialRow } from '../../history/net-changes.ts';
import { sameValue } from '../../sql/same-value.ts';
import type { MergeFile, PlannedRow } from './merge-file.ts';

export type RowTarget = Pick<MergeTarget, 'read' | 'insert' | 'update' | 'delete'>;

interface RowsToApply {
  readonly file: MergeFile;
  readonly connection: Connection;
  /** By the names that the file has for tables. */
  readonly targets: ReadonlyMap<string, RowTarget>;
  readonly isTaken: (row: PlannedRow) => boolean;
  /** What a planned row that is not deleted becomes. */
  readonly rowOf: (row: PlannedRow) => PartialRow;
  readonly watch: () => void;
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
  /** Row ids that came beside rows of this database. */
  readonly added: { readonly table: string; readonly key: readonly Value[] }[] = [];
  readonly #work: RowsToApply;

  constructor(work: RowsToApply) {
    this.#work = work;
  }

  /** Deletions make room for insertions; a row whose place is taken waits for another round. */
  run(): readonly Refused[] {
    let blocked: Blocked[] = [];
    this.#pass('deleted', false, blocked);
    this.#pass('updated', false, blocked);
    this.#pass('inserted', false, blocked);
    // The free row ids are known by now.
    this.#pass('updated', true, blocked);
    this.#pass('inserted', true, blocked);
    for (let before = Infinity; blocked.length > 0 && blocked.length < before;) {
      before = blocked.length;
      const again: Blocked[] = [];
      for (const { id } of blocked) {
        this.#work.watch();
        this.#try(this.#work.file.row(id), again);
      }
      blocked = again;
    }
    return this.#settle(this.#moveTogether(blocked));
  }

  #pass(kind: PlannedRow['kind'], isBoth: boolean, blocked: Blocked[]): void {
    for (const row of this.#work.file.rows([kind])) {
      if ((row.state === 'both') !== isBoth || !this.#work.isTaken(row)) continue;
      this.#work.watch();
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

  #take(planned: PlannedRow, force: boolean): void {
    const { table, kind, state, key } = planned;
    const target = this.#work.targets.get(table)!;
    if (kind === 'deleted') return target.delete(key);
    const row = this.#work.rowOf(planned);
    if (state === 'both') {
      target.insert(null, row);
      this.added.push({ table, key: [this.#work.connection.lastInsertRowid] });
    } else if (kind === 'inserted') target.insert(key, row, force);
    else
      target.update(
        { ...changeOf(target.read(key)!, row), keyBefore: key, keyAfter: key, nameBefore: null, nameAfter: null },
        force,
      );
  }

  /** Handles rows that wait for one another (two that swap a unique value): removes all, then inserts all. */
  #moveTogether(blocked: readonly Blocked[]): readonly Blocked[] {
    const { file, connection, targets } = this.#work;
    const updates = blocked
      .map(({ id }) => file.row(id))
      .filter(({ kind, state }) => kind === 'updated' && state !== 'both');
    if (updates.length < 2) return blocked;
    connection.run(`SAVEPOINT ${SAVEPOINT}`);
    try {
      for (const { table, key } of updates) targets.get(table)!.delete(key);
      for (const row of updates) targets.get(row.table)!.insert(row.key, this.#work.rowOf(row));
      connection.run(`RELEASE ${SAVEPOINT}`);
      this.rowsChanged += updates.length;
      const moved = new Set(updates.map(({ id }) => id));
      return blocked.filter(({ id }) => !moved.has(id));
    } catch (error) {
      connection.run(`ROLLBACK TO ${SAVEPOINT}`);
      connection.run(`RELEASE ${SAVEPOINT}`);
      if (error instanceof AppError && error.code === 'constraint') return blocked;
      throw error;
    }
  }

  /** If the user chose the source's row, it replaces whatever conflicts with it. */
  #settle(blocked: readonly Blocked[]): readonly Refused[] {
    const { file } = this.#work;
    const refused: Blocked[] = [];
    for (const { id, message } of blocked) {
      const row = file.row(id);
      if (row.state === 'ask') this.#try(row, refused, true);
      else refused.push({ id, message });
    }
    return refused.map(({ id, message }) => ({ row: file.row(id), message }));
  }
}

export function choiceOf({ id, table }: Pick<PlannedRow, 'id' | 'table'>, choices: MergeChoices): MergeChoice | null {
  return choices.rows[id] ?? choices.tables[table] ?? choices.all ?? null;
}

export function isTaken(row: PlannedRow, choices: MergeChoices): boolean {
  if (row.state === 'ask') return choiceOf(row, choices) === 'theirs';
  return row.state !== 'keep';
}

function changeOf(now: PartialRow, row: PartialRow): { table: never; kind: 'update'; before: null; after: PartialRow } {
  const after = row.map((value, index) => (sameValue(value!, now[index]!) ? undefined : value));
  return { table: undefined as never, kind: 'update', before: null, after };
}
