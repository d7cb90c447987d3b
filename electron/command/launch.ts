// Runs a command instead of the app, before Chromium starts anything: so it needs no display, takes no single-instance lock, and starts no
// other Chromium process. Chromium starts only after main's script has ended, and that never happens here.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { app } from 'electron';
import { nativeFolders } from '../native/native-process.ts';
import type { CommandContext, ThreadContext } from './context.ts';
import { EXIT } from './session.ts';

/** A thread that has not started by then will not: its script, or the engine's package, cannot be loaded. */
const START_TIMEOUT_MS = 60_000;
const UNAVAILABLE = 'Commands need that engine; databases of the library work without it.';

/** @param words the words after the program name */
export function runCommand(words: readonly string[], profile: string): never {
  const folders = nativeFolders('command.mjs');
  if ('why' in folders) {
    console.error(`sidelite: ${folders.why} ${UNAVAILABLE}`);
    process.exit(EXIT.failed);
  }
  const { scriptsIn, packagesIn } = folders;
  const context: CommandContext = {
    words,
    cwd: process.cwd(),
    scriptsIn,
    packagesIn,
    profile,
    program: programWords(),
    version: app.getVersion(),
  };
  process.exit(inThread(join(scriptsIn, 'command.mjs'), context));
}

/** An AppImage is mounted elsewhere each time it runs. Where Chromium cannot start with its sandbox, it cannot later either. */
export const programWords = (): readonly string[] => [
  process.env['APPIMAGE'] ?? process.execPath,
  ...(app.isPackaged ? [] : [app.getAppPath()]),
  ...process.argv.filter((word) => word === '--no-sandbox'),
];

/**
 * The thread has its own event loop while this one waits. A signal ends the process at once: the next program to open the file finds the
 * journal and rolls back (sqlite.org/atomiccommit.html).
 */
function inThread(script: string, context: CommandContext): number {
  const result = new SharedArrayBuffer(8);
  const state = new Int32Array(result);
  const workerData: ThreadContext = { ...context, result };
  // Keeps a reference, so that it is not collected.
  const worker = new Worker(script, { workerData });
  // Any other result only means that it has started: whether it has ended is checked below.
  if (Atomics.wait(state, 0, 0, START_TIMEOUT_MS) === 'timed-out') {
    console.error(`sidelite: The native engine did not start. ${UNAVAILABLE}`);
    return EXIT.failed;
  }
  while (Atomics.load(state, 0) !== 2) Atomics.wait(state, 0, 1);
  worker.unref();
  return Atomics.load(state, 1);
}
