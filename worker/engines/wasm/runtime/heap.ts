// The wasm memory: views that survive its growth, and strings in and out of it.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { Result, type Pointer, type RawSqlite } from './raw.ts';
import { SHORT_BYTES, shortAscii } from './short-text.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class Heap {
  readonly #memory: WebAssembly.Memory;
  readonly #raw: RawSqlite;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView<ArrayBuffer>;
  #words: Int32Array<ArrayBuffer>;
  #floats: Float64Array<ArrayBuffer>;

  constructor(memory: WebAssembly.Memory, raw: RawSqlite) {
    this.#memory = memory;
    this.#raw = raw;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#floats = new Float64Array(memory.buffer);
  }

  /** Growing detaches every view, and any call into SQLite may grow: ask again after each call. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.byteLength === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  get view(): DataView<ArrayBuffer> {
    if (this.#view.buffer.byteLength === 0) this.#view = new DataView(this.#memory.buffer);
    return this.#view;
  }

  get words(): Int32Array<ArrayBuffer> {
    if (this.#words.byteLength === 0) this.#words = new Int32Array(this.#memory.buffer);
    return this.#words;
  }

  get floats(): Float64Array<ArrayBuffer> {
    if (this.#floats.byteLength === 0) this.#floats = new Float64Array(this.#memory.buffer);
    return this.#floats;
  }

  pointerAt(address: Pointer): Pointer {
    return this.view.getUint32(address, true);
  }

  /** @throws AppError `full` when the 2 GiB of wasm memory are used up */
  allocate(bytes: number): Pointer {
    const pointer = this.#raw.sqlite3_malloc(bytes);
    if (pointer === 0)
      throw AppError.full(inParts('There is not enough memory for this.', 'Nothing was changed.'), {
        sqlite: { result: Result.noMemory, extended: Result.noMemory, offset: -1 },
      });
    return pointer;
  }

  free(pointer: Pointer): void {
    this.#raw.sqlite3_free(pointer);
  }

  /** A NUL-terminated copy of `text`; the caller frees it. */
  allocateText(text: string): { readonly pointer: Pointer; readonly bytes: number } {
    // Nearly all SQL is ASCII. Written in place, a script of megabytes takes a third of the time.
    const pointer = this.allocate(text.length + 1);
    const { read } = encoder.encodeInto(text, this.bytes.subarray(pointer, pointer + text.length));
    if (read < text.length) {
      this.free(pointer);
      return this.#allocateLonger(encoder.encode(text));
    }
    this.bytes[pointer + text.length] = 0;
    return { pointer, bytes: text.length };
  }

  #allocateLonger(utf8: Uint8Array): { readonly pointer: Pointer; readonly bytes: number } {
    const pointer = this.allocate(utf8.length + 1);
    this.bytes.set(utf8, pointer);
    this.bytes[pointer + utf8.length] = 0;
    return { pointer, bytes: utf8.length };
  }

  /** The NUL-terminated UTF-8 text at `pointer`; '' for NULL. */
  text(pointer: Pointer): string {
    if (pointer === 0) return '';
    const bytes = this.bytes;
    // Names are nearly always short, and the authorizer hears several for each statement that is prepared.
    let end = pointer;
    while (bytes[end] !== 0 && end - pointer < SHORT_BYTES) end++;
    const short = bytes[end] === 0 ? shortAscii(bytes, pointer, end - pointer) : null;
    if (short !== null) return short;
    return decoder.decode(bytes.subarray(pointer, bytes.indexOf(0, pointer)));
  }
}
