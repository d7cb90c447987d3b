// The steps of one database in order, and its current position among them.
import { fail, inParts } from '#shared/protocol/errors.ts';
import type { HistoryState, HistoryStep, StepId, TableCounts } from '#shared/protocol/history.ts';
import { newRun } from '../sessions/session.ts';
import { KnownMarks } from './known-marks.ts';
import type { KeptCommit } from './merge-bases.ts';
import { type Snapshot, type SnapshotPart, MAX_SNAPSHOT_FILES, type SnapshotFiles } from './snapshot-files.ts';
import type { HistoryStore, HistoryPosition, StepDraft } from './store.ts';

export class Timeline {
  readonly store: HistoryStore;
  readonly files: SnapshotFiles;
  readonly marks: KnownMarks;
  #position: HistoryPosition;
  #steps: number;
  #sizeBytes: number;
  /** Looked up on request; undefined until then. */
  #current: HistoryStep | null | undefined;
  #undo: HistoryStep | null | undefined;
  #redo: HistoryStep | null | undefined;
  /** Does not change while steps are added above it, undone and redone. */
  #undoEnd: HistoryState['undoEnd'] | undefined;

  /**
   * @param mark commit mark of the database as it is now
   * @param keptMarks commit marks of states to which a caller may later ask for the way
   */
  constructor(
    store: HistoryStore,
    files: SnapshotFiles,
    mark: string,
    keptMarks: () => readonly KeptCommit[] = () => [],
  ) {
    this.store = store;
    this.files = files;
    this.marks = new KnownMarks(store, () => this.#position, keptMarks);
    this.#position = store.positionOf(mark) ?? { at: store.newest, newest: store.newest };
    const isKnown = store.isEmpty || store.positionOf(mark) !== null;
    // Steps after the position of the database: their commits were lost in a power cut.
    if (isKnown) this.#forgetSteps(this.#position.newest + 1, Number.MAX_SAFE_INTEGER);
    files.removeOthers(new Set(store.snapshots.all.map(({ file }) => file)));
    ({ steps: this.#steps, sizeBytes: this.#sizeBytes } = store.totals);
    // Nothing to report when there are no steps yet, or the end is unknown anyway.
    if (isKnown || this.#steps === 0) this.#settleAt(mark);
    else if (this.#isAtGap) this.extend(this.current!, this.current!.tables, mark);
    else this.append(gapStep(NOT_RECORDED, mark));
  }

  get position(): HistoryPosition {
    return this.#position;
  }

  get totals(): { readonly steps: number; readonly sizeBytes: number } {
    return { steps: this.#steps, sizeBytes: this.#sizeBytes };
  }

  /** The step that undo would revert; null when there is none, or when it cannot be undone. */
  get undo(): HistoryStep | null {
    if (this.#undo === undefined) this.#undo = this.#findUndo();
    return this.#undo;
  }

  /** The step where undo ends before it has reverted everything. */
  get undoEnd(): HistoryState['undoEnd'] {
    if (this.#undoEnd === undefined) this.#undoEnd = this.#findUndoEnd();
    return this.#undoEnd;
  }

  get redo(): HistoryStep | null {
    if (this.#redo === undefined) this.#redo = this.#findRedo();
    return this.#redo;
  }

  /** The step at the current position, of any kind. */
  get current(): HistoryStep | null {
    if (this.#current === undefined) this.#current = this.store.step(this.#position.at, this.#position.at);
    return this.#current;
  }

  /** Newest first. */
  list(before: StepId | null, limit: number): HistoryStep[] {
    return this.store.list(before ?? Number.MAX_SAFE_INTEGER, limit, this.#position.at);
  }

  /** How many steps undo has to revert down to `target`. @throws AppError `not-found`, `conflict` when one of them cannot be undone */
  stepsFrom(target: StepId): number {
    this.step(target);
    const end = this.undoEnd;
    if (!end || target > end.step) return this.store.count(target, this.#position.at);
    fail('conflict', `${end.why} Nothing was changed.`);
  }

  nextId(): StepId {
    return this.#position.newest + 1;
  }

  /** Adds a step and forgets the undone steps that could be redone until now. */
  append(draft: StepDraft): StepId {
    const id = this.nextId();
    if (this.#position.newest > this.#position.at) this.forget(this.#position.at + 1, this.#position.newest);
    const sizeBytes = this.store.append({ ...draft, id });
    this.#position = { at: id, newest: id };
    this.#steps++;
    this.#sizeBytes += sizeBytes;
    this.#forgetFound();
    const { virtual: _virtual, mark: _mark, undo: _undo, ...shown } = draft;
    this.#current = { ...shown, id, state: 'done', sizeBytes };
    this.#redo = null;
    if (draft.kind === 'gap') this.#undoEnd = undefined;
    return id;
  }

  /** Another program has committed: one step represents all its commits until Sidelite commits again. */
  noteOthers(mark: string): void {
    if (this.#steps === 0 || this.#isAtGap) return;
    if (this.current?.kind === 'gap') this.#forgetUndone(mark);
    else this.append(gapStep(OF_OTHERS, mark, { title: 'Changes of another program' }));
  }

  /** More was committed that the snapshot of `step` also undoes. */
  extend(step: HistoryStep, tables: readonly TableCounts[], mark: string): void {
    this.store.extend(step.id, tables, mark);
    this.#forgetFound();
  }

  addSnapshot(step: StepId, part: SnapshotPart, file: string, sizeBytes: number): void {
    this.#resize(step, () => this.store.snapshots.add({ step, part, file, sizeBytes }));
    this.#forgetFound();
  }

  /** `step` was undone. */
  movedBack(step: StepId, redo: Uint8Array | null, mark: string): void {
    const position = { at: this.store.list(step, 1, 0)[0]?.id ?? 0, newest: this.#position.newest };
    this.#resize(step, () => this.store.undone(step, redo, mark, position));
    this.#moveTo(position);
  }

  /** `step` was redone. */
  movedOn(step: StepId, undo: Uint8Array | null, mark: string): void {
    const position = { at: step, newest: this.#position.newest };
    this.#resize(step, () => this.store.redone(step, undo, mark, position));
    this.#moveTo(position);
  }

  /** The mark has changed although nothing in the history has. */
  moveMark(mark: string): void {
    this.store.move(mark, this.#position);
  }

  /**
   * The copy of the database as it was right before or after a step. The state after one step is the state before the next, so a series of
   * n steps needs n + 1 copies.
   */
  copyOf(step: StepId, part: SnapshotPart): Snapshot | null {
    const next = part === 'after' ? this.store.stepAfter(step, 0) : null;
    const copy = this.store.snapshots.of(step, part) ?? (next && this.store.snapshots.of(next.id, 'before'));
    return copy && this.files.has(copy.file) ? copy : null;
  }

  settle(mark: string): void {
    this.#settleAt(mark);
    this.store.checkpoint();
  }

  forget(from: StepId, to: StepId): void {
    for (const snapshot of this.store.snapshots.all)
      if (snapshot.step >= from && snapshot.step <= to) this.files.remove(snapshot.file);
    this.#forgetSteps(from, to);
    this.#count();
  }

  /**
   * Gives up the oldest copy, and all steps down to it, when the maximum number of copies is reached, or in any case. False when there is
   * none.
   */
  makeRoomForCopy(inAnyCase: boolean): boolean {
    const snapshots = this.store.snapshots.all;
    if (snapshots.length === 0) return false;
    if (inAnyCase || snapshots.length >= MAX_SNAPSHOT_FILES) this.forget(0, snapshots[0]!.step);
    return true;
  }

  /** Forgets the oldest steps until the rest is within its limits. Returns whether there were any. */
  trim(totalBytes: number): boolean {
    this.#dropSpentCopies();
    const before = this.#steps;
    while (this.#sizeBytes > totalBytes || this.store.snapshots.all.length > MAX_SNAPSHOT_FILES) {
      const oldest = this.store.oldest;
      if (oldest === null) break;
      // Undone steps can only be redone in order, so without the first the others are useless.
      this.forget(oldest, oldest > this.#position.at ? this.#position.newest : oldest);
    }
    return this.#steps !== before;
  }

  /** @throws AppError `not-found` */
  step(id: StepId): HistoryStep {
    const step = this.store.step(id, this.#position.at);
    if (step) return step;
    fail('not-found', inParts('This step is no longer in the history.', 'Nothing was changed.'));
  }

  close(): void {
    this.store.close();
  }

  /** Copies for redo of steps that are done now. The next undo makes new ones. */
  #dropSpentCopies(): void {
    const spent = (snapshot: Snapshot): boolean => snapshot.part === 'after' && snapshot.step <= this.#position.at;
    for (const snapshot of this.store.snapshots.all.filter(spent)) {
      this.files.remove(snapshot.file);
      this.#resize(snapshot.step, () => this.store.snapshots.remove(snapshot));
    }
  }

  /** Updates the total to the new size of the step. */
  #resize(step: StepId, change: () => void): void {
    const before = this.store.sizeOf(step);
    change();
    this.#sizeBytes += this.store.sizeOf(step) - before;
  }

  #forgetSteps(from: StepId, to: StepId): void {
    this.marks.lose(from, to);
    this.store.forget(from, to);
  }

  #settleAt(mark: string): void {
    this.marks.settle(mark);
    this.store.settle(mark, this.#position);
  }

  #forgetUndone(mark: string): void {
    const { at, newest } = this.#position;
    this.#position = { at, newest: at };
    this.forget(at + 1, newest);
    this.moveMark(mark);
  }

  get #isAtGap(): boolean {
    return this.#position.at === this.#position.newest && this.current?.kind === 'gap';
  }

  #moveTo(position: HistoryPosition): void {
    this.#position = position;
    this.#forgetFound();
  }

  #count(): void {
    ({ steps: this.#steps, sizeBytes: this.#sizeBytes } = this.store.totals);
    this.#undoEnd = undefined;
    this.#forgetFound();
  }

  #forgetFound(): void {
    this.#current = this.#undo = this.#redo = undefined;
  }

  #findUndo(): HistoryStep | null {
    const step = this.current;
    return step && step.id > (this.undoEnd?.step ?? 0) ? step : null;
  }

  #findUndoEnd(): HistoryState['undoEnd'] {
    for (const { id, kind, title, why } of this.store.wholeSteps(this.#position.at)) {
      const reason =
        kind === 'gap' ? why : this.copyOf(id, 'before') ? null : 'The copy that was kept for it no longer exists.';
      if (reason !== null) return { step: id, why: `Undo ends at “${title}”, which cannot be undone. ${reason}` };
    }
    return null;
  }

  #findRedo(): HistoryStep | null {
    const step = this.store.stepAfter(this.#position.at, this.#position.at);
    if (!step || step.kind === 'gap') return null;
    return (step.kind === 'rows' ? this.store.hasRedoLog(step.id) : this.copyOf(step.id, 'after')) ? step : null;
  }
}

// The step that represents changes that were not recorded: undo ends there.

const NOT_RECORDED =
  'Changes were made here that are not in the history: the app or the machine ended before they were recorded, or another program made them.';
const OF_OTHERS = 'Another program wrote to this file. What it changed there is not recorded here.';

export function gapStep(why: string, mark: string, about: Partial<StepDraft> = {}): StepDraft {
  return {
    atMs: Date.now(),
    title: 'Changes that were not recorded',
    sql: null,
    windowTitle: '',
    run: newRun(),
    tables: [],
    virtual: {},
    ...about,
    kind: 'gap',
    why,
    mark,
    undo: null,
  };
}
