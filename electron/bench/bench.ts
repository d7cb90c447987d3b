// Everything main needs for measurements: the turn of a window, engines, further starts and windows of the app.
import type { Broker } from '../broker.ts';
import type { TemporaryDatabases } from '../files/temporary-databases.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import { MINIMUM_SIZE } from '../windows/window-placements.ts';
import type { WindowPlacement } from '../windows/window-placements.ts';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, MessageChannelMain } from 'electron';
import type { MessagePortMain } from 'electron';
import { BENCH_PORT_TAG, BENCH_WINDOW_HASH, BENCH_WINDOW_TAG } from '#shared/bench/shell.ts';
import type { ParentOrder, ReplyToParent, StartReport, AppStartOrder, AppStartReply } from '#shared/bench/shell.ts';
import { PRIVATE_FOLDER } from '../files/file-access.ts';
import { writeJson } from '../json-file.ts';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { HostTag } from '#shared/host-tags.ts';
import { log } from '../crash.ts';
import { logDropped } from '../dropped.ts';
import { BENCH_PORT } from '../ipc/channels.ts';
import type { Duplex } from 'node:stream';
import { frameOf, FrameReader, LINK_DESCRIPTOR } from '#shared/bench/link-frames.ts';
import type { LinkFrame } from '#shared/bench/link-frames.ts';
import type { ToBench } from '#shared/native-link.ts';
import { measuresInUtilityProcess } from '../compat.ts';
import { startNativeProcess } from '../native/native-process.ts';
import type { NativeProcess, NotStarted } from '../native/native-process.ts';
import { logLinesOf } from '../native/process-log.ts';
import { BenchTurn } from './bench-turn.ts';
import type { OrderedJob } from './job.ts';
import { randomUUID } from 'node:crypto';

/** How much of the first window stays visible: a fully covered window gets no frames. */
const ASIDE_PX = 24;

class SecondWindow {
  readonly #open: (place: WindowPlacement, hash: string) => AppWindow;
  #owner: AppWindow | null = null;
  #window: AppWindow | null = null;
  #port: MessagePortMain | null = null;

  constructor(open: (place: WindowPlacement, hash: string) => AppWindow) {
    this.#open = open;
  }

  /** Replaces the existing one, if any. The owner's end of the port arrives as a message. Returns why it cannot be opened, or null. */
  open(owner: AppWindow): string | null {
    if (this.#owner !== null && this.#owner !== owner)
      return 'Another window is running a benchmark, and has a second window for it.';
    this.destroy();
    this.#owner = owner;
    owner.browserWindow.once('closed', () => this.end(owner));
    const { x, y } = owner.browserWindow.getNormalBounds();
    const { port1, port2 } = new MessageChannelMain();
    this.#port = port2;
    this.#window = this.#open(
      {
        windowId: randomUUID(),
        number: 0,
        bounds: { x: x + ASIDE_PX, y: y + ASIDE_PX, ...MINIMUM_SIZE },
        maximized: false,
        fullScreen: false,
      },
      BENCH_WINDOW_HASH,
    );
    send(owner, port1);
    return null;
  }

  join(window: AppWindow): void {
    if (window !== this.#window || !this.#port) return logDropped('bench.joinWindow', 'no port waits for this window');
    send(window, this.#port);
    this.#port = null;
  }

  /** Null for any window but the second one. */
  ownerOf(window: AppWindow): AppWindow | null {
    return window === this.#window ? this.#owner : null;
  }

  end(window: AppWindow): void {
    if (this.#owner === window) this.destroy();
  }

  /** Closes it at once: it has no state to save. */
  destroy(): void {
    this.#owner = null;
    this.#port?.close();
    this.#port = null;
    if (this.#window && !this.#window.browserWindow.isDestroyed()) this.#window.browserWindow.destroy();
    this.#window = null;
  }
}

function send({ browserWindow }: AppWindow, port: MessagePortMain): void {
  browserWindow.webContents.postMessage(BENCH_PORT, { tag: BENCH_WINDOW_TAG }, [port]);
}

const SCRIPT = 'bench-process.mjs';

type BenchProcess = Pick<NativeProcess, 'kill'> & {
  tell(message: ToBench, ports: readonly MessagePortMain[]): void;
};

/** Returns why not if this installation has no native engine. @param exited called once, with how it ended */
function startBenchProcess(exited: (how: string) => void): BenchProcess | NotStarted {
  // A packaged app has no other Node.
  if (app.isPackaged || measuresInUtilityProcess())
    return startNativeProcess(SCRIPT, [], { answered: () => undefined, exited });
  return startChild(exited);
}

/** Where Electron's own Node is too old for what is measured, it is a child process, for which main relays messages without looking inside. */
function startChild(exited: (how: string) => void): BenchProcess | NotStarted {
  const root = app.getAppPath();
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const entry = join(root, 'dist', 'native', SCRIPT);
  if (!existsSync(node) || !existsSync(entry)) return { why: 'This installation has no native engine.' };
  const child = spawn(node, [entry, root], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  logLinesOf(child.stderr, 'Sidelite bench process');
  const relay = createRelay(child.stdio[LINK_DESCRIPTOR] as Duplex);
  let ended = false;
  const end = (how: string): void => {
    if (ended) return;
    ended = true;
    relay.end();
    exited(how);
  };
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));
  return { tell: relay.tell, kill: () => void child.kill('SIGKILL') };
}

function createRelay(pipe: Duplex) {
  const open = new Map<number, MessagePortMain>();
  let last = 0;
  // A process that has just died is detected by its exit, which also ends the pending calls; a failed write is only logged.
  pipe.on('error', (error) => logDropped('what was on its way to a bench process', error.message));
  const send = (frame: LinkFrame): void => {
    // Does not check `writable`: Node 16 reports false for every extra pipe of a child, although writing works.
    if (pipe.destroyed) return logDropped(`a frame (${frame.t}) for a bench process`, 'it has ended');
    pipe.write(frameOf(frame));
  };
  const receive = (frame: LinkFrame): void => {
    if (frame.t === 'data') {
      const port = open.get(frame.port);
      if (port) port.postMessage(frame.message);
      else logDropped('a message of a bench process', 'the window it was for is gone');
    } else if (frame.t === 'close') {
      open.get(frame.port)?.close();
      open.delete(frame.port);
    }
  };
  const reader = new FrameReader((frame) => receive(frame as LinkFrame));
  pipe.on('data', (chunk: Uint8Array) => reader.read(chunk));
  const add = (port: MessagePortMain): number => {
    const number = ++last;
    open.set(number, port);
    port.on('message', ({ data }) => send({ t: 'data', port: number, message: data as unknown }));
    port.on('close', () => open.delete(number) && send({ t: 'close', port: number }));
    return number;
  };
  return {
    tell(message: ToBench, ports: readonly MessagePortMain[]): void {
      send({ t: 'tell', message, ports: ports.map(add) });
      for (const port of ports) port.start();
    },
    end(): void {
      for (const port of open.values()) port.close();
      open.clear();
    },
  };
}

const NOT_ITS_TURN = 'The run has ended, so no more engines are started for it.';
const NO_HOST = 'The database engine is starting. Try again in a moment.';
/** A command-line run has no user to answer the question that main asks when the host has crashed four times. */
const HOST_TIMEOUT_MS = 60_000;
const HOST_LOOK_MS = 100;

/** Connects the measuring window to the engines it measures: workers of the host page, or separate processes. */
class BenchEngines {
  readonly #turn: BenchTurn;
  readonly #broker: Broker;
  /** Folder for the files of native engines; deleted when no measurement is running. */
  readonly #directory: string;
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

const TIMEOUT_MS = 60_000;
const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Drops the content of files, and what is known of them. */
const EVERYTHING = '3';
/** Chromium recreates these: compiled scripts and wasm, and GPU programs. */
const COMPILED = ['Code Cache', 'GPUCache', 'DawnCache', 'DawnGraphiteCache', 'DawnWebGPUCache', 'ShaderCache'];

interface AppStartsOptions {
  /** Folder for the profiles; deleted when no measurement is running. */
  readonly folder: string;
  readonly comparisonCopies: TemporaryDatabases;
  readonly sandbox: boolean;
  /** Empty the system's cache of files before each cold start. */
  readonly dropsCaches: boolean;
}

/**
 * Starts the app beside this one, with a profile of its own, once per measurement: the first start with a profile
 * opens a database and quits, each further start finds it open.
 */
class AppStarts {
  readonly #options: AppStartsOptions;
  #owner: AppWindow | null = null;
  #running: ChildProcess | null = null;

  constructor(options: AppStartsOptions) {
    this.#options = options;
  }

  async start(window: AppWindow, { profile, comparisonCopy, way, cold }: AppStartOrder): Promise<AppStartReply> {
    if (!/^[\w-]{1,40}$/.test(profile)) return { why: 'This is not the name of a profile.' };
    if (this.#running || (this.#owner !== null && this.#owner !== window))
      return { why: 'Another start of the app is being measured.' };
    if (this.#owner === null) this.#own(window);
    const folder = join(this.#options.folder, profile);
    const file = this.#options.comparisonCopies.pathOf(window, comparisonCopy);
    if (file === null || !existsSync(file)) return { why: 'The database for starting the app no longer exists.' };
    try {
      if (!existsSync(folder)) await this.#prepare(folder, file, way);
      if (cold) this.#cool(folder);
      const began = Date.now();
      const { windowAtMs, rowsAtMs, firstRow, isNative } = await this.#run(folder, []);
      return { windowMs: windowAtMs - began, rowsMs: rowsAtMs - began, firstRow, isNative };
    } catch (error) {
      return {
        why: `The app could not be started again: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }

  end(window: AppWindow): void {
    if (this.#owner === window) this.destroy();
  }

  destroy(): void {
    this.#owner = null;
    this.#running?.kill('SIGKILL');
    this.#running = null;
    try {
      rmSync(this.#options.folder, { recursive: true, force: true, maxRetries: 5 });
    } catch {
      // A process that has just ended still has files open: the next run removes them.
    }
  }

  #own(window: AppWindow): void {
    this.destroy(); // left over from a run that was ended
    this.#owner = window;
    window.browserWindow.once('closed', () => this.end(window));
  }

  async #prepare(folder: string, file: string, way: AppStartOrder['way']): Promise<void> {
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    writeJson(join(folder, 'settings.json'), { openFiles: way });
    // Each engine gets its own file, because two engines must not open one file exclusively.
    const own = join(folder, 'measured.sqlite3');
    copyFileSync(file, own);
    await this.#run(folder, [own]);
  }

  #cool(folder: string): void {
    for (const name of COMPILED) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    if (this.#options.dropsCaches) writeFileSync(DROP_CACHES, EVERYTHING);
  }

  #run(folder: string, words: readonly string[]): Promise<StartReport> {
    const args = [...(app.isPackaged ? [] : [app.getAppPath()]), `--user-data-dir=${folder}`, ...words];
    if (!this.#options.sandbox) args.push('--no-sandbox');
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#running = child;
    child.send({ order: 'report-start' } satisfies ParentOrder);
    let reply: ReplyToParent | null = null;
    child.on('message', (message) => (reply = message as ReplyToParent));
    return new Promise<StartReport>((resolve, reject) => {
      const late = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        clearTimeout(late);
        if (this.#running === child) this.#running = null;
        if (reply?.reply === 'started') resolve(reply.start);
        else if (reply?.reply === 'failed') reject(new Error(reply.why));
        else reject(new Error(`it ended with ${signal ?? `exit code ${code}`}.`));
      });
    });
  }
}

interface BenchOptions {
  readonly windows: AppWindows;
  readonly broker: Broker;
  readonly comparisonCopies: TemporaryDatabases;
  readonly sandbox: boolean;
  /** For the first window. */
  readonly job: OrderedJob | null;
  /** A folder in the profile. */
  profile(name: string): string;
  openWindow(place: WindowPlacement, hash: string): AppWindow;
}

export class Bench {
  readonly turn: BenchTurn;
  readonly engines: BenchEngines;
  readonly starts: AppStarts;
  readonly secondWindow: SecondWindow;
  readonly job: OrderedJob | null;

  constructor({ windows, broker, comparisonCopies, sandbox, job, profile, openWindow }: BenchOptions) {
    this.job = job;
    this.turn = new BenchTurn(windows);
    this.engines = new BenchEngines(this.turn, broker, profile('bench'));
    const dropsCaches = job?.job.dropsCaches ?? false;
    this.starts = new AppStarts({ folder: profile('bench-starts'), comparisonCopies, sandbox, dropsCaches });
    this.secondWindow = new SecondWindow(openWindow);
  }

  end(window: AppWindow): void {
    this.starts.end(window);
    this.secondWindow.end(window);
    this.engines.end(window);
  }

  async mayQuit(): Promise<boolean> {
    // An ordered job has no user to ask.
    const may = this.job !== null || (await this.turn.mayEnd(null, 'Quit'));
    // This precedes saving the window places for the next start.
    if (may) this.secondWindow.destroy();
    return may;
  }

  destroy(): void {
    this.engines.destroy();
    this.starts.destroy();
  }
}
