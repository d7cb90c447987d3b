// What the worker is busy with, told to every window once it takes long, and stoppable by the shared flag.
import type { Work } from '#shared/protocol/session.ts';
import { STOP_FLAG } from '../host-messages.ts';
import type { Clock } from './clock.ts';
import type { WindowSession } from './session.ts';

/** Shorter work is not worth a word on the screen. */
const ANNOUNCE_AFTER_MS = 150;

export interface WorkTitle {
  readonly window: WindowSession;
  readonly databaseName: string;
  readonly title: string;
}

export interface RunningWork {
  /** Someone pressed Stop on it. Readable while the worker is busy: the flag is in shared memory. */
  readonly stopRequested: boolean;
  /** Called now and then while it runs: a busy worker can still post messages. */
  tick(): void;
  end(): void;
}

export class WorkMonitor {
  readonly #flags: Int32Array;
  readonly #clock: Clock;
  readonly #announce: (work: Work | null) => void;
  /** Announced and not ended, oldest first; the first one is what windows show. */
  readonly #announced: Work[] = [];
  #nextId = 1;

  constructor(flags: Int32Array, clock: Clock, announce: (work: Work | null) => void) {
    this.#flags = flags;
    this.#clock = clock;
    this.#announce = announce;
  }

  /** What every window shows now; for windows that come later. */
  get current(): Work | null {
    return this.#announced[0] ?? null;
  }

  begin({ window, databaseName, title }: WorkTitle): RunningWork {
    const id = this.#nextId++;
    // A wish from before a restart may name the work of then: it is not about this one.
    Atomics.compareExchange(this.#flags, STOP_FLAG, id, 0);
    const began = this.#clock.now();
    const startedAtMs = Date.now();
    let announced: Work | null = null;
    const flags = this.#flags;
    return {
      get stopRequested() {
        return Atomics.load(flags, STOP_FLAG) === id;
      },
      tick: () => {
        if (announced || this.#clock.now() - began < ANNOUNCE_AFTER_MS) return;
        announced = {
          id,
          databaseName,
          windowId: window.windowId,
          windowTitle: window.windowTitle,
          title,
          startedAtMs,
        };
        this.#announced.push(announced);
        if (this.#announced.length === 1) this.#announce(announced);
      },
      end: () => {
        Atomics.compareExchange(flags, STOP_FLAG, id, 0);
        const place = announced ? this.#announced.indexOf(announced) : -1;
        if (place < 0) return;
        this.#announced.splice(place, 1);
        if (place === 0) this.#announce(this.current);
      },
    };
  }
}
