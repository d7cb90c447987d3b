// For tests: commands of the command line, bundled as in the product, each in a process and beside a profile of its own. No Electron is needed.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { build, mergeConfig } from 'vite';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { inRoot, ROOT } from './paths.ts';
import { followCommand, type Ended, type RunningCommand, type Streams } from './running-command.test-suite.ts';
import { nativeConfig } from './targets.ts';

export class CommandFolder {
  /** Where commands are started. */
  readonly folder: string;
  readonly profile: string;
  /** The folder whose `node_modules` has the native engine. */
  packagesIn = ROOT;
  readonly #scriptsIn: string;

  constructor(root: string, scriptsIn: string) {
    this.folder = join(root, 'work');
    this.profile = join(root, 'profile');
    this.#scriptsIn = scriptsIn;
    mkdirSync(this.folder);
  }

  start(words: readonly string[], streams: Streams = {}): RunningCommand {
    const context = JSON.stringify({
      cwd: this.folder,
      scriptsIn: this.#scriptsIn,
      packagesIn: this.packagesIn,
      version: '1.2.3',
    });
    return running(
      this.#scriptsIn,
      [join(this.#scriptsIn, 'command.mjs'), context, `--user-data-dir=${this.profile}`, ...words],
      this.folder,
      streams,
    );
  }

  run(words: readonly string[], input = ''): Promise<Ended> {
    return this.start(words, { input }).ended;
  }

  /** Runs a command in a thread that its process waits for, as the app does. */
  runInThread(words: readonly string[], input = ''): Promise<Ended> {
    const { folder: cwd, packagesIn, profile } = this;
    const context = { words, cwd, scriptsIn: this.#scriptsIn, packagesIn, profile, version: '1.2.3' };
    const waiting = `const { Worker } = require('node:worker_threads');
      const result = new SharedArrayBuffer(8);
      const state = new Int32Array(result);
      new Worker(${JSON.stringify(join(this.#scriptsIn, 'command.mjs'))}, { workerData: { ...${JSON.stringify(context)}, result } });
      Atomics.wait(state, 0, 0);
      Atomics.wait(state, 0, 1);
      process.exit(state[1]);`;
    return running(this.#scriptsIn, ['-e', waiting], cwd, { input }).ended;
  }

  /** Makes a program of the commands that others can start, such as Git. Not for Windows. Returns its path. */
  program(): string {
    const path = join(this.profile, '..', 'sidelite');
    const context = `{"program":["${path}"],"cwd":"'"$PWD"'","scriptsIn":"${this.#scriptsIn}","packagesIn":"${this.packagesIn}","version":"1.2.3"}`;
    const command = join(this.#scriptsIn, 'command.mjs');
    const script = `#!/bin/sh\nexec '${process.execPath}' '${command}' '${context}' '--user-data-dir=${this.profile}' "$@"\n`;
    writeFileSync(path, script, { mode: 0o755 });
    return path;
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** Makes a database of SQL, and returns its path. */
  database(name: string, sql: string): string {
    const path = join(this.folder, name);
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    return path;
  }

  /** Locks a database as another program does. Returns the function that ends that. */
  lock(name: string): () => void {
    const other = new DatabaseSync(resolve(this.folder, name));
    other.exec('BEGIN EXCLUSIVE');
    return () => other.close();
  }

  /** Reads what a command has left, with another SQLite: it first takes back what a process left that had no time to. */
  rows(name: string, sql: string): readonly unknown[] {
    const db = new DatabaseSync(resolve(this.folder, name));
    try {
      const statement = db.prepare(sql);
      statement.setReturnArrays(true);
      return statement.all();
    } finally {
      db.close();
    }
  }
}

/** Bundles the commands once for a file of tests. @param opened gets an empty folder before each test, which goes after it */
export function commandFolders(opened: (folder: CommandFolder) => void): void {
  let [bundled, root] = ['', ''];
  beforeAll(async () => {
    bundled = mkdtempSync(join(tmpdir(), 'sidelite-commands-'));
    // Where the bundle finds the one package that stays outside of it.
    symlinkSync(inRoot('node_modules'), join(bundled, 'node_modules'), 'junction');
    const quick = { logLevel: 'silent', build: { minify: false, sourcemap: false } } as const;
    const entries = [
      ['worker', 'native.ts'],
      ['electron', 'command/command.ts'],
    ] as const;
    await Promise.all(entries.map((entry) => build(mergeConfig(nativeConfig(entry, bundled), quick))));
  });
  afterAll(() => rmSync(bundled, { recursive: true, force: true }));
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sidelite-command-'));
    opened(new CommandFolder(root, join(bundled, 'native')));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
}

/** What a command says with `--json`. */
export const summaryOf = ({ out }: Pick<Ended, 'out'>): unknown => JSON.parse(out);

function running(scriptsIn: string, args: readonly string[], cwd: string, streams: Streams): RunningCommand {
  // The bundle has another folder in each run, so what Node compiles of it is kept there, too.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(scriptsIn, 'cache') };
  return followCommand(spawn(process.execPath, args, { cwd, env }), streams);
}
