// Starts the app beside this one, with a profile of its own, once per measurement: the first start with a profile opens a database and
// quits, each further start finds it open.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { ParentOrder, ReplyToParent, StartReport } from '#shared/bench/parent-order.ts';
import type { AppStartOrder, AppStartReply } from '#shared/bench/shell.ts';
import { PRIVATE_FOLDER } from '../files/file-access.ts';
import type { ComparisonCopyFiles } from '../files/comparison-copies.ts';
import { writeJson } from '../json-file.ts';
import type { AppWindow } from '../windows/registry.ts';

const TIMEOUT_MS = 60_000;
const DROP_CACHES = '/proc/sys/vm/drop_caches';
/** Drops the content of files, and what is known of them. */
const EVERYTHING = '3';
/** Chromium recreates these: compiled scripts and wasm, and GPU programs. */
const COMPILED = ['Code Cache', 'GPUCache', 'DawnCache', 'DawnGraphiteCache', 'DawnWebGPUCache', 'ShaderCache'];

export interface AppStartsOptions {
  /** Folder for the profiles; deleted when no measurement is running. */
  readonly folder: string;
  readonly comparisonCopies: ComparisonCopyFiles;
  readonly sandbox: boolean;
  /** Empty the system's cache of files before each cold start. */
  readonly dropsCaches: boolean;
}

export class AppStarts {
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

  /** Ends the measurement of this window, if there is one. */
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
