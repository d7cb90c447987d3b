// The files a command names: served to the engine's thread by token, as main serves the files a user chooses in a window.
import { createReadStream, existsSync, createWriteStream, fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isatty } from 'node:tty';
import { AppError } from '#shared/protocol/errors.ts';
import type { UnpackedSinks } from '#shared/protocol/archive.ts';
import type { FileOperations, FileToken, SourceFileInfo } from '#shared/protocol/files.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { readError } from '../files/file-errors.ts';
import { createFileTokens, type FileTokens } from '../files/file-tokens.ts';
import { FilesInPlace } from '../files/files-in-place.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { roomIn } from '../files/free-space.ts';
import { makeScratchFolder } from '../scratch-folders.ts';
import { BrokenPipe, outIsTerminal, print } from './io.ts';

/** The window that owns the files; a command has exactly one. */
export const WINDOW = 'command-line';
/** The token of standard output. */
const STANDARD_OUTPUT: FileToken = 'standard-output';
/** The same, for text with colors in which nothing else is taken for a command to the terminal. */
const COLORED_OUTPUT: FileToken = 'colored-output';

const isOutput = (token: FileToken): boolean => token === STANDARD_OUTPUT || token === COLORED_OUTPUT;

export interface ReadLimit {
  readonly bytes: number;
  /** What is said of a file that is larger. */
  readonly sentence: (name: string) => string;
}

/** What is not written to the disk takes memory. */
const IN_MEMORY: ReadLimit = {
  bytes: 2 ** 30,
  sentence: (name) =>
    `“${name}” is larger than 1 GB, more than is kept in memory. Save it as a file first. Nothing was changed.`,
};

/** A source that is in memory. */
class Kept {
  readonly info: SourceFileInfo;
  readonly #bytes: Buffer;

  constructor(fileName: string, bytes: Buffer) {
    this.#bytes = bytes;
    this.info = {
      fileName,
      displayPath: fileName,
      locationId: null,
      sizeBytes: bytes.length,
      modifiedAtMs: Date.now(),
      walSizeBytes: 0,
      journalSizeBytes: 0,
    };
  }

  read({ part, offset, length }: Parameters<Handlers<FileOperations>['file.read']>[0]): Uint8Array {
    // A copy, because it is moved to the engine's thread.
    return part === 'main' ? new Uint8Array(this.#bytes.subarray(offset, offset + length)) : new Uint8Array();
  }
}

export class CommandFiles {
  readonly #tokens: FileTokens;
  readonly #signal: AbortSignal;
  /** Rows hold texts by other people. */
  readonly #terminal = outIsTerminal() ? new TerminalText() : null;
  #isPipeBroken = false;
  /** The engine sends several pieces at a time, and a pipe takes each in parts: those of the next one would get in between. */
  #printing = Promise.resolve();
  #keepsInMemory = false;
  readonly #kept = new Map<FileToken, Kept>();
  #spool: string | null = null;
  #spooled = 0;

  /** @param signal ends reading what comes from standard input */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    // They last only while this command runs: nothing is remembered for a later one.
    const locations = { idOf: locationIdFor, pathOf: () => null, forget: () => undefined, keepOnly: () => undefined };
    this.#tokens = createFileTokens({
      locations,
      inPlace: new FilesInPlace(locations),
      // The name of a partial file left by a killed command shows what it is.
      unfinished: { begun: () => undefined, ended: () => undefined },
      backups: { keep: () => Promise.reject(new Error('A command saves over no source.')) },
      refused: () => undefined,
    });
  }

  /** The reader of standard output has closed it. */
  get isPipeBroken(): boolean {
    return this.#isPipeBroken;
  }

  /** Call before any file is added: what can be read only once is not written to the disk, where it would not be encrypted. */
  keepInMemory(): void {
    this.#keepsInMemory = true;
  }

  get handlers(): Handlers<FileOperations> {
    const { handlers } = this.#tokens;
    return {
      ...handlers,
      'file.info': (params, call) => this.#kept.get(params.token)?.info ?? handlers['file.info'](params, call),
      'file.read': (params, call) => this.#kept.get(params.token)?.read(params) ?? handlers['file.read'](params, call),
      'file.write': (params, call) =>
        isOutput(params.token) ? this.#print(params) : handlers['file.write'](params, call),
      'file.close': (params, call) =>
        isOutput(params.token) || this.#kept.has(params.token)
          ? { backup: null }
          : handlers['file.close'](params, call),
      'folder.openBeside'(params, call) {
        if (!isOutput(params.token)) return handlers['folder.openBeside'](params, call);
        throw AppError.invalid('BLOBs cannot be written as files next to standard output. Specify a file with -o.');
      },
    };
  }

  /**
   * Adds a file to read. Input that can be read only once, such as standard input or a pipe, is copied to a temporary file first, because
   * an import reads twice.
   * @param path absolute; `-` is standard input
   * @throws AppError
   */
  async addSource(path: string): Promise<FileToken> {
    if (path !== '-' && !existsSync(path)) throw missing(path);
    const isOnce = path === '-' || isPipe(path);
    if (isOnce && this.#keepsInMemory) return this.#keep(path);
    return this.#tokens.addSource(WINDOW, isOnce ? await this.readOnce(path) : path).token;
  }

  /** @param path absolute; `-` is standard output */
  addSink(path: string): FileToken {
    return path === '-' ? STANDARD_OUTPUT : this.#tokens.addSink(WINDOW, path).token;
  }

  /** Standard output for text in which all that is not ours is visible already. */
  addColoredOutput(): FileToken {
    return COLORED_OUTPUT;
  }

  /** Ends a sink that its writer has left open. @throws AppError */
  async commit(sink: FileToken): Promise<void> {
    const context = { window: WINDOW, token: sink, commit: true };
    await this.#tokens.handlers['file.close'](context, undefined as never);
  }

  /** @param path absolute @throws AppError */
  async write(path: string, bytes: Uint8Array): Promise<void> {
    await this.#tokens.writeSink(WINDOW, this.#tokens.addSink(WINDOW, path).token, bytes);
  }

  /** Adds an existing folder to write files into. */
  addFolder(path: string): FileToken {
    return this.#tokens.addFolder(WINDOW, path).token;
  }

  /** Removes partial files. */
  async end(): Promise<void> {
    await this.#tokens.abortSinks();
    if (this.#spool !== null) rmSync(this.#spool, { recursive: true, force: true });
  }

  /**
   * Reads a file, a pipe, or a device as a whole, and nothing beyond the limit: a device such as /dev/zero has no end.
   * @param path absolute; `-` is standard input
   * @throws AppError `too-big` with the limit's sentence
   */
  async readAll(path: string, { bytes: most, sentence }: ReadLimit): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    if (path !== '-' && fileSizeOf(path) > most) throw AppError.tooBig(sentence(nameOf(path)));
    await this.#readOnce(path, async (open) => {
      for await (const chunk of open()) {
        size += (chunk as Buffer).length;
        if (size > most) throw AppError.tooBig(sentence(nameOf(path)));
        chunks.push(chunk as Buffer);
      }
    });
    return Buffer.concat(chunks);
  }

  async #keep(path: string): Promise<FileToken> {
    const token = `kept-${this.#kept.size}`;
    this.#kept.set(token, new Kept(nameOf(path), await this.readAll(path, IN_MEMORY)));
    return token;
  }

  /** Returns the path of the copy, valid until {@link end}. @throws AppError `invalid` for a device, `full` */
  async readOnce(path: string): Promise<string> {
    const target = this.temporaryFile(nameOf(path));
    await this.#readOnce(path, async (open) => {
      assertNoDevice(path);
      const most = await roomIn(dirname(target));
      await pipeline(open(), (chunks) => atMost(chunks, most, path), createWriteStream(target, { mode: 0o600 }));
    });
    return target;
  }

  /** Returns the path of a file that does not exist yet, in a private folder that lasts until {@link end}. */
  temporaryFile(name: string): string {
    this.#spool ??= makeScratchFolder();
    return join(mkdtempSync(join(this.#spool, `${++this.#spooled}-`)), name);
  }

  /** Adds a private temporary file, which lasts until {@link end}, to unpack a database into. */
  addUnpacked(name: string): { readonly path: string; readonly into: UnpackedSinks } {
    const path = this.temporaryFile(name);
    const sinkFor = (suffix: string): FileToken => this.#tokens.addTemporarySink(WINDOW, path + suffix).token;
    return { path, into: { main: sinkFor(''), wal: sinkFor('-wal'), journal: sinkFor('-journal') } };
  }

  async #readOnce(path: string, take: (open: () => Readable) => Promise<void>): Promise<void> {
    const open = (): Readable =>
      addAbortSignal(
        this.#signal,
        path === '-' ? createReadStream('', { fd: 0, autoClose: false }) : createReadStream(path),
      );
    try {
      await take(open);
    } catch (thrown) {
      if (this.#signal.aborted) throw AppError.stopped('Stopped. Nothing was changed.');
      if (thrown instanceof AppError) throw thrown;
      const isWriting = ['ENOSPC', 'EDQUOT'].includes((thrown as NodeJS.ErrnoException).code ?? '');
      throw isWriting ? noRoom(path) : readError(nameOf(path), thrown);
    }
  }

  async #print({ token, bytes }: { readonly token: FileToken; readonly bytes: Uint8Array }): Promise<null> {
    const shown = token === COLORED_OUTPUT ? bytes : (this.#terminal?.visible(bytes) ?? bytes);
    this.#printing = this.#printing.then(() => print(shown));
    try {
      await this.#printing;
      return null;
    } catch (thrown) {
      // Crossing a port keeps only the message, not the class.
      this.#isPipeBroken ||= thrown instanceof BrokenPipe;
      throw thrown;
    }
  }
}

const nameOf = (path: string): string => (path === '-' ? 'standard input' : basename(path));

const missing = (path: string): AppError => AppError.notFound(`There is no file “${path}”. Nothing was changed.`);

/** 0 for what is not there, or has no size. */
const fileSizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function isPipe(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

// The copy of what can be read only once.

/** @throws AppError `invalid` for a device such as /dev/zero, which has no end; a terminal and the empty device have one */
function assertNoDevice(path: string): void {
  // Asked first: the console of Windows has no stats.
  if (path === '-' && isatty(0)) return;
  const stats = path === '-' ? fstatSync(0) : statSync(path);
  const hasEnd = !stats.isCharacterDevice() || stats.rdev === statSync(devNull).rdev;
  if (hasEnd && !stats.isBlockDevice()) return;
  throw AppError.invalid(`“${nameOf(path)}” is a device. Nothing was changed. Specify a file or a pipe.`);
}

async function* atMost(chunks: AsyncIterable<Buffer>, most: number, path: string): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw noRoom(path);
    yield chunk;
  }
}

const noRoom = (path: string): AppError =>
  AppError.full(
    `“${nameOf(path)}” is larger than the space for temporary files in “${tmpdir()}”. Nothing was changed. Free some space, or save it as a file first.`,
  );

// What a terminal would take for a command to itself, such as clearing the screen, typing a line, or writing over one, made visible.

const [TAB, LINE_FEED, RETURN, DELETE] = [0x09, 0x0a, 0x0d, 0x7f];
/** The first of two bytes of the control characters U+0080 to U+009F in UTF-8. */
const HIGH = 0xc2;
/** The first of three bytes of the characters that reverse the order of others: U+202A to U+202E, and U+2066 to U+2069. */
const WIDE = 0xe2;
/** U+FFFD. */
const REPLACEMENT = [0xef, 0xbf, 0xbd];

/** Makes control characters of a stream of UTF-8 visible: ESC becomes “␛”. Tabs and the ends of lines stay. */
export class TerminalText {
  /** The last bytes so far, whose meaning is told by the next one. */
  #rest: readonly number[] = [];

  visible(bytes: Uint8Array): Uint8Array {
    const all = this.#rest.length === 0 ? bytes : Uint8Array.from([...this.#rest, ...bytes]);
    this.#rest = [];
    const out: number[] = [];
    for (let at = 0; at < all.length;) {
      const length = lengthAt(all, at);
      if (at + length > all.length) {
        this.#rest = [...all.subarray(at)];
        break;
      }
      push(out, all.subarray(at, at + length));
      at += length;
    }
    return Uint8Array.from(out);
  }
}

/** How many bytes are looked at together. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first === WIDE && (second === undefined || second === 0x80 || second === 0x81)) return 3;
  if (first === HIGH && (second === undefined || (second >= 0x80 && second < 0xc0))) return 2;
  return first === RETURN && (second === undefined || second === LINE_FEED) ? 2 : 1;
}

function push(out: number[], bytes: Uint8Array): void {
  const [first = 0, second = 0, third = 0] = bytes;
  const isReversing =
    bytes.length === 3 && (second === 0x80 ? third >= 0xaa && third <= 0xae : third >= 0xa6 && third <= 0xa9);
  if (isReversing || (bytes.length === 2 && first === HIGH && second < 0xa0)) out.push(...REPLACEMENT);
  else if (bytes.length > 1) out.push(...bytes);
  else if (first === DELETE) out.push(0xe2, 0x90, 0xa1);
  else if (first < 0x20 && first !== TAB && first !== LINE_FEED) out.push(0xe2, 0x90, 0x80 + first);
  else out.push(first);
}
