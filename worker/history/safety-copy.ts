// The copy of the committed state that is made before a change that cannot be undone row by row, or the refusal to continue without one.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { StepId, HistoryLimits, HistoryState } from '#shared/protocol/history.ts';
import type { ChangeGuard } from '../engines/row-log/row-log.ts';
import { changesSchema, losesSchema, makesStatistics } from '../sql/statement-kinds.ts';
import type { Author } from './author.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import type { Timeline } from './timeline.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';
import type { Clock } from '../sessions/clock.ts';
import type { HistoryLocation } from './open-timeline.ts';

interface Held {
  readonly file: string;
  readonly sizeBytes: number;
  /** The state it is a copy of. */
  readonly mark: string;
}

export class SafetyCopy implements ChangeGuard {
  readonly #host: HistoryHost;
  readonly #timeline: () => Timeline | null;
  readonly #author: Author;
  readonly #files: SnapshotFiles;
  #held: Held | null = null;
  #isUpkeep = false;
  #whyNone = '';
  #covering: StepId | null = null;

  constructor(host: HistoryHost, timeline: () => Timeline | null, author: Author) {
    this.#host = host;
    this.#timeline = timeline;
    this.#author = author;
    this.#files = new SnapshotFiles(host.pool, host.id);
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  /** The statement that is about to commit only writes statistics. It does not become a step, because there is no reason to undo it. */
  get isUpkeep(): boolean {
    return this.#isUpkeep;
  }

  /** The step that includes what the open transaction does ({@link covers}). */
  get covering(): StepId | null {
    return this.#covering;
  }

  /** Why a step has no copy. */
  get whyNone(): string {
    return this.#whyNone || 'The schema was changed in an unexpected way, so no copy was kept.';
  }

  /** @throws AppError `not-undoable` */
  assertPossible(sql: string): void {
    const { connection, limits } = this.#host;
    const maxBytes = limits().stepBytes;
    const { whyNotRestored } = connection;
    if (whyNotRestored === undefined ? connection.fileSizeBytes > maxBytes && changesSchema(sql) : losesSchema(sql))
      throw refusal('This would change the schema or the whole file', whyNotRestored ?? tooLarge(maxBytes));
  }

  /** @param isReplaced the whole content is, so that nothing can be taken back without a copy */
  beforeSchemaChange(isReplaced = false): void {
    this.#isUpkeep = this.#host.connection.autocommit && makesStatistics(this.#author.sql ?? '');
    if (this.#isUpkeep) return;
    const { connection } = this.#host;
    const { sql } = this.#author;
    // Where no copy could be put back, what was created can be dropped, and the step says that it is not undone.
    const maySayLater = connection.whyNotRestored !== undefined && !isReplaced && !losesSchema(sql ?? '');
    const refused = this.#take('This would change the schema or the whole file', maySayLater);
    if (refused) throw refused;
  }

  overBudget(): 'drop' | 'stop' {
    return this.#take('This would change more than the history keeps of one step') === null ? 'drop' : 'stop';
  }

  covers(): boolean {
    const timeline = this.#timeline();
    this.#covering = timeline && this.#goesOn(timeline) ? timeline.current!.id : null;
    return this.#covering !== null;
  }

  /** Hands the copy over to a step. */
  keep(): Held | null {
    const held = this.#held;
    this.#held = null;
    return held;
  }

  /** The transaction is over and did not need the copy. */
  drop(): void {
    const held = this.keep();
    this.#whyNone = '';
    this.#isUpkeep = false;
    if (held) this.#files.remove(held.file);
  }

  /** The copy is outdated, because another program has committed in the meantime. */
  spoil(): void {
    this.drop();
    this.#whyNone = 'It could not be recorded: another program changed the file at the same time.';
  }

  /** Why the change cannot be undone, unless the user has agreed to that. */
  #take(what: string, maySayLater = false): AppError | null {
    const { connection, limits } = this.#host;
    const timeline = this.#timeline();
    const mark = connection.commitMark;
    if (!timeline || this.#held?.mark === mark || this.#goesOn(timeline)) return null;
    this.drop();
    const why = this.#copy(timeline, mark, limits().stepBytes);
    if (why === null) return null;
    this.#whyNone = `It could not be recorded: ${why}`;
    if (this.#author.withoutUndo || maySayLater) return null;
    return refusal(what, why);
  }

  /** The run already has a step that undoes everything, or a gap that cannot be undone. */
  #goesOn(timeline: Timeline): boolean {
    const current = timeline.current;
    return current !== null && current.kind !== 'rows' && current.run === this.#author.run;
  }

  #copy(timeline: Timeline, mark: string, maxBytes: number): string | null {
    const { whyNotRestored } = this.#host.connection;
    if (whyNotRestored !== undefined) return whyNotRestored;
    const file = this.#files.nameOf(timeline.nextId(), 'before');
    timeline.makeRoomForCopy(false);
    for (;;) {
      try {
        return this.#takeCopy(file, mark, maxBytes);
      } catch (error) {
        // No handle is free, or no space: the oldest copy is worth less than this one.
        if (timeline.makeRoomForCopy(true)) continue;
        return `no copy of the database could be made (${error instanceof AppError ? error.message : String(error)})`;
      }
    }
  }

  #takeCopy(file: string, mark: string, maxBytes: number): string | null {
    const sizeBytes = this.#files.take(this.#host.connection, file, maxBytes);
    if (sizeBytes === null) return tooLarge(maxBytes);
    this.#held = { file, sizeBytes, mark };
    return null;
  }
}

function refusal(what: string, why: string): AppError {
  return AppError.notUndoable(
    inParts(
      `${what}, and it could not be undone: ${why} Nothing was changed.`,
      'Run it without undo, or back up the database first (Back Up Now…).',
    ),
  );
}

function tooLarge(maxBytes: number): string {
  return `the database is larger than the ${Math.round(maxBytes / 2 ** 20)} MB that a copy of it may take.`;
}

export interface HistoryHost extends HistoryLocation {
  readonly id: DatabaseId;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly limits: () => HistoryLimits;
  readonly tell: (state: HistoryState) => void;
  /** Makes room for the next copy ahead of time, so that its files are created while no work waits. */
  readonly makeRoom: () => void;
}
