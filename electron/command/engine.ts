// The native engine of a command: its thread, and its only client. It uses the same operations as a window.
import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import type { AttachedPath, FromNative, NativeFile, ThreadData, ToThread } from '#shared/native-link.ts';
import { AppError, type ErrorData } from '#shared/protocol/errors.ts';
import { otherThanDatabase } from '#shared/foreign-files.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import { encryptedId, inPlaceId } from '#shared/protocol/in-place.ts';
import type { DatabaseId, Operations } from '#shared/protocol/index.ts';
import { createClient, type AbortSignalLike, type Client } from '#shared/rpc/client.ts';
import { domPort, type Port } from '#shared/rpc/port.ts';
import { serve } from '#shared/rpc/server.ts';
import { forPeople } from '../files/source-file.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { WINDOW, type CommandFiles } from './files.ts';

/** Suffixes of the files that can hold more of a database. */
const BESIDE = ['-journal', '-wal'];
/** Where the first page, on which the schema table begins, has its header, and what is in it (sqlite.org/fileformat2.html#b_tree_pages). */
const [PAGE_TYPE, LEAF, ROW_COUNT, HEAD_BYTES] = [100, 0x0d, 103, 105];

type FromThread = FromNative | { readonly t: 'ready' | 'busy' } | { readonly t: 'failed'; readonly error: ErrorData };

interface EngineParts {
  readonly thread: Omit<ThreadData, 'work'>;
  /** The folder of `native.mjs`. */
  readonly scriptsIn: string;
  readonly files: CommandFiles;
  readonly signal: AbortSignalLike;
  /** Loaded into each file that is opened. */
  readonly loaded: Pick<NativeFile, 'extensions' | 'trustsSchema'>;
}

export interface OpenOptions {
  readonly access: 'read' | 'write' | 'create';
  /** With `read`: why nothing can write to the file. */
  readonly whyReadOnly?: string;
  readonly attached?: readonly AttachedPath[];
}

export class CommandEngine {
  /** The command was given a key. */
  readonly isEncrypted: boolean;
  readonly client: Pick<Client<Operations, Record<string, never>>, 'call'>;
  readonly #thread: Worker;
  readonly #signal: AbortSignalLike;
  readonly #loaded: EngineParts['loaded'];
  /** The database created by this command, which may still be empty. */
  #made: string | null = null;
  #hasEnded = false;
  #heard: (message: FromThread) => void = () => undefined;

  constructor({ thread, scriptsIn, files, signal, loaded }: EngineParts) {
    this.#signal = signal;
    this.#loaded = loaded;
    this.isEncrypted = thread.command?.key !== undefined;
    this.#thread = new Worker(join(scriptsIn, 'native.mjs'), {
      workerData: { work: 'engine', ...thread } satisfies ThreadData,
    });
    this.#thread.on('message', (message: FromThread) => this.#heard(message));
    const bytes = new MessageChannel();
    serve<FileOperations, Record<string, never>, null>(nodePort(bytes.port1), files.handlers, {
      info: null,
      session: null,
      transfers: wholeBuffers,
    });
    this.#post({ t: 'init', filesPort: bytes.port2 }, [bytes.port2]);
    const data = new MessageChannel();
    this.client = createClient<Operations>(nodePort(data.port1));
    // A thread that ends, or never starts, sends no answers.
    const gone = (): void => {
      this.#hasEnded = true;
      data.port1.close();
    };
    this.#thread.on('error', gone);
    this.#thread.on('exit', gone);
    this.#post({ t: 'client', windowId: WINDOW, port: data.port2 }, [data.port2]);
  }

  /** @throws AppError */
  async open(path: string, { access, whyReadOnly = READS_ONLY, attached = [] }: OpenOptions): Promise<DatabaseId> {
    const isMissing = !existsSync(path);
    if (isMissing && access !== 'create') throw AppError.notFound(`There is no file “${path}”. Nothing was changed.`);
    const isNew = access === 'create' && (isMissing || statSync(path).size === 0);
    // Resolved, because a file named through any link is the same file with the same history.
    const real = isMissing ? path : realpathSync(path);
    const id = locationIdFor(real);
    const file: NativeFile = {
      database: this.isEncrypted ? encryptedId(id) : inPlaceId(id),
      fileName: basename(real),
      displayPath: forPeople(real),
      locationId: id,
      path: real,
      ...(access === 'read' && { readOnly: true, whyReadOnly }),
      ...(isNew && { create: true }),
      attached,
      ...this.#loaded,
    };
    if (isMissing) this.#made = path;
    const known = this.#next('replied');
    this.#post({ t: 'file', file, windowId: WINDOW, request: 1 });
    await known;
    await this.client.call('session.begin', { windowTitle: 'the command line' });
    const { database } = file;
    const { extensions = [] } = await this.client
      .call('database.open', { database }, { signal: this.#signal })
      .catch((thrown) => {
        const other = attached.find(({ name }) => thrown instanceof AppError && name === thrown.detail?.['attached']);
        throw this.isEncrypted ? thrown : withAdvice(thrown, other?.path ?? real, other !== undefined);
      });
    const missing = extensions.find(({ why }) => why !== null);
    if (missing)
      throw AppError.unavailable(`“${missing.fileName}” was not loaded. ${missing.why} Nothing was changed.`);
    return database;
  }

  /** Closes all files. Removes a database that was created here and is empty. */
  async end(): Promise<void> {
    const settled = this.#next('settled');
    this.#post({ t: 'settle' });
    await settled;
    if (this.#made !== null && holdsNothing(this.#made, this.isEncrypted)) rmSync(this.#made, { force: true });
  }

  /** Also resolves if the thread cannot work: requests then fail with the reason. */
  #next(kind: 'replied' | 'settled'): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasEnded) return resolve();
      this.#heard = ({ t }) => (t === kind || t === 'failed') && resolve();
      this.#thread.once('exit', () => resolve());
    });
  }

  #post(message: ToThread<MessagePort>, ports: readonly MessagePort[] = []): void {
    this.#thread.postMessage(message, [...ports]);
  }
}

const READS_ONLY = 'This command only reads the file.';
const HEAD_OF_FILE = 4096;

/** @param thrown by opening a file without a key @param isAttached to another file */
function withAdvice(thrown: unknown, path: string, isAttached: boolean): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'not-a-database' || !statSync(path).isFile()) return thrown;
  const what = otherThanDatabase(bytesAt(path, HEAD_OF_FILE));
  if (what === null && isAttached)
    return AppError.notADatabase(
      `“${basename(path)}” may be encrypted: it is no SQLite database as it is. An encrypted file can be attached only to a database with the same password or raw key, which is specified with --key-env, --key-file, or --ask-key. Nothing was changed.`,
    );
  return AppError.notADatabase(
    what === null
      ? `“${basename(path)}” may be encrypted: it is not a plain SQLite database. Specify its password or raw key with --key-env, --key-file, or --ask-key. Nothing was changed.`
      : `“${basename(path)}” is not an SQLite database: it ${what}. Nothing was changed.`,
  );
}

function bytesAt(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** Whether a closed database has no schema. To ask the engine, which lists all tables, can take longer than to fill them. */
function holdsNothing(path: string, isEncrypted: boolean): boolean {
  if (!existsSync(path) || BESIDE.some((suffix) => existsSync(path + suffix))) return false;
  const head = bytesAt(path, HEAD_BYTES);
  // What the bytes of an encrypted file say is left to chance.
  if (isEncrypted || head.length < HEAD_BYTES) return head.length === 0;
  return head[PAGE_TYPE] === LEAF && head.readUInt16BE(ROW_COUNT) === 0;
}

/** Node's ports accept the same listeners as the browser's, and keep their process alive while they are open. */
const nodePort = (port: MessagePort): Port => domPort(port as never);

/** Bytes of files are moved: copies would wait here for the collector, a megabyte each. */
const wholeBuffers = (value: unknown): readonly ArrayBuffer[] =>
  value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
    ? [value.buffer]
    : [];
