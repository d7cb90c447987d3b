// Joins the window that measures to the engines it measures: workers of the host page, threads of a process of their own.
import { rmSync } from 'node:fs';
import { MessageChannelMain } from 'electron';
import { engineOf } from '#shared/bench/engines.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import { HostTag } from '#shared/host-tags.ts';
import type { Broker } from '../broker.ts';
import { log } from '../crash.ts';
import { BENCH_PORT } from '../ipc/channels.ts';
import { startNativeProcess } from '../native/native-process.ts';
import type { NativeProcess } from '../native/native-process.ts';
import type { AppWindow } from '../windows/registry.ts';

const ELSEWHERE =
  'Another window is measuring. Two at once would only measure each other: wait for that one, or stop it.';
const NO_HOST = 'The database engine is just being started. Try again in a moment.';
const NO_NATIVE = 'Native engines cannot be measured here: this installation has none.';

export class BenchEngines {
  readonly #broker: Broker;
  /** For the files of native engines; gone when nothing is measured. */
  readonly #directory: string;
  #owner: AppWindow | null = null;
  #process: NativeProcess | null = null;

  constructor(broker: Broker, directory: string) {
    this.#broker = broker;
    this.#directory = directory;
  }

  /** Answers why it can not. */
  open(window: AppWindow, engineId: string): string | null {
    const engine = engineOf(engineId);
    if (!engine) return `There is no engine “${engineId}”.`;
    if (this.#owner !== null && this.#owner !== window) return ELSEWHERE;
    if (this.#owner === null) this.#own(window);
    const { port1, port2 } = new MessageChannelMain();
    if (engine.place === 'worker') {
      if (!this.#broker.tellHost({ tag: HostTag.bench, engine: engine.id }, [port2])) return NO_HOST;
    } else {
      this.#process ??= this.#start();
      if (!this.#process) return NO_NATIVE;
      this.#process.tell({ engine: engine.id, directory: this.#directory }, [port2]);
    }
    window.browserWindow.webContents.postMessage(BENCH_PORT, { tag: BENCH_PORT_TAG, engine: engine.id }, [port1]);
    return null;
  }

  /** Of this window, if it measures. */
  end(window: AppWindow): void {
    if (this.#owner === window) this.destroy();
  }

  destroy(): void {
    if (this.#owner === null) return;
    this.#owner = null;
    this.#broker.tellHost({ tag: HostTag.benchEnd }, []);
    this.#process?.kill();
    this.#process = null;
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 });
  }

  #own(window: AppWindow): void {
    this.#owner = window;
    // What a run that was ended had no time to remove.
    rmSync(this.#directory, { recursive: true, force: true });
    window.browserWindow.once('closed', () => this.end(window));
  }

  #start(): NativeProcess | null {
    const process = startNativeProcess('bench-process.mjs', [], {
      settled: () => undefined,
      exited: (how) => {
        if (this.#process !== process) return; // ended by us
        log(`bench process gone: ${how}`);
        this.#process = null; // ports close with it, and whoever waits is told
      },
    });
    return process;
  }
}
