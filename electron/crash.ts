// Keeps the traces of a crash: minidumps that stay on this machine, a short log, and a marker that the run did not end cleanly.
import { appendFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, crashReporter } from 'electron';
import type { WebContents } from 'electron';
import { onConsoleMessage } from './compat.ts';
import { PRIVATE_FILE } from './files/file-access.ts';

const MAX_LOG_BYTES = 512 * 1024;

/** Keeps crash reports on this machine: nothing is ever sent anywhere. */
export function startCrashReporter(): void {
  crashReporter.start({ uploadToServer: false });
  process.on('uncaughtExceptionMonitor', (error) => log(`main: ${error.stack ?? error.message}`));
}

/** One line in the log; two files of bounded size, the older one is overwritten. */
export function log(line: string): void {
  const file = join(app.getPath('userData'), 'sidelite.log');
  try {
    if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.old`);
    appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: PRIVATE_FILE });
  } catch {
    // A failure to write the log, on a full disk for example, is ignored.
  }
}

export function logConsoleOf(contents: WebContents, name: string): void {
  onConsoleMessage(contents, ({ level, message, source }) => {
    if (level === 'warning' || level === 'error') log(`${name} ${level}: ${message} (${source})`);
  });
}

export interface RunMarker {
  /** True if the previous run did not end normally. */
  readonly recoveredFromCrash: boolean;
  /** Marks this run as ended normally. */
  remove(): void;
}

export function markRun(): RunMarker {
  const file = join(app.getPath('userData'), 'running');
  const recoveredFromCrash = existsSync(file);
  try {
    writeFileSync(file, String(process.pid), { mode: PRIVATE_FILE });
  } catch (error) {
    log(`the run could not be marked: ${String(error)}`);
  }
  return { recoveredFromCrash, remove: () => rmSync(file, { force: true }) };
}
