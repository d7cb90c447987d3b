// One native process: started, given ports, ended. A utility process of Electron.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { MessagePortMain } from 'electron';
import type { FromNative, FromRemote, ToBench, ToNative, ToRemote } from '#shared/native-link.ts';
import { forkModule, NATIVE_FOLDER } from '../compat.ts';
import { log } from '../crash.ts';
import { logLinesOf } from './process-log.ts';
import { changedFile } from './shipped-files.ts';
import type { ShippedFiles } from './shipped-files.ts';

export interface NativeProcess {
  readonly pid: number | undefined;
  tell(message: ToNative | ToRemote | ToBench, ports?: readonly MessagePortMain[]): void;
  kill(): void;
}

export interface NativeProcessEvents {
  answered(message: FromNative | FromRemote): void;
  exited(how: string): void;
}

export type Script = 'native.mjs' | 'remote.mjs' | 'bench-process.mjs';

/** Names shown in the process lists of the system and Electron. */
const NAMES: Readonly<Record<Script, string>> = {
  'native.mjs': 'Sidelite native engine',
  'remote.mjs': 'Sidelite remote engine',
  'bench-process.mjs': 'Sidelite bench process',
};

/** Returns why not if this installation has no native engine, or not the one it came with. */
export function startNativeProcess(
  script: Script,
  args: readonly string[],
  { answered, exited }: NativeProcessEvents,
): NativeProcess | NotStarted {
  const folders = nativeFolders(script);
  if ('why' in folders) {
    log(`${NAMES[script]} not started: ${folders.why}`);
    return folders;
  }
  const { packagesIn } = folders;
  const entry = join(folders.scriptsIn, script);
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = forkModule(entry, [packagesIn, ...args], { serviceName: NAMES[script], stdio: [...stdio] });
  logLinesOf(child.stderr, NAMES[script]);
  // V8 has failed. Without a listener main would throw the event; the process ends next.
  child.on('error', (type, location) => log(`${NAMES[script]}: ${type} at ${location}`));
  child.on('message', (message: FromNative | FromRemote) => answered(message));
  child.on('exit', (code) => exited(`exit code ${code}`));
  return {
    get pid() {
      return child.pid;
    },
    tell: (message, ports = []) => child.postMessage(message, [...ports]),
    kill: () => void child.kill(),
  };
}

/** The reason is a sentence. */
export interface NotStarted {
  readonly why: string;
}

interface NativeFolders {
  readonly scriptsIn: string;
  readonly packagesIn: string;
}

/**
 * Where `script` and its packages are; call before each start. In the packaged app the packages are beside the scripts; when run from the
 * sources they are in the app's folder.
 */
export function nativeFolders(script: Script | 'command.mjs'): NativeFolders | NotStarted {
  const folders = app.isPackaged
    ? { scriptsIn: join(process.resourcesPath, 'native'), packagesIn: join(process.resourcesPath, 'native') }
    : { scriptsIn: join(app.getAppPath(), 'dist', NATIVE_FOLDER), packagesIn: app.getAppPath() };
  if (!existsSync(join(folders.scriptsIn, script))) return { why: 'This installation has no native engine.' };
  const changed = app.isPackaged ? changedFile(folders.scriptsIn, shippedFiles()) : null;
  if (changed === null) return folders;
  return {
    why: `The file “${join(folders.scriptsIn, changed)}” is not the one that Sidelite was installed with, so no engine was started. Install Sidelite again.`,
  };
}

/** Made by build/native-files.ts. */
const shippedFiles = (): ShippedFiles =>
  JSON.parse(readFileSync(join(app.getAppPath(), 'dist', 'native-files.json'), 'utf8')) as ShippedFiles;
