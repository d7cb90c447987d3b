// A schema change while it runs: its connection, its pauses, its progress, the SQL it ran.
import { fail } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';

const REPORT_EVERY_MS = 100;
/** New requests to other databases are only received between slices. */
const SLICE_MS = 40;

/** The parts of its turn that a change needs. */
export type WorkTurn = Pick<Turn, 'connection' | 'deadlineMs' | 'stopRequested' | 'measureBy'>;

interface WorkOptions {
  /** Receives the statements of {@link Work.sql}. */
  readonly sql?: string[];
  /** Runs something that is rolled back before it ends, so that the history keeps nothing for it. */
  readonly unrecorded?: <T>(body: () => T) => T;
}

export class Work {
  readonly turn: WorkTurn;
  readonly connection: Connection;
  /** SQL that ran, for display: without statements that only read. */
  readonly sql: string[];
  readonly #report: (progress: Progress) => void;
  #progress: Progress = { phase: '', done: 0, total: null, unit: 'rows' };
  #reportedMs = -Infinity;
  #pauseAtMs = 0;

  readonly #unrecorded: <T>(body: () => T) => T;

  constructor(
    turn: WorkTurn,
    report: (progress: Progress) => void,
    { sql = [], unrecorded = (body) => body() }: WorkOptions = {},
  ) {
    this.turn = turn;
    this.sql = sql;
    this.#unrecorded = unrecorded;
    this.connection = turn.connection;
    this.#report = report;
    turn.measureBy(() => this.#progress);
  }

  /** Calls `body` with the work on a nearby copy of the schema where there is one: no one should wait for what only looks. */
  *nearby<T>(body: (work: Work) => Generator<Pause, T>): Generator<Pause, T> {
    const near = this.connection.openNear?.();
    if (near === undefined) return yield* body(this);
    const { turn } = this;
    try {
      return yield* body(
        new Work(
          {
            connection: near,
            deadlineMs: turn.deadlineMs,
            get stopRequested() {
              return turn.stopRequested;
            },
            measureBy: () => undefined,
          },
          this.#report,
        ),
      );
    } finally {
      near.close();
    }
  }

  /** Runs one statement that is shown to the user. */
  run(sql: string): number {
    this.sql.push(sql);
    return this.connection.run(sql);
  }

  /**
   * Called between two statements: checks for Stop, and lets other databases run when the slice is over. No other work may see this
   * database half changed.
   */
  *look(): Generator<Pause, void> {
    const { turn } = this;
    if (turn.stopRequested) fail('stopped', 'Stopped.');
    if (performance.now() < Math.min(turn.deadlineMs, this.#pauseAtMs)) return;
    yield 'alone';
    this.#pauseAtMs = performance.now() + SLICE_MS;
    if (turn.stopRequested) fail('stopped', 'Stopped.');
  }

  /** End of the slice that began after the last pause. */
  get sliceEndMs(): number {
    return Math.min(this.turn.deadlineMs, this.#pauseAtMs);
  }

  tell(phase: string, done = 0, total: number | null = null): void {
    const isNew = this.#progress.phase !== phase;
    this.#progress = { phase, done, total, unit: 'rows' };
    const now = performance.now();
    if (!isNew && now - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = now;
    this.#report(this.#progress);
  }

  /** Runs steps that are rolled back at the end, without a pause, so no other work has a turn in the meantime. Still checks for Stop. */
  try<T>(steps: () => Generator<Pause, T>): T {
    return this.#unrecorded(() => {
      const running = steps();
      for (;;) {
        const step = running.next();
        if (step.done) return step.value;
      }
    });
  }
}
