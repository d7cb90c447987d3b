// One native process: started, given ports, ended. A utility process of Electron.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { MessagePortMain } from 'electron';
import type { FromNative, FromRemote, ToBench, ToNative, ToRemote } from '#shared/native-link.ts';
import { forkModule, NATIVE_FOLDER } from '../compat.ts';
import { log } from '../crash.ts';
import { logLinesOf } from './process-log.ts';

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

/** Null if this installation has no native engine. */
export function startNativeProcess(
  script: Script,
  args: readonly string[],
  { answered, exited }: NativeProcessEvents,
): NativeProcess | null {
  const { scriptsIn, packagesIn } = nativeFolders();
  const entry = join(scriptsIn, script);
  if (!existsSync(entry)) return null;
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

/** In the packaged app the packages are beside the scripts; when run from the sources they are in the app's folder. */
export function nativeFolders(): { readonly scriptsIn: string; readonly packagesIn: string } {
  if (!app.isPackaged)
    return { scriptsIn: join(app.getAppPath(), 'dist', NATIVE_FOLDER), packagesIn: app.getAppPath() };
  const packed = join(process.resourcesPath, 'native');
  return { scriptsIn: packed, packagesIn: packed };
}
