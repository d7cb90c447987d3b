// One engine of the product in a round of `startup`, in a process of the app that is started for it and ended.
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppStart } from '#shared/bench/shell.ts';
import type { Sink } from '#shared/bench/sink.ts';
import type { PartFacts, RoundKind } from '../target.ts';
import type { RunControl } from '../control.ts';
import type { Player, Seen } from './app-target.ts';
import { firstCounted } from './recorded-starts.ts';
import type { RecordedStarts, Temperature } from './recorded-starts.ts';
import { isColdStart } from './startup-tests.ts';
import type { StartTest } from './startup-tests.ts';

interface Parts {
  readonly test: StartTest;
  readonly engine: EngineId;
  readonly facts: PartFacts;
  readonly starts: RecordedStarts;
  readonly control: RunControl;
}

export class StartPlayer implements Player {
  readonly test: StartTest;
  readonly facts: PartFacts;
  /** The started window may cover this one. */
  readonly needsScreen = false;
  readonly #parts: Parts;
  #timed = 0;

  constructor(parts: Parts) {
    this.test = parts.test;
    this.facts = parts.facts;
    this.#parts = parts;
  }

  async play(_round: number, kind: RoundKind): Promise<Seen> {
    const { windowMs, rowsMs } = await this.#start(kind);
    const ms = this.test.startsWith('window') ? windowMs : rowsMs;
    return { samples: [ms], timedMs: ms };
  }

  /** Passes on the texts of the first row on screen. */
  async compare(_round: number, sink: Sink): Promise<void> {
    const { engine, starts, control } = this.#parts;
    const { firstRow } = await control.wait(starts.nth(engine, this.#temperature, 0));
    for (const text of firstRow) sink.value(text);
    sink.endRow();
  }

  rest(): void {
    // None of it is in this window.
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  get #temperature(): Temperature {
    return isColdStart(this.test) ? 'cold' : 'warm';
  }

  /**
   * The tests of the window and of the rows take the same starts, so that their figures can be compared. Because a start takes long,
   * starts before the timed rounds count as well, if they are as good as the others.
   */
  #start(kind: RoundKind): Promise<AppStart> {
    const { engine, starts, control } = this.#parts;
    const first = firstCounted(this.#temperature);
    const index = kind === 'first' ? 0 : kind === 'warm' ? 1 : first + this.#timed++;
    return control.wait(starts.nth(engine, this.#temperature, index));
  }
}
