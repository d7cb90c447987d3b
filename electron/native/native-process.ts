// One native process: started, given ports, ended. A utility process if Electron can load the engine; otherwise a child process of a Node
// from the tool chain (or the package), for which main relays port messages without looking inside.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { app, utilityProcess } from 'electron';
import type { MessagePortMain } from 'electron';
import { FrameReader, frameOf } from '#shared/link-frames.ts';
import { LINK_DESCRIPTOR } from '#shared/native-link.ts';
import type { FromNative, FromRemote, LinkFrame, ToBench, ToNative, ToRemote } from '#shared/native-link.ts';
import { loadsNativeEngine } from '../compat.ts';
import { log } from '../crash.ts';
import { logDropped } from '../dropped.ts';
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
  events: NativeProcessEvents,
): NativeProcess | null {
  const { scriptsIn, packagesIn } = nativeFolders();
  const entry = join(scriptsIn, script);
  if (!existsSync(entry)) return null;
  const started: Arguments = [entry, packagesIn, ...args];
  return loadsNativeEngine() ? startUtility(script, started, events) : startChild(script, started, events);
}

/** In the packaged app the packages are beside the scripts; when run from the sources they are in the app's folder. */
export function nativeFolders(): { readonly scriptsIn: string; readonly packagesIn: string } {
  if (!app.isPackaged) return { scriptsIn: join(app.getAppPath(), 'dist', 'native'), packagesIn: app.getAppPath() };
  const packed = join(process.resourcesPath, 'native');
  return { scriptsIn: packed, packagesIn: packed };
}

type Arguments = readonly [entry: string, ...args: string[]];

function startUtility(
  script: Script,
  [entry, ...args]: Arguments,
  { answered, exited }: NativeProcessEvents,
): NativeProcess {
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  const child = utilityProcess.fork(entry, args, { serviceName: NAMES[script], stdio: [...stdio] });
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

function startChild(script: Script, args: Arguments, { answered, exited }: NativeProcessEvents): NativeProcess | null {
  const node = findNode();
  if (!node) return null;
  const child = spawn(node, [...args], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  logLinesOf(child.stderr, NAMES[script]);
  const relay = createRelay(child.stdio[LINK_DESCRIPTOR] as Duplex, answered);
  let ended = false;
  const end = (how: string): void => {
    if (ended) return;
    ended = true;
    relay.end();
    exited(how);
  };
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));
  return { pid: child.pid, tell: relay.tell, kill: () => void child.kill('SIGKILL') };
}

/** The Node packed with the app, or the tool chain's. Electron's own is too old for the engine, and the system's may be. */
export function findNode(): string | null {
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = app.isPackaged
    ? join(process.resourcesPath, 'native', program)
    : join(app.getAppPath(), 'node_modules', 'node', 'bin', program);
  return existsSync(path) ? path : null;
}

interface Relay {
  tell(message: ToNative | ToRemote | ToBench, ports?: readonly MessagePortMain[]): void;
  end(): void;
}

function createRelay(pipe: Duplex, answered: NativeProcessEvents['answered']): Relay {
  const open = new Map<number, MessagePortMain>();
  let last = 0;
  // A process that has just died is detected by its exit, which also ends the pending calls; a failed write is only logged.
  pipe.on('error', (error) => logDropped('what was on its way to a native process', error.message));
  const send = (frame: LinkFrame): void => {
    // Does not check `writable`: Node 16 reports false for every extra pipe of a child, although writing works.
    if (pipe.destroyed) return logDropped(`a frame (${frame.t}) for a native process`, 'it has ended');
    pipe.write(frameOf(frame));
  };
  const receive = (frame: LinkFrame): void => {
    if (frame.t === 'data') {
      const port = open.get(frame.port);
      if (port) port.postMessage(frame.message);
      else logDropped('a message of a native process', 'the window it was for is gone');
    } else if (frame.t === 'tell') answered(frame.message as FromNative | FromRemote);
    else {
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
    tell(message, ports = []) {
      send({ t: 'tell', message, ports: ports.map(add) });
      for (const port of ports) port.start();
    },
    end() {
      for (const port of open.values()) port.close();
      open.clear();
    },
  };
}
