// Undo and redo of grid edits in a database on a server: each is a new edit that checks that the rows are as the one before left them.
import { sameName } from '#shared/ddl/names.ts';
import type { EditReply, MadeChange, RowChange, TableChange } from '#shared/protocol/edit.ts';
import { AppError, fail, toAppError } from '#shared/protocol/errors.ts';
import type { HistoryState, HistoryStep, RowDifference, RowDifferencePage, StepId } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import { applyAll } from '../query/apply-all.ts';
import { applyChanges, applyMade } from '../query/apply-edits.ts';
import { inverseOf, madeBytes } from '../query/made-changes.ts';
import type { KeepMade } from '../query/apply-together.ts';
import { quoteName } from '../sql/quote.ts';

/** Values of rows, in memory. The oldest steps are forgotten first. */
const LIMITS = { totalBytes: 32e6, stepBytes: 6e6 };

const ONLY_EDITS =
  'In a database on a server, only edits of cells and rows can be undone, and only until Sidelite quits. Undo is a new edit, made only if the rows have not changed since. SQL statements, imports, and schema changes cannot be undone.';

const WHY_NOT = {
  unknown: 'It is unknown whether this was saved, so it cannot be undone.',
  transaction: 'It was made inside a transaction, so it cannot be undone.',
  large: 'Its values are too long to be kept, or its rows have no key, so it cannot be undone.',
  part: 'It changed a long value, which is not kept, so it cannot be undone.',
} as const;

interface Step extends Pick<HistoryStep, 'id' | 'atMs' | 'title' | 'windowTitle' | 'sizeBytes' | 'why'> {
  /** Forward. Null: it cannot be undone, and `why` says why. */
  made: readonly MadeChange[] | null;
}

interface Edit {
  readonly title: string;
  readonly windowTitle: string;
}

export class EditUndo {
  readonly #tell: (state: HistoryState) => void;
  readonly #limits: typeof LIMITS;
  /** Oldest first. */
  #steps: Step[] = [];
  /** Steps before this one are done, the others undone. */
  #done = 0;
  #lastId = 0;

  constructor(tell: (state: HistoryState) => void, limits = LIMITS) {
    this.#tell = tell;
    this.#limits = limits;
  }

  get state(): HistoryState {
    const [undo, redo] = [this.#steps[this.#done - 1], this.#steps[this.#done]];
    const gap = this.#steps
      .slice(0, this.#done)
      .reverse()
      .find(({ made }) => made === null);
    const offer = (step: Step | undefined) =>
      step?.made ? { step: step.id, title: `${step.title} (as a new edit)` } : null;
    return {
      undo: offer(undo),
      redo: offer(redo),
      undoEnd: gap ? { step: gap.id, why: gap.why! } : null,
      steps: this.#steps.length,
      sizeBytes: this.#size(),
      limits: this.#limits,
      why: ONLY_EDITS,
    };
  }

  /** Same as {@link applyChanges}, noting the edit. */
  apply(
    connection: Connection,
    { table, ...edit }: Edit & { readonly table: string },
    changes: readonly RowChange[],
  ): EditReply {
    return this.#noting(connection, edit, (keep) => applyChanges(connection, table, changes, keep));
  }

  /** Same as {@link applyAll}, noting the edit. */
  applyAll(connection: Connection, edit: Edit, changes: readonly TableChange[]): { readonly rowsChanged: number } {
    return this.#noting(connection, edit, (keep) => applyAll(connection, changes, keep));
  }

  /** Same as {@link applyMade}, noting the edit. */
  applyMade(connection: Connection, edit: Edit, changes: readonly MadeChange[]): void {
    // When the reply was lost, the requested changes are the changes made.
    this.#noting(connection, edit, (keep) => applyMade(connection, changes, (made) => keep(made ?? changes)));
  }

  #noting<T>(connection: Connection, edit: Edit, apply: (keep: KeepMade) => T): T {
    let made: readonly MadeChange[] | null | undefined;
    try {
      const reply = apply((kept) => (made = kept));
      const why = made === undefined ? WHY_NOT.transaction : WHY_NOT.large;
      this.#add(edit, made ?? null, why, alsoWritten(connection, made ?? []));
      return reply;
    } catch (error) {
      if (isUnknownOutcome(error)) this.#add(edit, null, WHY_NOT.unknown);
      throw error;
    }
  }

  /** An edit was made that cannot be undone. */
  noteLongValue(edit: Edit): void {
    this.#add(edit, null, WHY_NOT.part);
  }

  /** @throws AppError `not-found`, `not-undoable`, `conflict`; nothing was changed then */
  undo(connection: Connection): HistoryStep {
    const step = this.#steps[this.#done - 1];
    if (!step) throw nothingTo('undo');
    if (step.made === null) fail('not-undoable', `The last edit (${step.title}) was not undone. ${step.why}`);
    this.#make(connection, step, inverseOf(step.made), 'undo', (made) => (step.made = inverseOf(made)));
    this.#done--;
    return this.#told(step, 'undone');
  }

  /** @throws AppError as {@link undo} */
  redo(connection: Connection): HistoryStep {
    const step = this.#steps[this.#done];
    if (!step?.made) throw nothingTo('redo');
    this.#make(connection, step, step.made, 'redo', (made) => (step.made = made));
    this.#done++;
    return this.#told(step, 'done');
  }

  /** Undoes every step back to this one. @throws AppError as {@link undo}; the newer steps stay undone */
  undoTo(connection: Connection, id: StepId): { readonly undone: number } {
    let undone = 0;
    while (this.#done > 0 && this.#steps[this.#done - 1]!.id >= id) {
      this.undo(connection);
      undone++;
    }
    return { undone };
  }

  list(before: StepId | null, limit: number): { readonly steps: readonly HistoryStep[]; readonly more: boolean } {
    const all = this.#steps.map((step, at) => shown(step, at < this.#done ? 'done' : 'undone')).reverse();
    const from = all.filter(({ id }) => before === null || id < before);
    return { steps: from.slice(0, limit), more: from.length > limit };
  }

  rows(id: StepId, start: number, count: number): RowDifferencePage {
    const step = this.#steps.find((candidate) => candidate.id === id);
    if (!step) fail('not-found', 'This step is no longer kept.');
    const rows = (step.made ?? []).map(difference);
    return { rows: rows.slice(start, start + count), total: rows.length };
  }

  clear(): void {
    this.#steps = [];
    this.#done = 0;
    this.#tell(this.state);
  }

  #make(
    connection: Connection,
    step: Step,
    wanted: readonly MadeChange[],
    direction: 'undo' | 'redo',
    keep: (made: readonly MadeChange[]) => void,
  ): void {
    try {
      // When the reply was lost, the requested changes are the changes made.
      applyMade(connection, wanted, (made) => keep(made ?? wanted));
    } catch (thrown) {
      const error = toAppError(thrown);
      // Otherwise the server may only be away, or someone is writing: it can be tried again.
      if (!['conflict', 'not-found', 'constraint'].includes(error.code) && !isUnknownOutcome(error)) throw thrown;
      this.#drop(step, direction);
      if (isUnknownOutcome(error)) throw thrown;
      fail(
        'conflict',
        `${step.title} was not ${direction === 'undo' ? 'undone' : 'redone'}: ${error.message} It can no longer be ${direction === 'undo' ? 'undone' : 'redone'}; the edits before it can.`,
      );
    }
  }

  /** Drops a step whose changes can no longer be derived from the rows as they are now. */
  #drop(step: Step, direction: 'undo' | 'redo'): void {
    const at = this.#steps.indexOf(step);
    if (direction === 'undo') this.#steps.splice(at, 1);
    // Later ones depend on it.
    else this.#steps.splice(at);
    if (direction === 'undo') this.#done--;
    this.#tell(this.state);
  }

  /** @param note about what Undo leaves out */
  #add(
    { title, windowTitle }: Edit,
    made: readonly MadeChange[] | null,
    why: string,
    note: string | null = null,
  ): void {
    this.#steps.splice(this.#done);
    const isKept = made !== null && madeBytes(made) <= this.#limits.stepBytes;
    this.#steps.push({
      id: ++this.#lastId,
      atMs: Date.now(),
      title,
      windowTitle,
      made: isKept ? made : null,
      sizeBytes: isKept ? madeBytes(made) : 0,
      why: isKept ? note : why,
    });
    while (this.#size() > this.#limits.totalBytes) this.#steps.shift();
    this.#done = this.#steps.length;
    this.#tell(this.state);
  }

  #size(): number {
    // Each step takes 256 bytes besides its rows.
    return this.#steps.reduce((sum, { sizeBytes }) => sum + sizeBytes + 256, 0);
  }

  #told(step: Step, state: HistoryStep['state']): HistoryStep {
    this.#tell(this.state);
    return shown(step, state);
  }
}

function shown({ made, ...step }: Step, state: HistoryStep['state']): HistoryStep {
  const tables = tablesOf(made ?? []).map((table) => {
    const rows = made!.filter((change) => change.table === table);
    return {
      table,
      inserted: rows.filter(({ before }) => before === null).length,
      updated: rows.filter(({ before, after }) => before !== null && after !== null).length,
      deleted: rows.filter(({ after }) => after === null).length,
    };
  });
  return { ...step, kind: made ? 'rows' : 'gap', sql: null, run: step.id, tables, state };
}

const tablesOf = (made: readonly MadeChange[]): readonly string[] => [...new Set(made.map(({ table }) => table))];

function difference({ table, before, after }: MadeChange): RowDifference {
  const columns = Object.keys((after ?? before)!.image);
  const { key } = (after ?? before)!;
  return {
    table,
    kind: before === null ? 'inserted' : after === null ? 'deleted' : 'updated',
    key,
    name: null,
    columns,
    before: before && columns.map((column) => before.image[column]),
    after: after && columns.map((column) => after.image[column]),
  };
}

/** Deleting rows may have changed others, which a server does not report. Other edits fire their triggers again when they are undone. */
function alsoWritten(connection: Connection, made: readonly MadeChange[]): string | null {
  const emptied = tablesOf(made.filter(({ after }) => after === null));
  const others = new Set<string>();
  for (const table of emptied) {
    const statement = connection.prepare(`DELETE FROM main.${quoteName(table)}`);
    for (const name of statement.writtenTables ?? [])
      if (!tablesOf(made).some((own) => sameName(own, name))) others.add(name);
    statement.finalize();
  }
  if (others.size === 0) return null;
  const quoted = (names: Iterable<string>): string =>
    Array.from(names, (name) => `“${name}”`)
      .sort()
      .join(', ');
  return `Only rows of ${quoted(emptied)} are restored: what foreign keys and triggers have changed in ${quoted(others)} stays changed.`;
}

const isUnknownOutcome = (error: unknown): boolean => toAppError(error).detail?.['kind'] === 'unknown-outcome';

const nothingTo = (direction: 'undo' | 'redo'): AppError =>
  AppError.notFound(`There is no edit to ${direction}. ${ONLY_EDITS}`);
