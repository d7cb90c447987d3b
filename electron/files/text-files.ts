// The text files that windows have open in SQL tabs: a path by token for one window, remembered across restarts. Reads the files, and
// replaces them only if they are as the window expects.
import { createHash, randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as v from 'valibot';
import { AppError } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import { each } from '#shared/stored.ts';
import { TEXT_FILE_BYTES, type TextFile, type TextFileReply, type TextFileSaved } from '#shared/text-files.ts';
import { readJson, writeJson } from '../json-file.ts';
import { isWritable } from './file-access.ts';
import { isMissing, nullIfMissing, readError, writeError } from './file-errors.ts';
import { SinkFile } from './sink-file.ts';
import { readSettled } from './settled-file.ts';
import { forPeople } from './source-file.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';

const KEPT = v.object({ token: v.string(), windowId: v.string(), path: v.string() });
type Kept = v.InferOutput<typeof KEPT>;

const NOT_KEPT = 'Sidelite no longer knows where this file is. Save the text under a name, or open the file again.';

export class TextFiles {
  readonly #storePath: string;
  readonly #unfinished: UnfinishedFiles;
  #kept: readonly Kept[];
  /** Files named since the app was started: a window may still name one, for example in a closed tab. */
  readonly #fresh = new Set<FileToken>();

  constructor(storePath: string, unfinished: UnfinishedFiles) {
    this.#storePath = storePath;
    this.#unfinished = unfinished;
    this.#kept = v.parse(each(KEPT), readJson(storePath));
  }

  /** Keeps a path the user chose in this window. The same path has the same token. */
  keep(windowId: string, path: string): TextFile {
    const known = this.#kept.find((one) => one.windowId === windowId && one.path === path);
    const token = known?.token ?? randomUUID();
    this.#fresh.add(token);
    if (!known) this.#store([...this.#kept, { token, windowId, path }]);
    return describe(token, path);
  }

  /** Null if this window did not choose the file, or the file was forgotten. */
  pathOf(windowId: string, token: FileToken): string | null {
    return this.#kept.find((one) => one.token === token && one.windowId === windowId)?.path ?? null;
  }

  /** Forgets the other files of this window, except those chosen since the app was started. */
  keepOnly(windowId: string, tokens: readonly FileToken[]): void {
    const wanted = new Set([...tokens, ...this.#fresh]);
    this.#store(this.#kept.filter((one) => one.windowId !== windowId || wanted.has(one.token)));
  }

  /** Forgets the files of windows that no longer exist. */
  keepWindows(windowIds: readonly string[]): void {
    this.#store(this.#kept.filter(({ windowId }) => windowIds.includes(windowId)));
  }

  /** @param known content that the window has already: its bytes are not sent again */
  async read(windowId: string, token: FileToken, known: string | null): Promise<TextFileReply> {
    const path = this.pathOf(windowId, token);
    return path === null ? { found: 'missing', why: NOT_KEPT } : readText(token, path, known);
  }

  /** Reads a chosen file, and keeps it if it can be read. */
  async open(windowId: string, path: string): Promise<TextFileReply> {
    const reply = await readText('', path, null);
    return reply.found === 'file' ? { ...reply, file: this.keep(windowId, path) } : reply;
  }

  /** @param expected content that may be replaced; null: any */
  async save(windowId: string, token: FileToken, bytes: Uint8Array, expected: string | null): Promise<TextFileSaved> {
    const path = this.pathOf(windowId, token);
    if (path === null) return { why: NOT_KEPT, isConflict: false };
    const sink = new TextSink(path, expected, this.#unfinished);
    try {
      await sink.assertMayReplace();
      await sink.write(bytes);
      await sink.commit();
      return { file: describe(token, path), content: contentOf(bytes) };
    } catch (thrown) {
      await sink.abort();
      const { code, message } = writeError(basename(path), thrown);
      return { why: message, isConflict: code === 'conflict' };
    }
  }

  #store(kept: readonly Kept[]): void {
    if (kept.length === this.#kept.length) return;
    this.#kept = kept;
    writeJson(this.#storePath, kept);
  }
}

class TextSink extends SinkFile {
  readonly #expected: string | null;

  constructor(path: string, expected: string | null, unfinished: UnfinishedFiles) {
    super(path, unfinished);
    this.#expected = expected;
  }

  protected override async beforeReplace(): Promise<null> {
    await this.assertMayReplace();
    return null;
  }

  /** @throws AppError `conflict`, `io` */
  async assertMayReplace(): Promise<void> {
    const now = await stat(this.path).catch(nullIfMissing);
    if (now === null) return;
    if (!(await isWritable(this.path)))
      throw AppError.io(
        `“${this.fileName}” is read-only, so it was not replaced. Allow writing to the file, or save under another name.`,
      );
    if (this.#expected === null) return;
    // What has become huge, or a pipe, is not the expected file.
    const isSame =
      now.isFile() && now.size <= TEXT_FILE_BYTES && contentOf(await readFile(this.path)) === this.#expected;
    if (!isSame) throw AppError.conflict(`“${this.fileName}” was changed by another program, so it was not replaced.`);
  }
}

async function readText(token: FileToken, path: string, known: string | null): Promise<TextFileReply> {
  const fileName = basename(path);
  try {
    const bytes = await readSettled(path, TEXT_FILE_BYTES);
    if (bytes === null) return { found: 'too-big', why: tooBig(fileName) };
    const content = contentOf(bytes);
    return { found: 'file', file: describe(token, path), content, bytes: content === known ? null : bytes };
  } catch (thrown) {
    return { found: isMissing(thrown) ? 'missing' : 'unreadable', why: readError(fileName, thrown).message };
  }
}

const tooBig = (fileName: string): string =>
  `“${fileName}” is larger than ${TEXT_FILE_BYTES / 1024 / 1024} MB, which is more than the editor can hold. Import it instead.`;

const describe = (token: FileToken, path: string): TextFile => ({
  token,
  fileName: basename(path),
  displayPath: forPeople(path),
});

/** SHA-256 in hexadecimal. */
const contentOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
