import { afterEach, expect, it, vi } from 'vitest';
import { loadBetterSqlite } from './load.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.doUnmock('better-sqlite3');
});

const refused = (why: string) => ({
  code: 'unavailable',
  message: `The native engine is not available here: ${why}. Databases of the library work without it.`,
});

it('a binary for another system is the reason why files cannot be opened in place', async () => {
  vi.doMock('better-sqlite3', () => ({
    default: class {
      constructor() {
        throw new Error('invalid ELF header\nRequire stack: …');
      }
    },
  }));
  await expect(loadBetterSqlite()).rejects.toMatchObject(refused('invalid ELF header'));
});

it('with a runtime that is too old for it, it is not even loaded', async () => {
  const loaded = vi.fn();
  vi.doMock('better-sqlite3', loaded);
  vi.stubGlobal('process', { ...process, versions: { ...process.versions, napi: '7' } });
  await expect(loadBetterSqlite()).rejects.toMatchObject(refused('this runtime has Node-API 7, and 10 is needed'));
  expect(loaded).not.toHaveBeenCalled();
});
