// A long scan of a database in slices: its pauses, its Stop, its progress.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { reading } from '../sessions/call-work.ts';
import { sliceEnd } from './slice.ts';
import type { Pause, Turn } from '../sessions/session.ts';

const REPORT_EVERY_MS = 100;
/** Checking the clock costs as much as a step. */
const STEPS_A_LOOK = 32;

export class Scan {
  readonly connection: Connection;
  readonly #turn: Turn;
  readonly #report: (progress: Progress) => void;
  #progress: Progress = { phase: 'Reading', done: 0, total: null, unit: 'steps' };
  #reportedMs = -Infinity;
  #endMs: number;

  constructor(turn: Turn, report: (progress: Progress) => void) {
    this.#turn = turn;
    this.#report = report;
    this.connection = turn.connection;
    this.#endMs = sliceEnd(turn);
    turn.measureBy(() => this.#progress);
  }

  tell(progress: Progress): void {
    this.#progress = progress;
    const now = performance.now();
    if (now - this.#reportedMs < REPORT_EVERY_MS) return;
    this.#reportedMs = now;
    this.#report(progress);
  }

  /** Pauses between two statements. @throws AppError `stopped` */
  *pause(kind: Pause = 'between'): Generator<Pause, void> {
    this.#assertGoesOn();
    if (performance.now() < this.#endMs) return;
    yield kind;
    this.#endMs = sliceEnd(this.#turn);
    this.#assertGoesOn();
  }

  /** Passes each row of a query to `take`; others read in between, and writes wait. @throws AppError `stopped` */
  *rows(
    sql: string,
    params: readonly Value[],
    take: (row: Statement) => void,
    isDone: () => boolean = () => false,
  ): Generator<Pause, void> {
    const statement = this.connection.prepare(sql);
    try {
      statement.bind(params);
      for (let steps = 1; !isDone() && statement.step(); steps++) {
        take(statement);
        if (steps % STEPS_A_LOOK === 0) yield* this.pause('reading');
      }
    } finally {
      statement.finalize();
    }
    yield* this.pause();
  }

  end(): void {
    this.#turn.measureBy(null);
  }

  #assertGoesOn(): void {
    if (this.#turn.stopRequested) throw AppError.stopped('Stopped. Nothing was changed.');
  }
}

interface Scanning {
  readonly title: string;
  readonly report?: (progress: Progress) => void;
}

/** Runs `body` with a scan as a read when its turn comes. @throws AppError as {@link reading} */
export function scanning<T>(
  call: Parameters<typeof reading>[0],
  database: DatabaseId,
  { title, report = () => undefined }: Scanning,
  body: (scan: Scan, turn: Turn) => Generator<Pause, T, undefined>,
): Promise<T> {
  return reading(call, database, { title, pausesReading: true }, function* (turn): Generator<Pause, T, undefined> {
    const scan = new Scan(turn, report);
    try {
      return yield* body(scan, turn);
    } finally {
      scan.end();
    }
  });
}
