// The files a command names: served to the engine's thread by token, as main serves those a person chooses in a window.
import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileOperations, FileToken } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readError, writeError } from '../files/file-errors.ts';
import { SinkFile } from '../files/sink-file.ts';
import { SourceFile } from '../files/source-file.ts';
import { BrokenPipe, print } from './io.ts';

/** Where bytes go. */
interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  commit(): Promise<unknown>;
  abort(): Promise<void>;
}

type Served = Pick<Handlers<FileOperations>, 'file.info' | 'file.read' | 'file.write' | 'file.close'>;

export class CommandFiles {
  readonly #sources = new Map<FileToken, SourceFile>();
  readonly #sinks = new Map<FileToken, Sink>();
  readonly #signal: AbortSignal;
  #isPipeBroken = false;
  #spool: string | null = null;
  #spooled = 0;

  /** @param signal ends reading what comes from standard input */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Nobody reads standard output any more. */
  get isPipeBroken(): boolean {
    return this.#isPipeBroken;
  }

  readonly handlers: Served = {
    'file.info': ({ token }) => this.#source(token).info(),
    'file.read': ({ token, part, offset, length }) => this.#source(token).read(part, offset, length),
    'file.write': async ({ token, bytes }) => {
      await this.#sink(token).write(bytes);
      return null;
    },
    'file.close': async ({ token, commit }) => {
      const sink = this.#sinks.get(token);
      this.#sinks.delete(token);
      await (commit ? sink?.commit() : sink?.abort());
      await this.#sources.get(token)?.close();
      this.#sources.delete(token);
      return { backup: null };
    },
  };

  /**
   * A file to read. What can only be read once, such as standard input or a pipe, goes into a temporary file first: an import reads twice.
   * @param path absolute; `-` is standard input
   * @throws AppError
   */
  async addSource(path: string): Promise<FileToken> {
    if (path !== '-' && !existsSync(path)) throw missing(path);
    const token = randomUUID();
    const isOnce = path === '-' || isPipe(path);
    this.#sources.set(token, new SourceFile(isOnce ? await this.readOnce(path) : path, ''));
    return token;
  }

  /** @param path absolute; `-` is standard output */
  addSink(path: string): FileToken {
    const token = randomUUID();
    // Only for as long as this command runs: what it leaves when it is killed has a name that says so.
    const unfinished = { begun: () => undefined, ended: () => undefined };
    this.#sinks.set(token, path === '-' ? this.#standardOutput : new SinkFile(path, unfinished));
    return token;
  }

  /** Removes what is unfinished. */
  async end(): Promise<void> {
    for (const sink of this.#sinks.values()) await sink.abort();
    for (const source of this.#sources.values()) await source.close();
    if (this.#spool !== null) rmSync(this.#spool, { recursive: true, force: true });
  }

  /** Answers where it lies until {@link end}. @throws AppError */
  async readOnce(path: string): Promise<string> {
    this.#spool ??= mkdtempSync(join(tmpdir(), 'sidelite-input-'));
    const folder = mkdtempSync(join(this.#spool, `${++this.#spooled}-`));
    const name = path === '-' ? 'standard input' : basename(path);
    const target = join(folder, name);
    try {
      await pipeline(
        path === '-' ? createReadStream('', { fd: 0, autoClose: false }) : createReadStream(path),
        createWriteStream(target, { mode: 0o600 }),
        { signal: this.#signal },
      );
    } catch (thrown) {
      if (this.#signal.aborted) throw new AppError({ code: 'stopped', message: 'Stopped. Nothing was changed.' });
      const isWriting = ['ENOSPC', 'EDQUOT'].includes((thrown as NodeJS.ErrnoException).code ?? '');
      throw isWriting ? writeError(name, thrown) : readError(name, thrown);
    }
    return target;
  }

  readonly #standardOutput: Sink = {
    write: async (bytes) => {
      try {
        await print(bytes);
      } catch (thrown) {
        // It crosses a port, which keeps the sentence alone.
        this.#isPipeBroken ||= thrown instanceof BrokenPipe;
        throw thrown;
      }
    },
    commit: () => Promise.resolve(),
    abort: () => Promise.resolve(),
  };

  #source(token: FileToken): SourceFile {
    return found(this.#sources.get(token));
  }

  #sink(token: FileToken): Sink {
    return found(this.#sinks.get(token));
  }
}

const missing = (path: string): AppError =>
  new AppError({ code: 'not-found', message: `There is no file “${path}”. Nothing was changed.` });

function isPipe(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function found<T>(file: T | undefined): T {
  if (file) return file;
  throw new AppError({ code: 'not-found', message: 'This file is no longer open. Run the command again.' });
}
