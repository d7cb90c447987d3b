// The owner's side of an inspection: lends the file, knows how far it is, and ends it.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { ErrorData } from '#shared/protocol/errors.ts';
import { freeBuffer } from '../free-buffer.ts';
import { Answer, BLOCK_BYTES, DATA_AT, Word } from './inspector-messages.ts';
import type { FromInspector, InspectionKind, InspectionOrder } from './inspector-messages.ts';

/** SQLite walks every tree of the file once, then reads every table. */
const PASSES = 2;

export interface InspectedFile {
  readonly fileSizeBytes: number;
  /** Must give the same bytes until the inspection has ended, in a buffer of their own. */
  readFile(offset: number, length: number): Uint8Array;
}

/** The part of a `Worker` that this needs. */
export interface InspectorLike {
  onmessage: ((event: MessageEvent<FromInspector>) => void) | null;
  onerror: ((event: never) => void) | null;
  postMessage(order: InspectionOrder): void;
  terminate(): void;
}

const startReal = (): InspectorLike =>
  new Worker(new URL('./inspector.ts', import.meta.url), { type: 'module', name: 'sidelite-inspector' });

export class Inspection {
  /** SQLite's messages; none when all is well. @throws AppError */
  readonly result: Promise<readonly string[]>;
  readonly #inspector: InspectorLike;
  readonly #file: InspectedFile;
  readonly #words: Int32Array;
  readonly #data: Uint8Array;
  readonly #sizeBytes: number;
  #servedBytes = 0;
  #settle!: { resolve(messages: readonly string[]): void; reject(error: unknown): void };
  #failure: ErrorData | null = null;

  constructor(file: InspectedFile, kind: InspectionKind, start: () => InspectorLike = startReal) {
    const shared = new SharedArrayBuffer(DATA_AT + BLOCK_BYTES);
    this.#file = file;
    this.#words = new Int32Array(shared, 0, DATA_AT / 4);
    this.#data = new Uint8Array(shared, DATA_AT);
    this.#sizeBytes = file.fileSizeBytes;
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.result.catch(() => undefined); // whoever waits for it learns of it
    this.#inspector = start();
    this.#inspector.onmessage = ({ data }) => this.#hear(data);
    this.#inspector.onerror = () =>
      this.#fail({ code: 'unavailable', message: 'The check of the database could not start.' });
    this.#inspector.postMessage({ kind, sizeBytes: this.#sizeBytes, shared });
  }

  /** Bytes read, and how many there will be; null once it has read more than was to be expected. */
  get progress(): { readonly done: number; readonly total: number | null } {
    const total = this.#sizeBytes * PASSES;
    return { done: this.#servedBytes, total: this.#servedBytes <= total ? total : null };
  }

  /** Ends it wherever it is. */
  end(): void {
    this.#inspector.terminate();
    this.#settle.reject(new AppError({ code: 'stopped', message: 'The check was stopped.' }));
  }

  #hear(message: FromInspector): void {
    if (message.t === 'read') return this.#lend(message.offset, message.length);
    if (message.t === 'failed') return this.#fail(message.error);
    this.#settle.resolve(message.messages);
    this.#inspector.terminate();
  }

  #lend(offset: number, length: number): void {
    let answer: number = Answer.given;
    try {
      const bytes = this.#file.readFile(offset, length);
      this.#data.set(bytes);
      freeBuffer(bytes);
      this.#servedBytes += length;
    } catch (error) {
      // What SQLite makes of it says less.
      this.#failure ??= toErrorData(error);
      answer = Answer.refused;
    }
    Atomics.store(this.#words, Word.answer, answer);
    Atomics.notify(this.#words, Word.answer);
  }

  #fail(error: ErrorData): void {
    this.#settle.reject(new AppError(this.#failure ?? error));
    this.#inspector.terminate();
  }
}
