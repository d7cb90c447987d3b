// Messages as frames of bytes, for the pipe between main and a bench process that is a child of it: ports are numbers there. Not Node's own
// messages between processes: in Electron 22, memory that Node's serializer hands out in main is freed as what it is not, and main ends with
// SIGTRAP once a message of more than some kilobytes was sent; and arrays that Node copies while it reads a message have stopped main for good.
import { Decoder, Encoder, ExtData } from '@msgpack/msgpack';

/** The other end identifies types by their index in this list: append only. Uint8Array is MessagePack's own. */
const BINARY = [
  ArrayBuffer,
  Int8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** An array in which something is undefined, which MessagePack cannot tell from null. */
const WITH_UNDEFINED = 100;

const HEADER_BYTES = 4;

/** Descriptor of the process's end of the pipe: after the three that every process has. */
export const LINK_DESCRIPTOR = 3;

export type LinkFrame =
  /** A message of main or the process itself; opens the ports it names. */
  | { readonly t: 'tell'; readonly message: unknown; readonly ports: readonly number[] }
  | { readonly t: 'data'; readonly port: number; readonly message: unknown }
  | { readonly t: 'close'; readonly port: number };

const extensionCodec = {
  tryToEncode(value: unknown): ExtData | null {
    if (Array.isArray(value) && value.includes(undefined)) return new ExtData(WITH_UNDEFINED, encodeDefined(value));
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || Array.isArray(value) || value instanceof Uint8Array) return null;
    const type = BINARY.findIndex((Binary) => value instanceof Binary);
    // Better than an empty object at the other end.
    if (type < 0) throw new TypeError(`${Object.prototype.toString.call(value)} cannot be sent through a pipe.`);
    return new ExtData(type, bytesOf(value as ArrayBuffer | ArrayBufferView));
  },
  decode(bytes: Uint8Array, type: number): unknown {
    if (type === WITH_UNDEFINED) return decodeDefined(bytes);
    // A copy, because numbers lie anywhere in a frame, and a view of eight bytes a number must begin at a multiple of eight.
    const { buffer } = bytes.slice();
    return type === 0 ? buffer : new (BINARY[type] as Float64ArrayConstructor)(buffer);
  },
};

// Works like a structured clone, except that `undefined` is left out of objects. Whole numbers are sent as doubles, so that -0 survives,
// and only a bigint arrives as one.
const ENCODING = { extensionCodec, useBigInt64: true, forceIntegerToFloat: true, ignoreUndefined: true } as const;
const decoder = new Decoder({ extensionCodec, useBigInt64: true });

function encodeDefined(values: readonly unknown[]): Uint8Array {
  const places = [...values.keys()].filter((place) => values[place] === undefined);
  return new Encoder(ENCODING).encode([places, values.map((value) => value ?? null)]);
}

function decodeDefined(bytes: Uint8Array): unknown[] {
  // A decoder of its own, because the other one is at work. It sees the bytes where they are, and binary is copied anyway.
  const [places, values] = new Decoder({ extensionCodec, useBigInt64: true }).decode(bytes) as [number[], unknown[]];
  for (const place of places) values[place] = undefined;
  return values;
}

/** @throws TypeError for what is neither plain data nor binary, RangeError for a message of 4 GiB and more */
export function frameOf(message: unknown): Uint8Array {
  // One for each: an encoder keeps a buffer twice as large as the largest message it ever had.
  const body = new Encoder(ENCODING).encodeSharedRef(message);
  if (body.length > 0xffff_ffff) throw new RangeError('A message is too large for a frame.');
  const frame = new Uint8Array(HEADER_BYTES + body.length);
  new DataView(frame.buffer).setUint32(0, body.length, true);
  frame.set(body, HEADER_BYTES);
  return frame;
}

function bytesOf(binary: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (!ArrayBuffer.isView(binary)) return new Uint8Array(binary);
  return new Uint8Array(binary.buffer, binary.byteOffset, binary.byteLength);
}

/** Puts frames together from what a pipe brings, in whatever pieces, and answers their messages in order. */
export class FrameReader {
  readonly #onMessage: (message: unknown) => void;
  #part = new Uint8Array(HEADER_BYTES);
  #filled = 0;
  #isHeader = true;

  constructor(onMessage: (message: unknown) => void) {
    this.#onMessage = onMessage;
  }

  read(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.subarray(at, at + this.#part.length - this.#filled);
      this.#part.set(taken, this.#filled);
      at += taken.length;
      this.#filled += taken.length;
      if (this.#filled === this.#part.length) this.#complete();
    }
  }

  #complete(): void {
    const part = this.#part;
    // Memory of its own for each frame: the bytes of a message are seen in place, for as long as it lives.
    this.#part = new Uint8Array(this.#isHeader ? new DataView(part.buffer).getUint32(0, true) : HEADER_BYTES);
    this.#filled = 0;
    this.#isHeader = !this.#isHeader;
    if (this.#isHeader) this.#onMessage(decoder.decode(part));
  }
}
