// The tie of a bench process to main where it is a child process: ports are numbers in frames.
import { Socket } from 'node:net';
import { FrameReader, frameOf, LINK_DESCRIPTOR } from '#shared/bench/link-frames.ts';
import type { LinkFrame } from '#shared/bench/link-frames.ts';
import type { Port } from '#shared/rpc/port.ts';
import type { OnParentMessage, ParentLink } from '../../native/parent-link.ts';

const PIECE_BYTES = 1 << 16;

/** @param onGone called when the main process has ended, so that there is nothing left to serve */
export function linkOverPipe(onGone: () => void): ParentLink {
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
      const port = new NumberedPort(number, send);
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

class NumberedPort implements Port {
  readonly #number: number;
  readonly #send: (frame: LinkFrame) => void;
  #listener: ((message: unknown) => void) | null = null;
  #closed: (() => void) | null = null;
  #early: unknown[] = [];

  constructor(number: number, send: (frame: LinkFrame) => void) {
    this.#number = number;
    this.#send = send;
  }

  postMessage(message: unknown): void {
    this.#send({ t: 'data', port: this.#number, message });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener(message);
  }

  onClose(listener: () => void): void {
    this.#closed = listener;
  }

  close(): void {
    this.#send({ t: 'close', port: this.#number });
  }

  receive(message: unknown): void {
    if (this.#listener) this.#listener(message);
    else this.#early.push(message);
  }

  end(): void {
    this.#closed?.();
  }
}
