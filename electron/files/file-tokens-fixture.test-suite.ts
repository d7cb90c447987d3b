// For tests of file tokens: a folder of files, a profile, and the tokens of a run of the app.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FileOperations } from '#shared/protocol/files.ts';
import { createFileLocations } from './file-locations.ts';
import { createFileTokens } from './file-tokens.ts';
import type { FileTokens } from './file-tokens.ts';
import { FilesInPlace } from './files-in-place.ts';
import { createSourceBackups } from './source-backups.ts';
import { createUnfinishedFiles } from './unfinished-files.ts';

export const WINDOW = 'mine';

interface Made {
  readonly folder: string;
  readonly profile: string;
  /** Windows that were refused a file, with its name. */
  readonly refused: string[];
  readonly files: FileTokens;
}

/**
 * Makes both folders and the tokens of a run before each test, and removes them after it.
 * @param opened gets them before each test
 */
export function fileTokensFixture(opened: (made: Made) => void) {
  let folder: string;
  let profile: string;
  let refused: string[];
  let files: FileTokens;
  const start = (): FileTokens =>
    createFileTokens({
      locations: createFileLocations(join(profile, 'places.json')),
      inPlace: new FilesInPlace(createFileLocations(join(profile, 'in-place.json'))),
      unfinished: createUnfinishedFiles(join(profile, 'unfinished.json')),
      backups: createSourceBackups(join(profile, 'backups.json')),
      refused: (fileName, windowId) => refused.push(`${windowId}: ${fileName}`),
    });
  beforeEach(() => {
    [folder, profile] = [
      mkdtempSync(join(tmpdir(), 'sidelite-files-')),
      mkdtempSync(join(tmpdir(), 'sidelite-profile-')),
    ];
    refused = [];
    files = start();
    opened({ folder, profile, refused, files });
  });
  afterEach(async () => {
    await files.abortSinks();
    for (const path of [folder, profile]) rmSync(path, { recursive: true });
  });
  return {
    /** Starts one more run on the same profile. */
    start,
    /** Like `start`, and the tests ask the new run from now on. */
    restart: (): FileTokens => (files = start()),
    ask<K extends keyof FileOperations>(
      op: K,
      params: FileOperations[K]['params'],
    ): Promise<FileOperations[K]['reply']> {
      const handler = files.handlers[op] as unknown as (params: unknown) => Promise<FileOperations[K]['reply']>;
      return Promise.resolve().then(() => handler({ window: WINDOW, ...params }));
    },
    /** @returns the path of a file in the folder, which is written if it has content */
    inFolder(name: string, content?: string): string {
      const path = join(folder, name);
      if (content !== undefined) writeFileSync(path, content);
      return path;
    },
  };
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
