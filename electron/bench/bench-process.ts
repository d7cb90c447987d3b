// A bench process. Where Electron's own Node is too old for what is measured, it is a child process on the tool chain's Node, for which main
// relays port messages without looking inside.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { app } from 'electron';
import type { MessagePortMain } from 'electron';
import { FrameReader, frameOf, LINK_DESCRIPTOR } from '#shared/bench/link-frames.ts';
import type { LinkFrame } from '#shared/bench/link-frames.ts';
import type { ToBench } from '#shared/native-link.ts';
import { measuresInUtilityProcess } from '../compat.ts';
import { logDropped } from '../dropped.ts';
import { startNativeProcess } from '../native/native-process.ts';
import type { NativeProcess, NotStarted } from '../native/native-process.ts';
import { logLinesOf } from '../native/process-log.ts';

const SCRIPT = 'bench-process.mjs';

export type BenchProcess = Pick<NativeProcess, 'kill'> & {
  tell(message: ToBench, ports: readonly MessagePortMain[]): void;
};

/** Returns why not if this installation has no native engine. @param exited called once, with how it ended */
export function startBenchProcess(exited: (how: string) => void): BenchProcess | NotStarted {
  // A packaged app has no other Node.
  if (app.isPackaged || measuresInUtilityProcess())
    return startNativeProcess(SCRIPT, [], { answered: () => undefined, exited });
  return startChild(exited);
}

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

interface Relay {
  tell(message: ToBench, ports: readonly MessagePortMain[]): void;
  end(): void;
}

function createRelay(pipe: Duplex): Relay {
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
    tell(message, ports) {
      send({ t: 'tell', message, ports: ports.map(add) });
      for (const port of ports) port.start();
    },
    end() {
      for (const port of open.values()) port.close();
      open.clear();
    },
  };
}
