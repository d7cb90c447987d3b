// What a window tells main of a file in place that could not be opened.
import { expect, test, vi } from 'vitest';
import { AppError, inPlaceId, encryptedId } from '#shared/protocol/index.ts';

const forgotten = vi.hoisted(() => [] as string[]);
vi.mock('../connection/across-restart.ts', () => ({ acrossRestart: (_: unknown, run: () => unknown) => run() }));
vi.mock('../connection/database-client.ts', () => ({
  client: {
    serverOf: () => null,
    call: async () => Promise.reject(new AppError({ code: 'not-a-database', message: 'It is a picture.' })),
  },
  openInPlace: async () => ({ file: { database: reached }, sizeBytes: 1 }),
}));
vi.mock('../connection/shell.ts', () => ({
  shell: {
    forgetInPlace: async (id: string) => void forgotten.push(id),
  },
}));
const { ensureOpen } = await import('./databases.ts');

let reached = '';

test.each([
  // A copy is offered of it, and main knows where it is only as long as it counts as open.
  [inPlaceId('a1'), []],
  // Its key would be kept.
  [encryptedId('a1'), ['a1']],
])('%s: main forgets %o', async (database, expected) => {
  reached = database;
  forgotten.length = 0;
  await expect(ensureOpen(database)).rejects.toThrow('It is a picture.');
  expect(forgotten).toEqual(expected);
});
