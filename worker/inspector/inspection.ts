// The owner's side of an inspection: lends the file, tracks its progress, and ends it.
import { AppError, toErrorData, type ErrorData } from '#shared/protocol/errors.ts';
import type { FileFindings } from '#shared/protocol/session.ts';
import { freeBuffer } from '../threads/free-buffer.ts';
import { type FromInspector, type InspectionKind, type InspectionOrder, ReplyMemory } from './reply.ts';

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
  onmessageerror: ((event: never) => void) | null;
  postMessage(order: InspectionOrder): void;
  terminate(): void;
}

const startReal = (): InspectorLike =>
  new Worker(new URL('./inspector.ts', import.meta.url), { type: 'module', name: 'sidelite-inspector' });

export class Inspection {
  /** @throws AppError */
  readonly result: Promise<FileFindings>;
  readonly #inspector: InspectorLike;
  readonly #file: InspectedFile;
  readonly #reply = new ReplyMemory();
  readonly #sizeBytes: number;
  #servedBytes = 0;
  #hasEnded = false;
  #settle!: { resolve(findings: FileFindings): void; reject(error: unknown): void };
  #failure: ErrorData | null = null;

  constructor(file: InspectedFile, kind: InspectionKind, start: () => InspectorLike = startReal) {
    this.#file = file;
    this.#sizeBytes = file.fileSizeBytes;
    this.result = new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
    this.result.catch(() => undefined); // the caller that awaits it sees the error
    this.#inspector = start();
    this.#inspector.onmessage = ({ data }) => this.#hear(data);
    this.#inspector.onerror = () => this.#lose();
    // A request that cannot be read is never answered.
    this.#inspector.onmessageerror = () => this.#lose();
    this.#inspector.postMessage({ kind, sizeBytes: this.#sizeBytes, shared: this.#reply.shared });
  }

  /** Bytes read, and the expected total; null once it has read more than that. */
  get progress(): { readonly done: number; readonly total: number | null } {
    const total = this.#sizeBytes * PASSES;
    return { done: this.#servedBytes, total: this.#servedBytes <= total ? total : null };
  }

  /** Ends it wherever it is: an inspector that waits for a reply is ended like any other. */
  end(): void {
    this.#finish();
    this.#settle.reject(AppError.stopped('The check was stopped.'));
  }

  #hear(message: FromInspector): void {
    // A message in flight when it ended: by now the file may be closed, or be another.
    if (this.#hasEnded) return;
    if (message.t === 'read') return this.#lend(message.request, message.offset, message.length);
    if (message.t === 'failed') return this.#fail(message.error);
    this.#finish();
    this.#settle.resolve(message.findings);
  }

  #lend(request: number, offset: number, length: number): void {
    const bytes = this.#read(offset, length);
    if (!bytes) return this.#reply.refuse(request);
    this.#reply.give(request, bytes);
    this.#servedBytes += length;
    freeBuffer(bytes);
  }

  /** Null when they are unavailable; the reason is kept, because SQLite's error says less. */
  #read(offset: number, length: number): Uint8Array | null {
    try {
      const bytes = this.#file.readFile(offset, length);
      if (bytes.length !== length) throw shortened();
      return bytes;
    } catch (error) {
      this.#failure ??= toErrorData(error);
      return null;
    }
  }

  #lose(): void {
    const message =
      this.#servedBytes === 0
        ? 'The database check could not start.'
        : 'The database check ended before it was finished. The database was only read; check it again.';
    this.#fail({ code: 'unavailable', message });
  }

  #fail(error: ErrorData): void {
    this.#finish();
    this.#settle.reject(new AppError(this.#failure ?? error));
  }

  #finish(): void {
    this.#hasEnded = true;
    this.#inspector.terminate();
  }
}

function shortened(): AppError {
  return AppError.io('The database file became shorter while it was checked. It was only read; check it again.');
}
