// Runs a command instead of the app: before Chromium starts anything, so it needs no display, takes no single-instance lock, and starts no
// other process of Chromium's. Until main's script has ended nothing of Chromium runs, and main never comes to its end here.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { app } from 'electron';
import { loadsNativeEngine } from '../compat.ts';
import { findNode, nativeFolders } from '../native/native-process.ts';
import type { CommandContext, ThreadContext } from './context.ts';
import { EXIT } from './exit-codes.ts';

/** A thread that has not begun by then will not: its script, or the engine's package, cannot be loaded. */
const START_PATIENCE_MS = 60_000;
const UNAVAILABLE =
  'sidelite: This installation has no native engine, so there are no commands. The app works without it.';

/** @param words that follow the name of the program */
export function runCommand(words: readonly string[], profile: string): never {
  const { scriptsIn, packagesIn } = nativeFolders();
  const script = join(scriptsIn, 'command.mjs');
  const context: CommandContext = {
    words,
    cwd: process.cwd(),
    scriptsIn,
    packagesIn,
    profile,
    version: app.getVersion(),
  };
  const node = loadsNativeEngine() ? null : findNode();
  if (!existsSync(script) || (node === null && !loadsNativeEngine())) {
    console.error(UNAVAILABLE);
    process.exit(EXIT.failed);
  }
  process.exit(node === null ? inThread(script, context) : inProcess(node, script, context));
}

/**
 * The process has the terminal for itself. A signal to this one ends it, since nothing here could hear it, and the command ends by itself
 * then; Ctrl+C reaches both.
 */
function inProcess(node: string, script: string, { words, ...context }: CommandContext): number {
  const given = JSON.stringify({ ...context, endsWithParent: true });
  const { status, signal } = spawnSync(node, [script, given, ...words], { stdio: 'inherit' });
  return status ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

/**
 * The thread has a loop of events while this one waits. A signal ends the process at once: the next who opens the file finds the journal
 * and rolls back (sqlite.org/atomiccommit.html).
 */
function inThread(script: string, context: CommandContext): number {
  const result = new SharedArrayBuffer(8);
  const state = new Int32Array(result);
  const workerData: ThreadContext = { ...context, result };
  // Held, so that it is not collected.
  const worker = new Worker(script, { workerData });
  // Another answer than “timed-out” says only that it has begun: whether it has ended is looked at below.
  if (Atomics.wait(state, 0, 0, START_PATIENCE_MS) === 'timed-out') {
    console.error(UNAVAILABLE);
    return EXIT.failed;
  }
  while (Atomics.load(state, 0) !== 2) Atomics.wait(state, 0, 1);
  worker.unref();
  return Atomics.load(state, 1);
}
