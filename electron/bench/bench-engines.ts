// Connects the measuring window to the engines it measures: workers of the host page, or separate processes.
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
import type { AppWindow } from '../windows/registry.ts';
import { startBenchProcess } from './bench-process.ts';
import type { BenchProcess } from './bench-process.ts';
import type { NotStarted } from '../native/native-process.ts';
import type { BenchTurn } from './bench-turn.ts';

const NOT_ITS_TURN = 'The run has ended, so no more engines are started for it.';
const NO_HOST = 'The database engine is starting. Try again in a moment.';
/** A command-line run has no user to answer the question that main asks when the host has crashed four times. */
const HOST_TIMEOUT_MS = 60_000;
const HOST_LOOK_MS = 100;

export class BenchEngines {
  readonly #turn: BenchTurn;
  readonly #broker: Broker;
  /** Folder for the files of native engines; deleted when no measurement is running. */
  readonly #directory: string;
  /** The window whose engines are running. */
  #owner: AppWindow | null = null;
  /** One process per engine: native work can only be stopped by ending its process, and must not affect the others. */
  readonly #processes = new Map<EngineId, BenchProcess>();

  constructor(turn: BenchTurn, broker: Broker, directory: string) {
    this.#turn = turn;
    this.#broker = broker;
    this.#directory = directory;
  }

  /** Returns why the engine cannot be opened, or null. */
  async open(window: AppWindow, engineId: string): Promise<string | null> {
    const engine = engineOf(engineId);
    if (!engine) return `There is no engine “${engineId}”.`;
    if (!this.#turn.isOf(window)) return NOT_ITS_TURN;
    if (this.#owner === null) this.#own(window);
    const { port1, port2 } = new MessageChannelMain();
    if (engine.runsIn === 'worker') {
      const began = Date.now();
      // The host restarts automatically, even if the measurement crashed it.
      while (!this.#broker.tellHost({ tag: HostTag.bench, engine: engine.id }, [port2])) {
        if (Date.now() - began > HOST_TIMEOUT_MS) return NO_HOST;
        await new Promise((resolve) => setTimeout(resolve, HOST_LOOK_MS));
        if (!this.#turn.isOf(window)) return NOT_ITS_TURN;
      }
    } else {
      const process = this.#processes.get(engine.id) ?? this.#start(engine.id);
      if ('why' in process) return `Native engines cannot be measured. ${process.why}`;
      process.tell({ engine: engine.id, directory: this.#directory }, [port2]);
    }
    window.browserWindow.webContents.postMessage(BENCH_PORT, { tag: BENCH_PORT_TAG, engine: engine.id }, [port1]);
    return null;
  }

  /** Ends an engine that does not respond to the measuring window. */
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

  /** Ends the measurement of this window and its turn, if it has one. */
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
    // Left over from a run that was ended.
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #start(engine: EngineId): BenchProcess | NotStarted {
    const process = startBenchProcess((how) => {
      if (this.#processes.get(engine) !== process) return; // already ended by this class
      log(`bench process of ${engine} gone: ${how}`);
      this.#processes.delete(engine); // its ports close with it, which rejects pending calls
    });
    if (!('why' in process)) this.#processes.set(engine, process);
    return process;
  }
}
