// A new encrypted database, by its bytes: told from other files, and opened by its key alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CIPHERS, type CipherSettings } from '#shared/cipher-key.ts';
import { isLikeEncrypted } from '#shared/foreign-files.ts';
import { sampled } from '#shared/seed-count.test-suite.ts';
import { givenKey } from '../engines/native/cipher/given-key.test-suite.ts';
import { createCipherEngine } from '../engines/native/native-engine.ts';
import { newDatabase } from './key-changing.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sidelite-new-database-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const CASES: readonly Partial<CipherSettings>[] = [
  {},
  { cipher: 'sqlcipher3', pageBytes: 512 },
  { cipher: 'sqlcipher4', pageBytes: 512 },
  ...sampled(CIPHERS.map((cipher) => ({ cipher }))),
];

it.each(CASES)('with %o looks encrypted, and is empty', async (settings) => {
  const engineOf = (secret: string) => createCipherEngine(givenKey(secret, settings), folder);
  const bytes = newDatabase(await engineOf('secret'));
  expect(bytes.length).toBeGreaterThan(0);
  expect(isLikeEncrypted(bytes.subarray(0, 4096))).toBe(true);
  const path = join(folder, 'new.db');
  writeFileSync(path, bytes);
  const connection = (await engineOf('secret')).open(path, { durability: 'full' });
  connection.run('CREATE TABLE t (a)');
  expect(connection.all('SELECT name FROM sqlite_schema')).toEqual([['t']]);
  connection.close();
  const other = await engineOf('wrong');
  expect(() => other.assertKeyFits?.(path)).toThrow(/does not open/);
});
