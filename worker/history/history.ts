// Keeps the history of one open database: each commit becomes a step, within the turn that commits.
import { fail, AppError } from '#shared/protocol/errors.ts';
import type { HistoryState, StepId } from '#shared/protocol/history.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { ChangeGuard, LoggedTable } from '../engines/row-log/row-log.ts';
import { QuietTimer, throttle, type Throttled } from '../sessions/clock.ts';
import type { CommitJournal } from '../sessions/journal.ts';
import type { WorkOrigin, WindowSession } from '../sessions/session.ts';
import { Author } from './author.ts';
import { type HistoryHost, SafetyCopy } from './safety-copy.ts';
import { historyFile, isDamage, openTimeline } from './open-timeline.ts';
import { OtherPrograms, overtakenByProgram } from './other-programs.ts';
import type { StepDraft } from './store.ts';
import { gapStep, type Timeline } from './timeline.ts';
import { openRowLog } from '../engines/row-log/reader.ts';
import { DifferencePages } from './differences.ts';
import { addCounts, countsOf, virtualTablesIn } from './virtual-tables.ts';

const TELL_EVERY_MS = 100;
const IDLE_MS = 2000;
/** The log of an undo or redo has no budget of its own, because it is as large as the one it reverts. */
const UNLIMITED_BYTES = 1 << 30;

/** A commit of one of the history's own transactions. */
interface Captured {
  readonly log: Uint8Array | null;
  readonly mark: string;
}

export class History implements CommitJournal {
  readonly #host: HistoryHost;
  readonly #author: Author;
  readonly #copy: SafetyCopy;
  readonly #others: OtherPrograms;
  readonly #recorder: Recorder;
  #capture: ((changes: TransactionChanges) => void) | null = null;
  readonly #idle: QuietTimer;
  readonly #tell: Throttled;
  readonly #pages = new StepPages();
  #onClose: () => void = () => undefined;

  constructor(host: HistoryHost) {
    this.#host = host;
    this.#idle = new QuietTimer(host.clock, IDLE_MS, () => this.#trim());
    this.#tell = throttle(() => host.tell(this.state), TELL_EVERY_MS, host.clock);
    this.#author = new Author(host.connection);
    this.#others = new OtherPrograms(host.connection);
    this.#copy = new SafetyCopy(host, () => this.#timeline, this.#author);
    this.#recorder = new Recorder(host, () => this.#record());
    this.#record();
  }

  get state(): HistoryState {
    const { kind, timeline, why } = this.#recorder.state;
    const { undo = null, redo = null } = kind === 'recording' ? timeline : {};
    return {
      undo: undo && { step: undo.id, title: undo.title },
      redo: redo && { step: redo.id, title: redo.title },
      undoEnd: (kind === 'behind' ? { step: timeline.position.at, why } : timeline?.undoEnd) ?? null,
      ...(timeline?.totals ?? { steps: 0, sizeBytes: 0 }),
      limits: this.#host.limits(),
      why,
    };
  }

  get makeRoom(): () => void {
    return this.#host.makeRoom;
  }

  get connection(): Connection {
    return this.#host.connection;
  }

  /** True when other programs may write to the database. */
  get isShared(): boolean {
    return this.#host.isShared === true;
  }

  /** The timeline for reading, even while it lacks the latest changes. @throws AppError `unavailable` with the reason */
  get past(): Timeline {
    return this.#timeline ?? this.timeline;
  }

  /** The timeline for undo and redo. @throws AppError `unavailable` with the reason */
  get timeline(): Timeline {
    const { kind, timeline, why } = this.#recorder.state;
    if (kind === 'recording') return timeline;
    fail('unavailable', why);
  }

  /** @throws AppError `not-undoable`, before any of the SQL runs, when its text shows that it could not be undone */
  assertCanUndo(sql: string): void {
    if (this.#timeline) this.#copy.assertPossible(sql);
  }

  /**
   * Call in a turn that writes, before the whole content is replaced. @throws AppError `not-undoable` when no way back can be kept
   */
  keepWayBack(): void {
    this.#copy.beforeSchemaChange(true);
  }

  /** @throws AppError `not-found` */
  rowsOf(id: StepId): Pages {
    return this.#pages.of(this.past, id);
  }

  turnBegan(window: WindowSession, origin: WorkOrigin): void {
    this.#author.began(window, origin);
    this.#noteOthers();
  }

  othersCommitted(): void {
    this.#noteOthers();
  }

  committed(changes: TransactionChanges): void {
    // Most likely the other program committed while this work waited for its turn to write, so its step comes first.
    if (!this.#capture && this.#noteOthers()) this.#copy.spoil();
    this.#recorder.readMark();
    if (this.#capture) this.#capture(changes);
    else this.#recorder.attempt((timeline) => this.#noteCommit(timeline, changes));
    this.#idle.poke();
    this.#tell();
  }

  turnEnded(): void {
    this.#author.ended();
    if (!this.#host.connection.autocommit) return;
    this.#noteSilentCommit();
    this.#copy.drop();
  }

  checkpointed(): void {
    this.#noteSilentCommit();
    this.#recorder.attempt((timeline) => timeline.settle(this.#recorder.mark));
  }

  limitsChanged(): void {
    this.#record();
    // A resting history is trimmed after its next step.
    if (!this.isResting) this.#idle.poke();
    this.#tell();
  }

  /**
   * Call in the transaction that reverts something, before the first change. @throws AppError `conflict` when another program
   * committed first
   */
  assertAlone(): void {
    this.#others.assertNoneCommitted();
  }

  /** Replaces the content of the database with a copy. @throws AppError `conflict` too */
  restore(file: string, watch: (share: number) => void): void {
    const { connection, locationOf } = this.#host;
    const assertUnmoved = (): void => {
      if (this.isShared && connection.commitMark !== this.#recorder.mark) throw overtakenByProgram();
    };
    this.capture(() => connection.restoreFrom(locationOf?.(file) ?? file, watch, assertUnmoved));
    // The copy was written through a separate connection.
    this.#others.accept();
  }

  /** Opens a copy that a step keeps, for reading; its owner closes it and calls {@link SnapshotFiles.removeLog}. */
  openCopy(file: string): Connection {
    const { engine, locationOf } = this.#host;
    return engine.open(locationOf?.(file) ?? file, { durability: 'full' });
  }

  /** Runs a transaction of the history itself, which does not become a step. Returns what it committed; null when it changed nothing. */
  capture(body: () => void): Captured | null {
    let captured: Captured | null = null;
    this.#capture = ({ log }) => {
      captured = { log: log === 'dropped' || log === null ? null : log.bytes, mark: this.#recorder.mark };
    };
    this.#host.connection.record({ budgetBytes: UNLIMITED_BYTES, guard: LET_PASS });
    try {
      body();
    } finally {
      this.#capture = null;
      this.#record();
    }
    return captured;
  }

  /** Runs work that is rolled back before it ends, so that nothing has to be kept for it. */
  unrecorded<T>(body: () => T): T {
    let result!: T;
    this.capture(() => (result = body()));
    return result;
  }

  /** The database has moved to another position in the history; `note` records that. */
  moved(note: () => void): void {
    this.#recorder.readMark();
    this.#recorder.attempt(note);
    this.#idle.poke();
    this.#tell();
  }

  /** Replaces the history's file with a new one without steps. The database stays as it is. */
  clear(): void {
    this.#recorder.clear();
    this.#tell();
  }

  get isResting(): boolean {
    return this.#timeline?.store.isResting ?? true;
  }

  rest(): void {
    this.#timeline?.store.rest();
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
  }

  close(): void {
    this.#onClose();
    this.#idle.cancel();
    this.#tell.cancel();
    this.#copy.drop();
    this.#host.connection.record(null);
    this.#recorder.close();
  }

  get #timeline(): Timeline | null {
    return this.#recorder.state.timeline;
  }

  #noteCommit(timeline: Timeline, changes: TransactionChanges): void {
    const { connection, makeRoom } = this.#host;
    noteCommit(
      { connection, makeRoom, author: this.#author, copy: this.#copy },
      timeline,
      changes,
      this.#recorder.mark,
    );
  }

  #record(): void {
    const { connection, limits } = this.#host;
    connection.record(this.#timeline === null ? null : { budgetBytes: limits().stepBytes, guard: this.#copy });
  }

  /** Commits without anything a user would undo (statistics, unchanged values) still change the mark. */
  #noteSilentCommit(): void {
    if (this.#noteOthers()) this.#copy.spoil();
    const { mark } = this.#recorder;
    const { connection } = this.#host;
    if (this.#timeline === null || this.#recorder.readMark() === mark) return;
    const kept = this.#copy.isHeld && connection.isSameCommit?.(mark, this.#recorder.mark) !== true;
    this.#recorder.attempt((timeline) => {
      if (kept) this.#noteCommit(timeline, { tables: null, schema: true, log: null });
      else timeline.moveMark(this.#recorder.mark);
    });
    if (kept) this.#tell();
  }

  /** Returns whether another program has committed something. */
  #noteOthers(): boolean {
    if (!this.#others.haveCommitted()) return false;
    this.#recorder.readMark();
    this.#recorder.attempt((timeline) => timeline.noteOthers(this.#recorder.mark));
    this.#tell();
    return true;
  }

  #trim(): void {
    let forgotten = false;
    this.#recorder.attempt((timeline) => (forgotten = timeline.trim(this.#host.limits().totalBytes)));
    if (forgotten) this.#tell();
  }
}

const LET_PASS: ChangeGuard = { beforeSchemaChange: () => undefined, overBudget: () => 'drop', covers: () => false };

type Pages = Pick<DifferencePages, 'total' | 'page'>;

const NONE: Pages = { total: 0, page: () => ({ rows: [], total: 0 }) };

/** The rows of the steps on screen. The window requests them a page at a time, most often of the same step. */
class StepPages {
  #last: { readonly timeline: Timeline; readonly step: StepId; readonly pages: Pages } | null = null;

  /** @throws AppError `not-found` */
  of(timeline: Timeline, id: StepId): Pages {
    const step = timeline.step(id);
    // A history that starts over numbers its steps from 1 again.
    if (this.#last?.step !== id || this.#last.timeline !== timeline) {
      const log = step.kind === 'rows' ? timeline.store.undoLog(id) : null;
      const pages = log ? new DifferencePages(openRowLog(log), timeline.store.virtualTables(id)) : NONE;
      this.#last = { timeline, step: id, pages };
    }
    return this.#last.pages;
  }
}

// Makes a step of a commit: rows with their log, a copy where the log is not enough, a gap where there is neither.

interface CommitNotes {
  readonly connection: Connection;
  readonly author: Author;
  readonly copy: SafetyCopy;
  /** Makes room for the next copy. */
  readonly makeRoom: () => void;
}

const UNCOVERED =
  'It could not be recorded: the step that its script began with is no longer the latest one in the history.';

/** @param mark commit mark of the database right after the commit */
function noteCommit(notes: CommitNotes, timeline: Timeline, changes: TransactionChanges, mark: string): void {
  const log = changes.log === 'dropped' ? null : changes.log;
  const rows = changes.counted ?? log?.tables ?? null;
  if (notes.copy.isUpkeep || isStatistics(rows)) {
    timeline.moveMark(mark);
    return;
  }
  const { title, sql, windowTitle, run } = notes.author.ofCommit();
  const virtual = rows ? virtualTablesIn(notes.connection, rows, changes) : {};
  const tables = rows ? countsOf(rows, virtual) : [];
  const draft = { atMs: Date.now(), title, sql, windowTitle, run, tables, virtual, why: null, mark };
  const current = timeline.current;
  // The rest of a script whose beginning changed the schema: the copy from then undoes all of it.
  const goesOn = changes.counted
    ? current?.id === notes.copy.covering
    : current?.run === run && current.kind !== 'rows';
  if (current && goesOn) timeline.extend(current, addCounts(current.tables, tables), mark);
  else if (changes.counted) timeline.append(gapStep(UNCOVERED, mark, draft));
  else if (log && !changes.schema) timeline.append({ ...draft, kind: 'rows', undo: log.bytes });
  else noteWhole(notes, timeline, { ...draft, kind: 'snapshot', undo: null });
}

function noteWhole({ copy, makeRoom }: CommitNotes, timeline: Timeline, draft: StepDraft): void {
  const kept = copy.keep();
  if (!kept) {
    timeline.append(gapStep(copy.whyNone, draft.mark, draft));
    return;
  }
  timeline.store.inTransaction(() => {
    const step = timeline.append(draft);
    timeline.addSnapshot(step, 'before', kept.file, kept.sizeBytes);
  });
  makeRoom();
}

function isStatistics(rows: readonly LoggedTable[] | null): boolean {
  return rows !== null && rows.length > 0 && rows.every(({ name }) => name.startsWith('sqlite_stat'));
}

/**
 *     off ◀── cannot be opened ── (start, clear, damage) ── opened ──▶ recording
 *     recording ── a commit cannot be noted ──▶ behind ── a gap is noted for it ──▶ recording
 */
type RecorderState =
  | { readonly kind: 'recording'; readonly timeline: Timeline; readonly why: null }
  /** A commit could not be recorded, so the next undo would not revert the latest change. */
  | { readonly kind: 'behind'; readonly timeline: Timeline; readonly why: string }
  | { readonly kind: 'off'; readonly timeline: null; readonly why: string };

const OFF: RecorderState = { kind: 'off', timeline: null, why: 'The history of this database is not open.' };
const MISSED = 'Changes could not be recorded in the history.';

/**
 * Whether steps of a database are recorded, and what happens when one cannot be recorded or the history's file is damaged.
 */
class Recorder {
  readonly #host: HistoryHost;
  readonly #onBegun: () => void;
  #state = OFF;
  #mark = '';

  /** @param onBegun called when a new file has replaced the old one, or there is no longer one */
  constructor(host: HistoryHost, onBegun: () => void) {
    this.#host = host;
    this.#onBegun = onBegun;
    this.#open();
  }

  get state(): RecorderState {
    return this.#state;
  }

  /** The commit mark that was read last. */
  get mark(): string {
    return this.#mark;
  }

  /** A failure here affects only the history. */
  attempt(action: (timeline: Timeline) => void): void {
    const { kind, timeline, why } = this.#state;
    if (kind === 'off') return;
    try {
      if (kind === 'behind') timeline.append(gapStep(why, this.#mark));
      else action(timeline);
      this.#state = { kind: 'recording', timeline, why: null };
    } catch (error) {
      this.#state = { kind: 'behind', timeline, why: `${MISSED} ${reasonOf(error)}` };
      if (isDamage(error)) this.#replaceDamaged();
    }
  }

  /** A disk that does not respond must not make a commit count as failed: the history will note a gap there. */
  readMark(): string {
    try {
      this.#mark = this.#host.connection.commitMark;
    } catch {
      this.#mark = `unknown at ${Date.now()}`;
    }
    return this.#mark;
  }

  /** Replaces the history's file with a new one without steps. The database stays as it is. */
  clear(): void {
    const { timeline } = this.#state;
    timeline?.forget(0, Number.MAX_SAFE_INTEGER);
    timeline?.close();
    this.#beginAnew();
  }

  close(): void {
    try {
      this.#state.timeline?.close();
    } catch {
      // The next opening reads its WAL, and notes as a gap what is lost.
    }
    this.#state = OFF;
  }

  #replaceDamaged(): void {
    this.close();
    this.#beginAnew();
    this.attempt((timeline) => timeline.append(gapStep(MISSED, this.#mark)));
  }

  #beginAnew(): void {
    this.#state = OFF;
    this.#host.pool.remove(historyFile(this.#host.id));
    this.#open();
    this.#onBegun();
  }

  #open(): void {
    this.#mark = this.#host.connection.commitMark;
    try {
      this.#state = { kind: 'recording', timeline: openTimeline(this.#host, this.#host.id, this.#mark), why: null };
    } catch (error) {
      const why = `Nothing can be undone right now: the history could not be opened. ${reasonOf(error)}`;
      this.#state = { kind: 'off', timeline: null, why };
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof AppError ? error.message : String(error);
}
