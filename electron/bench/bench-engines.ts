// Joins the window that measures to the engines it measures: workers of the host page, each in a process of its own.
import { rmSync } from 'node:fs';
import { MessageChannelMain } from 'electron';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import { HostTag } from '#shared/host-tags.ts';
import type { Broker } from '../broker.ts';
import { log } from '../crash.ts';
import { logDropped } from '../dropped.ts';
import { BENCH_PORT } from '../ipc/channels.ts';
import { startNativeProcess } from '../native/native-process.ts';
import type { NativeProcess } from '../native/native-process.ts';
import type { AppWindow } from '../windows/registry.ts';
import type { BenchTurn } from './bench-turn.ts';

const NOT_ITS_TURN = 'The run has ended, so no more engines are started for it.';
const NO_HOST = 'The database engine is starting. Try again in a moment.';
/** A command-line run has no user to answer the question that main asks when the host has crashed four times. */
const HOST_PATIENCE_MS = 60_000;
const HOST_LOOK_MS = 100;
const NO_NATIVE = 'Native engines cannot be measured here: this installation has none.';

export class BenchEngines {
  readonly #turn: BenchTurn;
  readonly #broker: Broker;
  /** For the files of native engines; gone when nothing is measured. */
  readonly #directory: string;
  /** Whose engines run. */
  #owner: AppWindow | null = null;
  /** One each: what a native engine does can be ended with its process only, and must not take the others along. */
  readonly #processes = new Map<EngineId, NativeProcess>();

  constructor(turn: BenchTurn, broker: Broker, directory: string) {
    this.#turn = turn;
    this.#broker = broker;
    this.#directory = directory;
  }

  /** Answers why it can not. */
  async open(window: AppWindow, engineId: string): Promise<string | null> {
    const engine = engineOf(engineId);
    if (!engine) return `There is no engine “${engineId}”.`;
    if (!this.#turn.isOf(window)) return NOT_ITS_TURN;
    if (this.#owner === null) this.#own(window);
    const { port1, port2 } = new MessageChannelMain();
    if (engine.runsIn === 'worker') {
      const began = Date.now();
      // It comes back by itself, also when it was what died of a measurement.
      while (!this.#broker.tellHost({ tag: HostTag.bench, engine: engine.id }, [port2])) {
        if (Date.now() - began > HOST_PATIENCE_MS) return NO_HOST;
        await new Promise((resolve) => setTimeout(resolve, HOST_LOOK_MS));
        if (!this.#turn.isOf(window)) return NOT_ITS_TURN;
      }
    } else {
      const process = this.#processes.get(engine.id) ?? this.#start(engine.id);
      if (!process) return NO_NATIVE;
      process.tell({ engine: engine.id, directory: this.#directory }, [port2]);
    }
    window.browserWindow.webContents.postMessage(BENCH_PORT, { tag: BENCH_PORT_TAG, engine: engine.id }, [port1]);
    return null;
  }

  /** One that does not answer this window, which measures it. */
  close(window: AppWindow, engineId: string): null {
    const engine = engineOf(engineId);
    if (!engine || this.#owner !== window) {
      logDropped('bench.close', 'it is not measured by this window');
      return null;
    }
    if (engine.runsIn === 'worker') this.#broker.tellHost({ tag: HostTag.benchEnd, engine: engine.id }, []);
    this.#processes.get(engine.id)?.kill();
    this.#processes.delete(engine.id);
    return null;
  }

  /** Of this window, if it measures, and its turn. */
  end(window: AppWindow): void {
    if (this.#owner === window) this.destroy();
    this.#turn.give(window);
  }

  destroy(): void {
    if (this.#owner === null) return;
    this.#owner = null;
    this.#broker.tellHost({ tag: HostTag.benchEnd }, []);
    for (const process of this.#processes.values()) process.kill();
    this.#processes.clear();
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }

  #own(window: AppWindow): void {
    this.#owner = window;
    // What a run that was ended had no time to remove.
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #start(engine: EngineId): NativeProcess | null {
    const process = startNativeProcess('bench-process.mjs', [], {
      answered: () => undefined,
      exited: (how) => {
        if (this.#processes.get(engine) !== process) return; // ended by us
        log(`bench process of ${engine} gone: ${how}`);
        this.#processes.delete(engine); // its ports close with it, which rejects pending calls
      },
    });
    if (process) this.#processes.set(engine, process);
    return process;
  }
}
