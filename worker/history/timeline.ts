// The steps of one database in order, and where among them the database stands now.
import { AppError } from '#shared/protocol/errors.ts';
import { newRun } from '../sessions/journal.ts';
import type { HistoryState, HistoryStep, StepId, TableCounts } from '#shared/protocol/history.ts';
import { MAX_SNAPSHOT_FILES } from './snapshots.ts';
import type { SnapshotFiles } from './snapshots.ts';
import type { Anchor, HistoryStore, NewStep, Place, Snapshot, SnapshotPart } from './store.ts';

/** What is known of a step before it has its number. */
export type StepDraft = Omit<NewStep, 'id'>;

/** A step that is named from outside, in a history that may begin anew. */
export interface KnownStep {
  readonly mark: string;
  readonly id: StepId;
  readonly born: number;
}

/** A state that somebody may want to know the way to. */
export interface KeptMark {
  readonly mark: string;
  /** Another file differed there, and only its {@link Timeline.anchor} knows how. */
  readonly hasRows: boolean;
}

export interface Way {
  readonly isBack: boolean;
  readonly steps: readonly { readonly id: StepId; readonly kind: HistoryStep['kind'] }[];
}

export class Timeline {
  readonly store: HistoryStore;
  readonly files: SnapshotFiles;
  #place: Place;
  #steps: number;
  #sizeBytes: number;
  readonly #keptMarks: () => readonly KeptMark[];
  /** Looked up when they are asked for: undefined until then. */
  #current: HistoryStep | null | undefined;
  #undo: HistoryStep | null | undefined;
  #redo: HistoryStep | null | undefined;
  /** Stays what it is while steps are added above it, taken back and done again. */
  #undoEnd: HistoryState['undoEnd'] | undefined;

  /**
   * @param mark of the database as it is found
   * @param keptMarks of states that somebody may want to know the way to
   */
  constructor(
    store: HistoryStore,
    files: SnapshotFiles,
    mark: string,
    keptMarks: () => readonly KeptMark[] = () => [],
  ) {
    this.store = store;
    this.files = files;
    this.#keptMarks = keptMarks;
    this.#place = store.placeOf(mark) ?? { at: store.newest, newest: store.newest };
    const isKnown = store.isEmpty || store.placeOf(mark) !== null;
    // Steps from after the place the database is at: their commits were lost in a power cut.
    if (isKnown) this.#forgetSteps(this.#place.newest + 1, Number.MAX_SAFE_INTEGER);
    files.removeOthers(new Set(store.snapshots.map(({ file }) => file)));
    ({ steps: this.#steps, sizeBytes: this.#sizeBytes } = store.totals);
    // Where nothing was done yet, or the end is not known anyway, there is nothing to say.
    if (isKnown || this.#steps === 0) this.#settleAt(mark);
    else if (this.#isAtGap) this.extend(this.current!, this.current!.tables, mark);
    else this.append(gapStep(NOT_RECORDED, mark));
  }

  get place(): Place {
    return this.#place;
  }

  get totals(): { readonly steps: number; readonly sizeBytes: number } {
    return { steps: this.#steps, sizeBytes: this.#sizeBytes };
  }

  /** The step that undo would take back: null when there is none, or when it cannot be. */
  get undo(): HistoryStep | null {
    if (this.#undo === undefined) this.#undo = this.#findUndo();
    return this.#undo;
  }

  /** Where undo ends before it has taken everything back. */
  get undoEnd(): HistoryState['undoEnd'] {
    if (this.#undoEnd === undefined) this.#undoEnd = this.#findUndoEnd();
    return this.#undoEnd;
  }

  get redo(): HistoryStep | null {
    if (this.#redo === undefined) this.#redo = this.#findRedo();
    return this.#redo;
  }

  /** The step the database stands at, whatever its kind. */
  get current(): HistoryStep | null {
    if (this.#current === undefined) this.#current = this.store.step(this.#place.at, this.#place.at);
    return this.#current;
  }

  /** Newest first. */
  list(before: StepId | null, limit: number): HistoryStep[] {
    return this.store.list(before ?? Number.MAX_SAFE_INTEGER, limit, this.#place.at);
  }

  /** How many steps there are to take back down to `target`. @throws AppError `not-found`, `conflict` when one of them cannot be */
  stepsFrom(target: StepId): number {
    this.step(target);
    const end = this.undoEnd;
    if (!end || target > end.step) return this.store.count(target, this.#place.at);
    throw new AppError({ code: 'conflict', message: `${end.why} Nothing was changed.` });
  }

  nextId(): StepId {
    return this.#place.newest + 1;
  }

  /** A new step; what was undone and could be redone until now is forgotten. */
  append(draft: StepDraft): StepId {
    const id = this.nextId();
    if (this.#place.newest > this.#place.at) this.forget(this.#place.at + 1, this.#place.newest);
    const sizeBytes = this.store.append({ ...draft, id });
    this.#place = { at: id, newest: id };
    this.#steps++;
    this.#sizeBytes += sizeBytes;
    this.#forgetFound();
    const { virtual: _virtual, mark: _mark, undo: _undo, ...shown } = draft;
    this.#current = { ...shown, id, state: 'done', sizeBytes };
    this.#redo = null;
    if (draft.kind === 'gap') this.#undoEnd = undefined;
    return id;
  }

  /** Another program has committed something: one step stands for all it does until something is done here. */
  noteOthers(mark: string): void {
    if (this.#steps === 0 || this.#isAtGap) return;
    if (this.current?.kind === 'gap') this.#forgetUndone(mark);
    else this.append(gapStep(OF_OTHERS, mark, { title: 'Changes of another program' }));
  }

  /** More was committed that the snapshot of `step` takes back too. */
  extend(step: HistoryStep, tables: readonly TableCounts[], mark: string): void {
    this.store.extend(step.id, tables, mark);
    this.#forgetFound();
  }

  addSnapshot(step: StepId, part: SnapshotPart, file: string, sizeBytes: number): void {
    this.#resize(step, () => this.store.addSnapshot({ step, part, file, sizeBytes }));
    this.#forgetFound();
  }

  /** `step` was taken back. */
  movedBack(step: StepId, redo: Uint8Array | null, mark: string): void {
    const place = { at: this.store.list(step, 1, 0)[0]?.id ?? 0, newest: this.#place.newest };
    this.#resize(step, () => this.store.undone(step, redo, mark, place));
    this.#moveTo(place);
  }

  /** `step` was done again. */
  movedOn(step: StepId, undo: Uint8Array | null, mark: string): void {
    const place = { at: step, newest: this.#place.newest };
    this.#resize(step, () => this.store.redone(step, undo, mark, place));
    this.#moveTo(place);
  }

  /** The mark is another although nothing happened that concerns the history. */
  moveMark(mark: string): void {
    this.store.move(mark, this.#place);
  }

  /**
   * The copy of the database as it was right before or after a step. What was after one is what was before the next, so that a run of
   * them needs one copy more than there are steps.
   */
  copyOf(step: StepId, part: SnapshotPart): Snapshot | null {
    const next = part === 'after' ? this.store.stepAfter(step, 0) : null;
    const copy = this.store.snapshot(step, part) ?? (next && this.store.snapshot(next.id, 'before'));
    return copy && this.files.has(copy.file) ? copy : null;
  }

  settle(mark: string): void {
    this.#settleAt(mark);
    this.store.checkpoint();
  }

  /**
   * The steps that lead from where the database stands to where it was at `mark`, in order: all to be taken back, or all to be done
   * again. Null when nobody knows the way any more.
   */
  wayTo(mark: string): Way | null {
    const anchor = this.#anchorOf(mark);
    if (!anchor) return null;
    const { at } = this.#place;
    const isBack = anchor.at <= at;
    const steps = isBack ? this.store.range(anchor.at + 1, at) : this.store.range(at + 1, anchor.at).reverse();
    return steps.some(({ kind }) => kind === 'gap') ? null : { isBack, steps };
  }

  /** Whether there is no step between where the database stands and where it was at `mark`. Asked again and again: it reads none of them. */
  standsAt(mark: string): boolean {
    const anchor = this.#anchorOf(mark);
    if (!anchor) return false;
    const { at } = this.#place;
    return !this.store.hasAny(Math.min(anchor.at, at) + 1, Math.max(anchor.at, at));
  }

  /** @param rows how another file differs from the database as it is now */
  anchor(mark: string, rows: Iterable<Uint8Array>): void {
    this.store.anchor({ mark, at: this.#place.at }, rows);
  }

  /** Whether what the step with this mark did is part of the database now; null: it is not known any more. */
  isDone({ mark, id, born }: KnownStep): boolean | null {
    if (born !== this.store.born) return null;
    const step = this.store.stepWithMark(mark, this.#place.at);
    if (step) return step.state === 'done';
    const { oldest } = this.store;
    return oldest !== null && oldest < id ? false : null;
  }

  /** The step with this mark, to be asked about later. */
  known(mark: string): KnownStep | null {
    const step = this.store.stepWithMark(mark, this.#place.at);
    return step && { mark, id: step.id, born: this.store.born };
  }

  forget(from: StepId, to: StepId): void {
    for (const snapshot of this.store.snapshots)
      if (snapshot.step >= from && snapshot.step <= to) this.files.remove(snapshot.file);
    this.#forgetSteps(from, to);
    this.#count();
  }

  /** Gives up the oldest copy, and all steps down to it, when there are as many as there may be; or in any case. False: there is none. */
  makeRoomForCopy(inAnyCase: boolean): boolean {
    const { snapshots } = this.store;
    if (snapshots.length === 0) return false;
    if (inAnyCase || snapshots.length >= MAX_SNAPSHOT_FILES) this.forget(0, snapshots[0]!.step);
    return true;
  }

  /** Forgets the oldest steps until the rest is within its limits. Answers whether any was. */
  trim(totalBytes: number): boolean {
    this.#dropSpentCopies();
    const before = this.#steps;
    while (this.#sizeBytes > totalBytes || this.store.snapshots.length > MAX_SNAPSHOT_FILES) {
      const oldest = this.store.oldest;
      if (oldest === null) break;
      // Steps that were undone can only be redone in order: without the first the others are of no use.
      this.forget(oldest, oldest > this.#place.at ? this.#place.newest : oldest);
    }
    return this.#steps !== before;
  }

  /** @throws AppError `not-found` */
  step(id: StepId): HistoryStep {
    const step = this.store.step(id, this.#place.at);
    if (step) return step;
    throw new AppError({
      code: 'not-found',
      message: 'This step is not in the history any more. Nothing was changed.',
    });
  }

  close(): void {
    this.store.close();
  }

  /** Copies to redo from, of steps that are done: they are taken anew at the next undo. */
  #dropSpentCopies(): void {
    const spent = (snapshot: Snapshot): boolean => snapshot.part === 'after' && snapshot.step <= this.#place.at;
    for (const snapshot of this.store.snapshots.filter(spent)) {
      this.files.remove(snapshot.file);
      this.#resize(snapshot.step, () => this.store.removeSnapshot(snapshot));
    }
  }

  /** The total follows what the step has become. */
  #resize(step: StepId, change: () => void): void {
    const before = this.store.sizeOf(step);
    change();
    this.#sizeBytes += this.store.sizeOf(step) - before;
  }

  /** Anchors whose way leads over steps that go are of no use. */
  #forgetSteps(from: StepId, to: StepId): void {
    this.#keepAnchors();
    const { at: here } = this.#place;
    for (const { mark, at } of this.store.anchors) {
      if (at === LOST) continue;
      const [low, high] = [Math.max(from, Math.min(at, here) + 1), Math.min(to, Math.max(at, here))];
      if (low <= high && this.store.hasAny(low, high)) this.store.anchor({ mark, at: LOST }, []);
    }
    this.store.forget(from, to);
  }

  #settleAt(mark: string): void {
    this.#keepAnchors(mark);
    this.store.settle(mark, this.#place);
  }

  #anchorOf(mark: string): Anchor | null {
    this.#keepAnchors();
    return this.store.anchors.find((each) => each.mark === mark && each.at !== LOST) ?? null;
  }

  /** Places are looked up while they are known: settling and forgetting leaves steps only. */
  #keepAnchors(now?: string): void {
    const wanted = this.#keptMarks();
    if (wanted.length === 0) return;
    const known = this.store.anchors;
    for (const { mark } of known) if (!wanted.some((each) => each.mark === mark)) this.store.dropAnchor(mark);
    for (const { mark, hasRows } of wanted) {
      if (hasRows || known.some((each) => each.mark === mark)) continue;
      const place = mark === now ? this.#place : this.store.placeOf(mark);
      if (place) this.store.anchor({ mark, at: place.at }, []);
    }
  }

  #forgetUndone(mark: string): void {
    const { at, newest } = this.#place;
    this.#place = { at, newest: at };
    this.forget(at + 1, newest);
    this.moveMark(mark);
  }

  get #isAtGap(): boolean {
    return this.#place.at === this.#place.newest && this.current?.kind === 'gap';
  }

  #moveTo(place: Place): void {
    this.#place = place;
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
    for (const { id, kind, title, why } of this.store.wholeSteps(this.#place.at)) {
      const reason = kind === 'gap' ? why : this.copyOf(id, 'before') ? null : 'The copy that was kept for it is gone.';
      if (reason !== null) return { step: id, why: `Undo ends at “${title}”, which cannot be taken back. ${reason}` };
    }
    return null;
  }

  #findRedo(): HistoryStep | null {
    const step = this.store.stepAfter(this.#place.at, this.#place.at);
    if (!step || step.kind === 'gap') return null;
    return (step.kind === 'rows' ? this.store.hasRedoLog(step.id) : this.copyOf(step.id, 'after')) ? step : null;
  }
}

const OF_OTHERS = 'Another program wrote to this file. What it changed there is not recorded here.';
/** Of an anchor: steps on the way are gone. It stays, so that it is not found again by what is left. */
const LOST = -1;

const NOT_RECORDED =
  'Changes were made here that are not in the history: the app or the machine ended before they were noted, or another program made them.';

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
