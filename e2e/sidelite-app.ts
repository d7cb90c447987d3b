// The real app under test: started with a profile of its own, its windows found, its dialogs answered, its problems collected.
import { execFileSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, expect } from '@playwright/test';
import type { ConsoleMessage, ElectronApplication, Page } from '@playwright/test';
import type { Screen } from '../build/screen.ts';
import { collectProblems } from './problems.ts';
import { SCREEN_SWITCHES } from './screens.ts';
import { HOSTED_APPS } from './shared-electron.ts';
import type { SharedElectron } from './shared-electron.ts';
import type { TestedApp } from './tested-app.ts';
import { TestLog } from './test-log.ts';
import { TRACES_DOCUMENT } from './trace.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');
const APP_PAGE = 'app://shell/index.html';
const HOST_PAGE = 'app://shell/host.html';
/** File that a running app leaves in its profile, and removes as the last thing it does (`electron/crash.ts`). */
const RUN_MARK = 'running';
const START_MS = 30_000;
/** Every story waits for a start: at Playwright's own intervals it would hear of its window up to half a second late. */
const STARTED = { timeout: START_MS, intervals: [20] };
const AS_ROOT: readonly string[] = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const REMOVAL = { recursive: true, force: true, maxRetries: 5 };

/** Options of the app; any other is Chromium's, which only a process of its own takes. */
const APP_OPTIONS = /^--(?:table|where|read-only|bench|smoke|started)\b/;

/** State in main, where {@link SideliteApp.answerOpenDialog} replaces the system's dialog. */
interface OpenDialogs {
  shownOpenDialog?: Electron.OpenDialogOptions;
}

export class SideliteApp implements TestedApp {
  /** A folder for the files of this test; removed with the profile. */
  readonly folder = mkdtempSync(join(tmpdir(), 'sidelite-e2e-'));
  readonly profile = join(this.folder, 'profile');
  /** Console errors, page errors and policy violations of every window and of main. A test with one fails. */
  readonly problems: string[] = [];
  /** Scripts that main loads ahead of the app, for what must differ from its first moment on. */
  preloads: readonly string[] = [];
  /** Runs in a process of its own, as it does for users, and not in the one that stories share. */
  isAlone: boolean;
  /** What the user has chosen for opening files; null: nothing yet, so the first edit asks. */
  opensFiles: 'copy' | 'in-place' | 'ask' | null = 'copy';
  /** The app's own screen; null: the screen of the test worker. */
  screen: Screen | null = null;
  readonly #shared: SharedElectron | null;
  /** That of the process, if it runs alone. Chromium has a socket in it, whose path must be short. */
  readonly #temporary = mkdtempSync(join(tmpdir(), 'sl-'));
  /** The storage of this story in the shared process; null until it has started there. */
  #partition: string | null = null;
  #electron: ElectronApplication | null = null;
  /** Ends what this story listens to in a process that others will use. */
  #detach: (() => void)[] = [];
  readonly #log = new TestLog();
  /** Memory images that other stories have left in the folder of the process that stories share. */
  readonly #foreignDumps: ReadonlySet<string>;
  #isKilled = false;
  #wasKilled = false;
  /** Resolves when the end of main has been examined. */
  #ended: Promise<void> = Promise.resolve();

  /** @param shared the process that stories share; null: there is none */
  constructor(shared: SharedElectron | null = null) {
    this.#shared = shared;
    this.#foreignDumps = new Set(shared === null ? [] : crashDumpsIn(shared.folder));
    this.isAlone = shared === null;
  }

  /** The temporary folder of the app, in which it must leave nothing. */
  get temporary(): string {
    return this.isAlone ? this.#temporary : this.#shared!.temporary;
  }

  get running(): boolean {
    return this.#electron !== null;
  }

  get electron(): ElectronApplication {
    if (!this.#electron) throw new Error('The app is not running.');
    return this.#electron;
  }

  /** Starts the app with `args` after its own folder and answers its first window. */
  async start(...args: string[]): Promise<Page> {
    // A command of the command line keeps the history of files there, and nothing else.
    const names = existsSync(this.profile) ? readdirSync(this.profile) : [];
    const isFirstStart = names.every((name) => name === 'history-of-files');
    if (isFirstStart) this.#writeSettings();
    if (this.#partition === null) this.isAlone ||= this.#needsOwnProcess(args);
    const electron = this.isAlone ? await this.#launchAlone(args) : await this.#startShared(args);
    this.#electron = electron;
    for (const page of electron.windows()) this.#follow(page);
    return await this.window();
  }

  #needsOwnProcess(args: readonly string[]): boolean {
    const isForeign = (arg: string): boolean => arg.startsWith('-') && !APP_OPTIONS.test(arg);
    return this.preloads.length > 0 || this.screen !== null || args.some(isForeign);
  }

  async #launchAlone(args: readonly string[]): Promise<ElectronApplication> {
    const electron = await this.#launch(this.preloads, this.commandLine([...SCREEN_SWITCHES, ...args]));
    await electron.context().tracing.start({ snapshots: TRACES_DOCUMENT });
    return electron;
  }

  /** A story that has quit or killed the process starts a new one, in which its app finds what the last one has stored. */
  async #startShared(words: readonly string[]): Promise<ElectronApplication> {
    const shared = this.#shared!;
    this.#partition ??= shared.newPartition();
    if (shared.electron) this.#listen(shared.electron);
    else {
      const switches = [`--user-data-dir=${shared.folder}`, ...AS_ROOT, ...SCREEN_SWITCHES];
      const electron = await this.#launch([HOSTED_APPS], [REPOSITORY, ...switches]);
      await electron.context().tracing.start({ snapshots: TRACES_DOCUMENT });
      shared.took(electron);
    }
    await shared.electron!.context().tracing.startChunk();
    await shared.start({ profile: this.profile, partition: this.#partition, words });
    return shared.electron!;
  }

  async #launch(preloads: readonly string[], commandLine: readonly string[]): Promise<ElectronApplication> {
    const options = {
      args: [...preloads.flatMap((script) => ['-r', script]), ...commandLine],
      cwd: REPOSITORY,
      timeout: START_MS,
      env: this.#environment(),
      // Otherwise the driver leaves the traces of an app that is killed, or whose trace nobody keeps, in the temporary folder.
      tracesDir: join(this.isAlone ? this.folder : this.#shared!.folder, 'traces'),
    };
    // Without `executablePath` the driver finds Electron by ELECTRON_OVERRIDE_DIST_PATH and loads a file of its own ahead of the app, which
    // keeps the app from being ready before the driver is joined to it. With it the two race, and now and then the driver waits forever.
    const electron = await _electron.launch(options);
    this.#listen(electron);
    return electron;
  }

  #listen(electron: ElectronApplication): void {
    this.#collectEnd(electron.process());
    const note = (text: Buffer): void => this.#log.note(`main: ${text.toString().trimEnd()}`);
    for (const stream of [electron.process().stdout, electron.process().stderr]) {
      stream?.on('data', note);
      this.#detach.push(() => stream?.off('data', note));
    }
    const complain = (message: ConsoleMessage): void =>
      void (message.type() === 'error' && this.problems.push(`main: ${message.text()}`));
    const follow = (page: Page): void => this.#follow(page);
    electron.on('console', complain);
    electron.on('window', follow);
    this.#detach.push(
      () => electron.off('console', complain),
      () => electron.off('window', follow),
    );
  }

  #environment(): Record<string, string> {
    const display = this.screen && { DISPLAY: this.screen.display };
    return { ...process.env, TMPDIR: this.temporary, TEMP: this.temporary, TMP: this.temporary, ...display } as Record<
      string,
      string
    >;
  }

  #follow(page: Page): void {
    collectProblems(page, this.problems);
    this.#log.follow(page);
  }

  /** Returns what main and all pages reported, and what the app has written to its own log. */
  readLog(): string {
    const own = join(this.profile, 'sidelite.log');
    return [this.#log.text, 'sidelite.log:', existsSync(own) ? readFileSync(own, 'utf8') : 'none'].join('\n');
  }

  /** Memory images of processes that crashed in this story. */
  crashDumps(): readonly string[] {
    const dumps = crashDumpsIn(this.isAlone ? this.profile : this.#shared!.folder);
    return dumps.filter((file) => !this.#foreignDumps.has(file));
  }

  /** Arguments that a second start from a shell gets, too. */
  commandLine(args: readonly string[]): string[] {
    return [REPOSITORY, `--user-data-dir=${this.profile}`, ...AS_ROOT, ...args];
  }

  /** The pages the user sees; `firstWindow` of Playwright may be the hidden host. */
  windows(): Page[] {
    return this.electron.windows().filter((page) => page.url().startsWith(APP_PAGE));
  }

  /** The window opened as number `index`, once its page has loaded. */
  async window(index = 0): Promise<Page> {
    await expect.poll(() => this.windows().length, STARTED).toBeGreaterThan(index);
    const page = this.windows()[index]!;
    // Do not use `waitForLoadState`: on the old Electron the driver now and then misses the event, and would wait for it forever.
    await expect.poll(() => page.evaluate(() => document.readyState), STARTED).toBe('complete');
    return page;
  }

  /** The hidden page that owns the worker. */
  async host(): Promise<Page> {
    const find = (): Page | undefined => this.electron.windows().find((page) => page.url().startsWith(HOST_PAGE));
    await expect.poll(find, STARTED).toBeDefined();
    return find()!;
  }

  /** Chooses an entry of the native menu. */
  async menu(commandId: string): Promise<void> {
    await this.electron.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click(), commandId);
  }

  /** The next open dialogs answer with these files. */
  async answerOpenDialog(...filePaths: string[]): Promise<void> {
    await this.electron.evaluate(({ dialog }, paths) => {
      const global = globalThis as OpenDialogs;
      dialog.showOpenDialog = (...args: readonly unknown[]) => {
        global.shownOpenDialog = args.at(-1) as Electron.OpenDialogOptions;
        return Promise.resolve({ canceled: paths.length === 0, filePaths: paths });
      };
    }, filePaths);
  }

  /** Options of the last open dialog, including the kinds of files it showed; the first of them before anything else. */
  async shownOpenDialog(): Promise<Electron.OpenDialogOptions | undefined> {
    return this.electron.evaluate(() => (globalThis as OpenDialogs).shownOpenDialog);
  }

  /** The next save dialogs answer with this file; null cancels them. */
  async answerSaveDialog(filePath: string | null): Promise<void> {
    await this.electron.evaluate(({ dialog }, path) => {
      dialog.showSaveDialog = () => Promise.resolve({ canceled: path === null, filePath: path ?? '' });
    }, filePath);
  }

  /** Quits as the user would, who agrees to lose what is not saved, and waits for the end. */
  async quit(): Promise<void> {
    await this.#electron
      ?.evaluate(({ dialog }) => {
        dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      })
      .catch(() => undefined); // it has crashed, or was told to quit already
    const isRunning = this.running;
    await this.#electron?.close();
    await this.#ended;
    this.#leave();
    if (isRunning) this.#collectLeft();
  }

  /** Ends the app after its story. The process that stories share stays for the next one. */
  async finish(): Promise<void> {
    if (this.isAlone || !this.#electron || this.#shared?.electron !== this.#electron) return this.quit();
    await this.#electron.context().tracing.stopChunk();
    await this.#shared.end();
    this.#leave();
    this.#collectLeft();
  }

  #leave(): void {
    for (const detach of this.#detach.splice(0)) detach();
    this.#electron = null;
    this.#ended = Promise.resolve();
  }

  /**
   * Chromium removes its own folders last, and not at all when it is killed; a process that goes on has some. For shared memory it creates an
   * empty file and removes the name at once: a thread that ends with its process between these two steps leaves the file.
   */
  #collectLeft(): void {
    const isChromiums = (name: string): boolean =>
      /^(?:scoped_dir|\.org\.chromium\.)/.test(name) &&
      (this.#wasKilled || !this.isAlone || statSync(join(this.temporary, name)).size === 0);
    const left = readdirSync(this.temporary).filter((name) => !isChromiums(name));
    this.problems.push(...left.map((name) => `left in the temporary folder: ${name}`));
  }

  /** Waits for an app that was told to quit. How it has ended is judged as every end is. */
  async untilEnded(): Promise<void> {
    await this.#ended;
  }

  /**
   * An app that crashes has a problem, even if all its windows were as they should be: so does one that crashes when it quits.
   *
   * One end is the driver's: it debugs main, and an app that ends by itself (the last window was closed) has Node 16 wait for the debugger
   * to leave, while its process is taken down; twice in some 500 such ends that was a SIGSEGV. Ends that the driver asks for let go of the
   * debugger first, and have never crashed. By then the app has written everything and removed its mark of a running app, which is how the
   * next start knows: only with both is it let pass.
   */
  #collectEnd(main: ChildProcess): void {
    let waitsForDebugger = false;
    const listen = (text: Buffer): void =>
      void (waitsForDebugger ||= text.includes('Waiting for the debugger to disconnect'));
    main.stderr?.on('data', listen);
    this.#detach.push(() => main.stderr?.off('data', listen));
    const left = new AbortController();
    this.#detach.push(() => left.abort());
    const hasEnded = once(main, 'exit', { signal: left.signal }) as Promise<[number | null, string | null]>;
    const judge = ([code, signal]: readonly [number | null, string | null]): void => {
      if (this.#isKilled || code === 0) return;
      const end = `main: ended with ${String(signal ?? `exit code ${String(code)}`)}`;
      const isOfDriver = signal === 'SIGSEGV' && waitsForDebugger && !existsSync(join(this.profile, RUN_MARK));
      if (isOfDriver) this.#log.note(`${end}, while it waited for the debugger`);
      else this.problems.push(end);
    };
    this.#ended = hasEnded.then(judge, () => undefined);
  }

  async relaunch(...args: string[]): Promise<Page> {
    await this.quit();
    return await this.start(...args);
  }

  /**
   * Ends every process of the app at once, as a power cut would; or main alone, which the others have to notice.
   * @param signal `SIGSEGV`: as a crash of main, of which a memory image is kept
   */
  async kill(which: 'all' | 'main' = 'all', signal: 'SIGKILL' | 'SIGSEGV' = 'SIGKILL'): Promise<void> {
    const main = this.electron.process();
    const ended = once(main, 'exit');
    this.#isKilled = true;
    this.#wasKilled = true;
    if (which === 'all' && process.platform === 'win32')
      execFileSync('taskkill', ['/PID', String(main.pid), '/T', '/F'], { stdio: 'ignore' });
    else for (const pid of which === 'main' ? [main.pid!] : processTree(main.pid!)) endProcess(pid, signal);
    await ended;
    await this.#ended;
    this.#isKilled = false;
    this.#leave();
  }

  #writeSettings(): void {
    mkdirSync(this.profile, { recursive: true });
    if (this.opensFiles)
      writeFileSync(join(this.profile, 'settings.json'), JSON.stringify({ openFiles: this.opensFiles }));
  }

  /** The trace of what this test did since the last start. */
  async keepTrace(path: string): Promise<void> {
    const { tracing } = this.electron.context();
    if (this.isAlone) return tracing.stop({ path });
    await tracing.stopChunk({ path });
    // Ending the story stops another one.
    await tracing.startChunk();
  }

  async dispose(): Promise<void> {
    await this.finish();
    for (const folder of [this.folder, this.#temporary]) rmSync(folder, REMOVAL);
  }
}

/** One that has ended by itself meanwhile, as children do when their parent is gone, is ended. */
function endProcess(pid: number, signal: 'SIGKILL' | 'SIGSEGV'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Parents first, so that nothing is left to restart what was killed. */
function processTree(root: number): number[] {
  const pairs = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [root];
  for (const parent of tree)
    tree.push(...pairs.flatMap(([pid, ppid]) => (ppid === parent && pid !== undefined ? [pid] : [])));
  return tree;
}

function crashDumpsIn(userData: string): readonly string[] {
  const folder = join(userData, 'Crashpad');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.dmp')).map((file) => join(folder, file));
}
