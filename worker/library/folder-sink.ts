// Writes files into a folder through the files port: one that was chosen, or one that will be made beside a file.
import type { FileToken } from '#shared/protocol/files.ts';
import { freeBuffer } from '../threads/free-buffer.ts';
import type { FileClient } from './files.ts';

type NamedBytes = { readonly name: string; readonly bytes: Uint8Array };

export class FolderSink {
  /** Folder name. */
  readonly name: string;
  readonly #files: FileClient;
  readonly #token: FileToken;

  constructor(files: FileClient, token: FileToken, name: string) {
    this.#files = files;
    this.#token = token;
    this.name = name;
  }

  /** @throws AppError `exists` when the name is taken, `unavailable` where there are no folders */
  static async beside(files: FileClient, sink: FileToken): Promise<FolderSink> {
    const { token, folderName } = await files.call('folder.openBeside', { token: sink });
    return new FolderSink(files, token, folderName);
  }

  taken(names: readonly string[]): Promise<readonly string[]> {
    return this.#files.call('folder.taken', { token: this.#token, names });
  }

  readonly write = async (files: readonly NamedBytes[]): Promise<void> => {
    await this.#files.call('folder.write', { token: this.#token, files });
    for (const { bytes } of files) freeBuffer(bytes);
  };

  /** Writes one file in the folder, which exists even when nothing is written. */
  fileSink(name: string): { write(bytes: Uint8Array): Promise<void>; finish(): Promise<void> } {
    let isBegun = false;
    const write = (bytes: Uint8Array): Promise<void> => {
      isBegun = true;
      return this.write([{ name, bytes }]);
    };
    return { write, finish: async () => (isBegun ? undefined : write(new Uint8Array(0))) };
  }

  async commit(replaced: readonly string[] = []): Promise<void> {
    await this.#files.call('folder.close', { token: this.#token, commit: true, replaced });
  }

  async abort(): Promise<void> {
    await this.#files.call('folder.close', { token: this.#token, commit: false, replaced: [] }).catch(() => undefined);
  }
}
