// The output of a comparison while it runs: bytes, progress, and Stop.
import { AppError } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { ByteWriter } from '../export/byte-writer.ts';
import type { ChunkSink } from '../export/format.ts';
import type { Pause, Turn } from '../sessions/session.ts';

type Report = (progress: Progress) => Promise<void>;

/** Sinks are fastest with about this much at a time. */
const CHUNK_BYTES = 1 << 20;

/** What is written goes out as fast as the sink takes it. */
export class Output {
  readonly #turn: Turn;
  readonly #out: ByteWriter;
  readonly #sink: ChunkSink;
  readonly #report: Report;
  #failure: { readonly error: unknown } | null = null;
  #done = 0;

  constructor(turn: Turn, out: ByteWriter, sink: ChunkSink, report: Report) {
    this.#turn = turn;
    this.#out = out;
    this.#sink = sink;
    this.#report = report;
    turn.measureBy(() => this.#progress);
  }

  /** Runs steps, each of which says how many rows it has compared. */
  *paced<T>(steps: Generator<number, T, undefined>): Generator<Pause, T> {
    try {
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return step.value;
        this.#done += step.value;
        if (this.#out.length >= CHUNK_BYTES) yield* this.flush();
        else if (performance.now() >= this.#turn.deadlineMs) yield* this.#wait(this.#report(this.#progress));
        else this.#assertGoesOn();
      }
    } finally {
      steps.return(undefined as never);
    }
  }

  *flush(): Generator<Pause, void> {
    if (this.#out.length > 0) yield* this.#wait(this.#sink.write(this.#out.take()));
  }

  get #progress(): Progress {
    return { phase: 'Comparing', done: this.#done, total: null, unit: 'rows' };
  }

  *#wait(settled: Promise<void>): Generator<Pause, void> {
    this.#turn.pauseUntil(settled.catch((error: unknown) => void (this.#failure = { error })));
    yield 'reading';
    this.#assertGoesOn();
  }

  #assertGoesOn(): void {
    if (this.#failure) throw this.#failure.error;
    if (this.#turn.stopRequested) throw AppError.stopped('The comparison was stopped. Nothing was changed.');
  }
}
