// A change of a key in its process: the histories that end with it, and those that stay.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KeyOrder } from '#shared/native-link.ts';
import { givenKey } from '../engines/native/cipher/given-key.test-suite.ts';
import { createCipherEngine } from '../engines/native/native-engine.ts';
import { KeyChanging, newDatabase } from './key-changing.ts';
import { removeScratchFolders } from './scratch-folders.ts';

const QUICK = { cipher: 'sqlcipher4', kdfIterations: 1000 } as const;
const [OLD, NEW] = [givenKey('old', QUICK), givenKey('new', QUICK)];
const HISTORY = ['history-file+a1.db', 'history-file+a1.db-wal', 'snapshot-file+encrypted-a1-7.db'];
const OTHERS = ['history-file+a12.db', 'history-file+b2.db', 'settings.json'];

let folder: string;
let histories: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-key-changing-'));
  histories = join(folder, 'histories');
  mkdirSync(histories);
  for (const name of [...HISTORY, ...OTHERS]) writeFileSync(join(histories, name), 'steps');
  mkdirSync(join(folder, 'files'));
  path = join(folder, 'files', 'shop.db');
  writeFileSync(path, newDatabase(await createCipherEngine(OLD, folder)));
});
afterEach(() => {
  vi.unstubAllEnvs();
  removeScratchFolders();
  rmSync(folder, { recursive: true });
});

const order = (from: KeyOrder['from']): KeyOrder => ({
  ...{ path, from, to: NEW },
  histories: ['file:a1', 'file:encrypted-a1'],
});
const opens = async (key: typeof NEW): Promise<void> => (await createCipherEngine(key, folder)).assertKeyFits?.(path);

it('removes the histories of the file, and of no other one', async () => {
  expect(await new KeyChanging(histories).run(order(OLD))).toEqual({ left: null });
  expect(readdirSync(histories).sort()).toEqual(OTHERS);
  await opens(NEW);
});

it('keeps them if the key is not changed', async () => {
  expect(await new KeyChanging(histories).run(order(givenKey('wrong', QUICK)))).toEqual({
    why: expect.stringContaining('does not open “shop.db”') as string,
  });
  expect(readdirSync(histories).sort()).toEqual([...HISTORY, ...OTHERS].sort());
  await opens(OLD);
});

it('says so where there is no folder for temporary files', async () => {
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, join(folder, 'missing'));
  expect(await new KeyChanging(histories).run(order(OLD))).toEqual({
    why: expect.stringContaining('missing') as string,
  });
  vi.unstubAllEnvs();
  await opens(OLD);
});

it('that is ended leaves the file as it is, and nothing beside it', async () => {
  const before = readFileSync(path);
  const changing = new KeyChanging(histories);
  const changed = changing.run(order(OLD));
  const end = setInterval(() => changing.end(), 0);
  const reply = await changed;
  clearInterval(end);
  expect(reply).toEqual({ why: expect.stringContaining('Nothing was changed') as string });
  expect(readdirSync(join(folder, 'files'))).toEqual(['shop.db']);
  expect(readFileSync(path)).toEqual(before);
  expect(readdirSync(histories)).toHaveLength(HISTORY.length + OTHERS.length);
});
