// A bench process: measures an engine of Node, in a thread of its own as the native process does with its engine, so that rows go
// the way they go in the product. It is another process than that one: nothing here can hold up or end an open file.
import { isMainThread, parentPort, Worker, workerData, type MessagePort } from 'node:worker_threads';
import { join } from 'node:path';
import type { ToBench } from '#shared/native-link.ts';
import { engineOf, type EngineId } from '#shared/bench/engines.ts';
import { domPort, type Port } from '#shared/rpc/port.ts';
import { bridge } from '../../native/bridge.ts';
import { confinePackages } from '../../native/confine-packages.ts';
import { linkToParent, type OnParentMessage, type ParentLink } from '../../native/parent-link.ts';
import { Socket } from 'node:net';
import { frameOf, FrameReader, LINK_DESCRIPTOR, type LinkFrame } from '#shared/bench/link-frames.ts';
import { addonCode } from './addon-notes.ts';
import { serveEngine } from '../serve-engine.ts';
import { PROCESS_DRIVERS } from './in-process.ts';
import { NodeReaderThreads, serveReader } from './reader-threads.ts';

const PIECE_BYTES = 1 << 16;

/** @param onGone called when the main process has ended, so that there is nothing left to serve */
function linkOverPipe(onGone: () => void): ParentLink {
  const ports = new Map<number, NumberedPort>();
  const reader = new FrameReader((frame) => receive(frame as LinkFrame));
  // The same memory for whatever comes: with new memory for each piece, as 'data' has it, tens of megabytes waited for the collector.
  const onread = {
    buffer: new Uint8Array(PIECE_BYTES),
    callback: (length: number, piece: Uint8Array) => (reader.read(piece.subarray(0, length)), true),
  };
  const pipe = new Socket({ fd: LINK_DESCRIPTOR, readable: true, writable: true, onread });
  const send = (frame: LinkFrame): void => void (pipe.destroyed || pipe.write(frameOf(frame)));
  let onMessage: OnParentMessage = () => undefined;
  const receive = (frame: LinkFrame): void => {
    if (frame.t === 'data') {
      ports.get(frame.port)?.receive(frame.message);
      return;
    }
    if (frame.t === 'close') {
      ports.get(frame.port)?.end();
      return void ports.delete(frame.port);
    }
    const opened = frame.ports.map((number) => {
      const port = numberedPort(number, send);
      ports.set(number, port);
      return port;
    });
    onMessage(frame.message, opened);
  };
  // Main's end closes with main. An error of the pipe is followed by the same.
  pipe.on('error', () => undefined);
  pipe.on('close', onGone);
  return {
    onMessage: (listener) => void (onMessage = listener),
    tell: (message) => send({ t: 'tell', message, ports: [] }),
  };
}

interface NumberedPort extends Port {
  receive(message: unknown): void;
  end(): void;
}

function numberedPort(number: number, send: (frame: LinkFrame) => void): NumberedPort {
  let listener: ((message: unknown) => void) | null = null;
  let closed: (() => void) | null = null;
  const early: unknown[] = [];
  return {
    postMessage: (message) => send({ t: 'data', port: number, message }),
    onMessage(listening) {
      listener = listening;
      for (const message of early.splice(0)) listening(message);
    },
    onClose: (told) => void (closed = told),
    close: () => send({ t: 'close', port: number }),
    receive: (message) => (listener ? listener(message) : void early.push(message)),
    end: () => closed?.(),
  };
}

const IS_UTILITY = process.versions['electron'] !== undefined;
// The way rows reach the window is a part of what is measured: a process that cannot be given ports pays for the detour through main.
const WAY = IS_UTILITY ? 'utility process' : 'child process, its messages go through main';
const RUNTIME = `Node ${process.versions.node}, V8 ${process.versions.v8} (${WAY})`;

interface StartThread {
  readonly engine: EngineId;
  readonly directory: string;
  readonly port: MessagePort;
}

interface ThreadData {
  /** `reader`: reads beside the engine's thread that has started it. */
  readonly work: 'engine' | 'reader';
  readonly packages: string;
}

function runProcess(): void {
  process.umask(0o077); // the measured file may be the user's own database
  const threads = new Map<EngineId, Worker>();
  const link = IS_UTILITY ? linkToParent() : linkOverPipe(() => process.kill(process.pid, 'SIGKILL'));
  link.onMessage((raw, [port]) => {
    const { engine, directory } = raw as ToBench;
    if (!port) return;
    void threads.get(engine)?.terminate();
    // Main passes the only folder that packages may be loaded from.
    const thread = startThread('engine', process.argv[2]!);
    threads.set(engine, thread);
    const { port: end } = bridge(port);
    thread.postMessage({ engine, directory, port: end } satisfies StartThread, [end]);
  });
}

function startThread(work: ThreadData['work'], packages: string): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { work, packages } satisfies ThreadData });
}

function runThread({ packages }: ThreadData): void {
  parentPort!.once('message', ({ engine: id, directory, port }: StartThread) => {
    const engine = engineOf(id);
    if (!engine) return;
    const storage = { directory: join(directory, id) };
    serveEngine(domPort(port as never), {
      engine,
      drivers: PROCESS_DRIVERS,
      ...storage,
      threads: new NodeReaderThreads({ ...storage, engine: id }, () => startThread('reader', packages)),
      runtime: RUNTIME,
      code: addonCode,
      end: () => port.close(),
    });
  });
}

if (isMainThread) runProcess();
else {
  const data = workerData as ThreadData;
  confinePackages(data.packages);
  if (data.work === 'reader') serveReader();
  else runThread(data);
}
