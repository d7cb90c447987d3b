// Whether steps of a database are recorded, and what happens when one cannot be recorded or the history's file is damaged.
import { AppError } from '#shared/protocol/errors.ts';
import { gapStep } from './gap-step.ts';
import type { HistoryHost } from './history-host.ts';
import { historyFile, isDamage, openTimeline } from './open-timeline.ts';
import type { Timeline } from './timeline.ts';

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

export class Recorder {
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
