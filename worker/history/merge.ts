// Merges row changes into a database that has changed since: applies each change only where the rows still have the values it expects.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { ConflictChoice, ConflictChoices, RowConflict } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import { sameRow, sameValue } from '../sql/same-value.ts';
import { differenceOf, preview } from './differences.ts';
import type { MergeTarget } from './merge-target.ts';
import { asLogged, type NetChange, type PartialRow } from './net-changes.ts';
import type { VirtualTables } from './virtual-tables.ts';

export interface MergeStep {
  readonly index: number;
  readonly change: NetChange;
  readonly target: MergeTarget;
}

export interface MergeOutcome {
  readonly rowsChanged: number;
  readonly skipped: number;
  readonly conflicts: readonly Conflict[];
}

export interface Conflict {
  readonly step: MergeStep;
  readonly reason: RowConflict['reason'];
  readonly message: string;
}

type Attempt = 'done' | 'skipped' | Conflict | { readonly waits: Conflict };

const SAVEPOINT = 'sidelite_merge';
/** So few changes that wait for each other may be tried again after every one that was made. */
const FEW = 1000;
/** While more changes wait, each round must make at least this share: otherwise the time would grow with the square of their number. */
const LEAST_SHARE = 1 / 20;
const ORDER = { delete: 0, update: 1, insert: 2 } as const;

/** Makes one pass over all changes, in the caller's transaction. Rows in conflict are left unchanged. */
export class Merge {
  readonly #connection: Connection;
  readonly #choices: ConflictChoices | null;
  readonly #watch: () => void;
  readonly #conflicts: Conflict[] = [];
  #rowsChanged = 0;
  #skipped = 0;

  constructor(connection: Connection, choices: ConflictChoices | null, watch: () => void) {
    this.#connection = connection;
    this.#choices = choices;
    this.#watch = watch;
  }

  run(steps: readonly MergeStep[]): MergeOutcome {
    // Deletes come first to make room for inserts; a change whose place is taken waits for another round.
    let waiting: readonly MergeStep[] = [...steps].sort((a, b) => ORDER[a.change.kind] - ORDER[b.change.kind]);
    while (waiting.length > 0) {
      const blocked = this.#round(waiting);
      const made = waiting.length - blocked.length;
      // Rows whose values were shifted make way for each other from one end: every second round begins at the other one.
      waiting = blocked.map(({ step }) => step).reverse();
      if (made > 0 && (waiting.length <= FEW || made >= waiting.length * LEAST_SHARE)) continue;
      const rest = this.#moveTogether(blocked);
      if (rest === null && made > 0) throw waitTooLong(waiting.length);
      if (rest === null) for (const conflict of blocked) this.#settle(conflict);
      waiting = rest ?? [];
    }
    return { rowsChanged: this.#rowsChanged, skipped: this.#skipped, conflicts: this.#conflicts };
  }

  /** Returns the changes whose place is taken. */
  #round(waiting: readonly MergeStep[]): readonly Conflict[] {
    const blocked: Conflict[] = [];
    for (const step of waiting) {
      this.#watch();
      const attempt = this.#attempt(step, false);
      if (typeof attempt === 'object' && 'waits' in attempt) blocked.push(attempt.waits);
      else this.#note(attempt);
    }
    return blocked;
  }

  #note(attempt: 'done' | 'skipped' | Conflict): void {
    if (attempt === 'done') this.#rowsChanged++;
    else if (attempt === 'skipped') this.#skipped++;
    else this.#settle(attempt);
  }

  /** Handles a conflict as the user has chosen, or adds it to the list. */
  #settle(conflict: Conflict): void {
    const choice = choiceFor(this.#choices, conflict.step.index);
    if (choice === 'mine') this.#skipped++;
    else if (choice === null) this.#conflicts.push(conflict);
    else {
      const attempt = this.#attempt(conflict.step, true);
      if (attempt === 'done' || attempt === 'skipped') this.#note(attempt);
      else this.#conflicts.push('waits' in attempt ? attempt.waits : attempt);
    }
  }

  #attempt(step: MergeStep, force: boolean): Attempt {
    try {
      switch (step.change.kind) {
        case 'insert':
          return insertRow(step, force);
        case 'update':
          return updateRow(step, force);
        case 'delete':
          return deleteRow(step, force);
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'constraint') throw error;
      const kind = error.detail?.['kind'];
      const reason = kind === 'unique' || kind === 'primary-key' ? 'exists' : 'refused';
      return { waits: { step, reason, message: whatHappened(error) } };
    }
  }

  /**
   * Moves rows that wait for each other (two that swap a unique value): removes all, then inserts all. Returns the changes that still wait;
   * null when that fails too.
   */
  #moveTogether(blocked: readonly Conflict[]): readonly MergeStep[] | null {
    const steps = blocked.map(({ step }) => step);
    const updates = steps.filter(({ change }) => change.kind === 'update');
    if (updates.length < 2) return null;
    this.#connection.run(`SAVEPOINT ${SAVEPOINT}`);
    try {
      const rows = updates.map(({ change, target }) => overlay(target.read(change.keyBefore!)!, change.after!));
      for (const { change, target } of updates) target.delete(change.keyBefore!);
      for (const [index, { change, target }] of updates.entries()) target.insert(change.keyAfter!, rows[index]!);
      this.#connection.run(`RELEASE ${SAVEPOINT}`);
      this.#rowsChanged += updates.length;
      return steps.filter(({ change }) => change.kind !== 'update');
    } catch (error) {
      this.#connection.run(`ROLLBACK TO ${SAVEPOINT}`);
      this.#connection.run(`RELEASE ${SAVEPOINT}`);
      if (error instanceof AppError && error.code === 'constraint') return null;
      throw error;
    }
  }
}

const waitTooLong = (rows: number): AppError =>
  AppError.tooBig(
    `${rows.toLocaleString('en-US')} changed rows get unique values that other rows have, and finding out which of them can make way would take too long. Nothing was changed. Apply changes to fewer rows.`,
  );

export function choiceFor(choices: ConflictChoices | null, index: number): ConflictChoice | null {
  return choices?.rows[index] ?? choices?.all ?? null;
}

export function describeConflict({ step, reason, message }: Conflict, virtual: VirtualTables): RowConflict {
  const { change, target, index } = step;
  const key = change.kind === 'insert' ? change.keyAfter! : change.keyBefore!;
  const now = target.read(key);
  return {
    index,
    change: differenceOf(asLogged(change), virtual),
    reason,
    current: now && target.columns.map(({ place }) => preview(now[place])),
    message,
  };
}

function insertRow(step: MergeStep, force: boolean): Attempt {
  const { change, target } = step;
  const now = target.read(change.keyAfter!);
  if (now && agrees(now, change.after!)) return 'skipped';
  if (now && !force) {
    return { waits: { step, reason: 'exists', message: `Another row of “${target.table}” has this key now.` } };
  }
  if (now) target.delete(change.keyAfter!);
  target.insert(change.keyAfter!, change.after!, force);
  return 'done';
}

function updateRow(step: MergeStep, force: boolean): Attempt {
  const { change, target } = step;
  const now = target.read(change.keyBefore!);
  if (!now) {
    if (force) return 'skipped'; // there is no row to change, and its other values are unknown
    return { step, reason: 'gone', message: `This row of “${target.table}” no longer exists.` };
  }
  const moves = !sameRow(change.keyBefore!, change.keyAfter!);
  if (!moves && agrees(now, change.after!)) return 'skipped';
  if (!force && !agrees(now, change.before!))
    return { step, reason: 'differs', message: `This row of “${target.table}” has different values now.` };
  if (moves && !force && target.has(change.keyAfter!))
    return { waits: { step, reason: 'exists', message: `Another row of “${target.table}” has this key now.` } };
  target.update(change, force);
  return 'done';
}

function deleteRow(step: MergeStep, force: boolean): Attempt {
  const { change, target } = step;
  const now = target.read(change.keyBefore!);
  if (!now) return 'skipped';
  if (!force && !agrees(now, change.before!))
    return { step, reason: 'differs', message: `This row of “${target.table}” has different values now.` };
  target.delete(change.keyBefore!);
  return 'done';
}

/** Whether the row has every expected value; unknown values match anything. */
export function agrees(now: PartialRow, expected: PartialRow): boolean {
  return expected.every(
    (value, place) => value === undefined || now[place] === undefined || sameValue(value, now[place]),
  );
}

function overlay(row: PartialRow, changes: PartialRow): PartialRow {
  return row.map((value, place) => (changes[place] === undefined ? value : changes[place]));
}
