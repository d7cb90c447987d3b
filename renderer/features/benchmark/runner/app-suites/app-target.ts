// One engine of the product in the rounds of a suite of the window, whatever is measured of it.
import type { EngineId } from '#shared/bench/engines.ts';
import { Sink } from '#shared/bench/sink.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { Target, PartFacts, PartSample, RoundKind, RoundOutcome } from '../target.ts';
import type { RunControl } from '../control.ts';
import { whileShown } from './frames.ts';

/** Measurements of one round. */
export interface Seen {
  readonly samples: readonly number[];
  /** Total measured time, in milliseconds. */
  readonly timedMs: number;
  /** Busy time of each frame, if it was measured. */
  readonly busyMs?: readonly number[];
}

/** Runs one test on one engine, at one size. */
export interface Player {
  readonly test: string;
  readonly facts: PartFacts;
  /** False: it continues while this window is hidden. */
  readonly needsScreen?: false;
  /** @param round counts from 1, the same on every engine: random choices depend on it only */
  play(round: number, kind: RoundKind): Promise<Seen>;
  /** Puts every row that the test shows into the sink. */
  compare(round: number, sink: Sink): Promise<void>;
  /** Called after each round. */
  rest(): void;
  close(): Promise<void>;
}

const NOTHING = {
  samples: [],
  timedMs: 0,
  delivered: [],
  windowBusyMs: [],
  rows: null,
  read: null,
  left: null,
  wrong: null,
};

export class AppTarget implements Target {
  readonly engine: EngineId;
  readonly facts = new Map<string, PartFacts>();
  readonly needsScreen: boolean;
  readonly #player: Player;
  readonly #control: RunControl;
  #rounds = 0;

  constructor(engine: EngineId, player: Player, control: RunControl) {
    this.engine = engine;
    this.needsScreen = player.needsScreen !== false;
    this.#player = player;
    this.#control = control;
    this.facts.set(player.test, player.facts);
  }

  async round(kind: RoundKind): Promise<RoundOutcome> {
    const { test } = this.#player;
    this.#rounds++;
    try {
      return { parts: [kind === 'deep' ? await this.#compared() : await this.#played(kind)], failure: null };
    } catch (error) {
      const { code, message } = toErrorData(error);
      if (code === 'stopped') throw error;
      return { parts: [], failure: { test, status: code === 'unavailable' ? 'skipped' : 'failed', why: message } };
    } finally {
      this.#player.rest();
    }
  }

  close(): Promise<void> {
    return this.#player.close();
  }

  async #played(kind: RoundKind): Promise<PartSample> {
    const { test } = this.#player;
    const play = (): Promise<Seen> => this.#player.play(this.#rounds, kind);
    const seen = this.needsScreen ? await whileShown(play, this.#control) : await play();
    return { ...NOTHING, test, samples: seen.samples, timedMs: seen.timedMs, windowBusyMs: seen.busyMs ?? [] };
  }

  async #compared(): Promise<PartSample> {
    const sink = new Sink(true);
    await this.#player.compare(this.#rounds, sink);
    const { test } = this.#player;
    return sink.rows === 0 ? { ...NOTHING, test } : { ...NOTHING, test, rows: sink.rows, read: sink.checksum };
  }
}

export const sum = (samples: readonly number[]): number => samples.reduce((total, ms) => total + ms, 0);

export function sinkRows(rows: PackedRows, sink: Sink): void {
  const reader = new PackedRowsReader(rows);
  for (let row = 0; row < rows.rowCount; row++) {
    for (let column = 0; column < rows.columnCount; column++) sink.value(reader.value(row, column));
    sink.endRow();
  }
}
