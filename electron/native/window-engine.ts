// An engine process for windows: started when it is needed, restarted when it crashes, its windows given new ports, ended with the app.
import { MessageChannelMain } from 'electron';
import type { FromNative, FromRemote, ToNative, ToRemote } from '#shared/native-link.ts';
import { refuse, serve } from '#shared/rpc/server.ts';
import { log } from '../crash.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { mainPort } from '../message-port.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import { removeAbandonedScratch } from '../scratch-folders.ts';
import { createRestartBudget } from '../windows/restart-budget.ts';
import { startNativeProcess } from './native-process.ts';
import type { NativeProcess, NotStarted, Script } from './native-process.ts';

/** One that has not closed everything by then hangs: what was committed is safe without it. */
const STOP_TIMEOUT_MS = 8000;

interface EngineParts {
  readonly windows: AppWindows;
  readonly script: Script;
  readonly args: readonly string[];
  readonly files: FileTokens;
  /** Name for the log. */
  readonly name: string;
  /** Message that a new process needs before it starts. */
  readonly first?: () => ToNative | ToRemote;
  /** It has started, and no window has ports yet. */
  readonly began?: (process: NativeProcess) => void;
  readonly answered: (message: FromNative | FromRemote) => void;
  /** @param isCrash nobody has asked for it */
  readonly ended?: (isCrash: boolean) => void;
  /** Tells windows that it is not restarted automatically. */
  readonly gaveUp: string;
  /** Message that goes to a window with its two ports. @param generation increases with each start */
  readonly portsMessage: (generation: number) => { readonly channel: string; readonly message: object };
}

export class WindowEngine {
  readonly #parts: EngineParts;
  /** Windows that have requested ports since they were loaded. */
  #joined = new WeakSet<AppWindow>();
  readonly #mayRestart = createRestartBudget();
  #process: NativeProcess | null = null;
  /** A window has asked to end it. Its exit code can be 0, or that of the signal. */
  #endsOnRequest: NativeProcess | null = null;
  #generation = 0;
  /** For windows, while no process runs. */
  #whyGone = '';
  #settled: (() => void) | null = null;
  /** Processes that close their files and then end, while another one may start. */
  readonly #stopping = new Map<NativeProcess | NotStarted, () => void>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the process if necessary, and gives the window its ports. Returns why this installation cannot run it, or null. */
  serve(window: AppWindow): string | null {
    const why = this.start();
    if (why !== null) return why;
    if (!this.#joined.has(window)) {
      this.#joined.add(window);
      this.#join(window);
    }
    return null;
  }

  /** Starts the process if necessary, for no window yet. Returns why this installation cannot run it, or null. */
  start(): string | null {
    return this.#process ? null : this.#start();
  }

  /** Returns false if no process runs. */
  tell(message: ToNative | ToRemote): boolean {
    this.#process?.tell(message);
    return this.#process !== null;
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#joined.delete(window);
  }

  /** Starts again with what it has to know now, if it runs. Windows get new ports. */
  restart(): void {
    const running = this.#process;
    if (!running) return;
    this.#process = null;
    running.kill();
    this.#start();
  }

  /** Ends the process when it has closed everything. It starts again for the next window. */
  async stop(): Promise<void> {
    const running = this.#process;
    if (!running) return;
    this.#process = null;
    this.#joined = new WeakSet();
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#stopping.set(running, resolve);
      running.tell({ t: 'settle' });
      late = setTimeout(() => {
        log(`${this.#parts.name} has not closed everything within ${STOP_TIMEOUT_MS / 1000} s`);
        resolve();
      }, STOP_TIMEOUT_MS);
    });
    clearTimeout(late);
    this.#stopping.delete(running);
    running.kill();
  }

  /** Ends the process at once, because it has nothing to close. It starts again for the next window. */
  abandon(): void {
    const running = this.#process;
    this.#process = null;
    running?.kill();
  }

  /** Resolves when everything is closed, or the process is gone. */
  settle(): Promise<void> {
    const running = this.#process;
    if (!running) return Promise.resolve();
    return new Promise<void>((resolve) => {
      this.#settled = resolve;
      running.tell({ t: 'settle' });
    }).then(() => this.destroy());
  }

  destroy(): void {
    this.#settled ??= () => undefined; // from now on the process is expected to exit
    this.#process?.kill();
    this.#process = null;
  }

  /** Returns why not, or null. */
  #start(): string | null {
    const { script, args, files, first, began } = this.#parts;
    const process = startNativeProcess(script, args, {
      answered: (message) => {
        if (message.t === 'settled') (this.#stopping.get(process) ?? this.#settled)?.();
        else if (message.t !== 'end') this.#parts.answered(message);
        else if ('kill' in process) {
          this.#endsOnRequest = process;
          process.kill();
        }
      },
      exited: (how) => {
        // Also of one that was killed while it tried a key.
        void removeAbandonedScratch(log);
        this.#stopping.get(process)?.();
        // Reports of one that was replaced are ignored.
        if (process === this.#process || this.#settled) this.#onExit(how);
      },
    });
    if ('why' in process) return process.why;
    this.#process = process;
    this.#generation++;
    const { port1, port2 } = new MessageChannelMain();
    serve(mainPort(port1), files.handlers, { info: null, session: null });
    if (first) process.tell(first());
    process.tell({ t: 'init' }, [port2]);
    began?.(process);
    this.#joinAgain();
    return null;
  }

  #onExit(how: string): void {
    const isAskedFor = this.#process !== null && this.#endsOnRequest === this.#process;
    this.#endsOnRequest = null;
    this.#parts.ended?.(!isAskedFor);
    if (this.#settled) return this.#settled();
    log(`${this.#parts.name} gone: ${how}`);
    this.#process = null;
    // Restarts requested by the user are not limited.
    const why = isAskedFor || this.#mayRestart(Date.now()) ? this.#start() : this.#parts.gaveUp;
    if (why === null) return;
    this.#whyGone = why;
    this.#generation++;
    this.#joinAgain(); // to report the failure
  }

  #joinAgain(): void {
    for (const window of this.#parts.windows.all) if (this.#joined.has(window)) this.#join(window);
  }

  #join(window: AppWindow): void {
    const data = new MessageChannelMain();
    const control = new MessageChannelMain();
    if (this.#process) this.#process.tell({ t: 'window', windowId: window.windowId }, [data.port2, control.port2]);
    else refuse(mainPort(data.port2), { code: 'unavailable', message: this.#whyGone });
    const { channel, message } = this.#parts.portsMessage(this.#generation);
    window.browserWindow.webContents.postMessage(channel, message, [data.port1, control.port1]);
  }
}
