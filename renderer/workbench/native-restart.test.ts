import { expect, test, vi } from 'vitest';
import type { DatabaseState, Work } from '#shared/protocol/index.ts';

vi.mock('../connection/database-client.ts', () => ({ isNativeWork: () => true, nativeClient: {} }));
vi.mock('../state/databases.ts', () => ({}));
vi.mock('../state/store.ts', () => ({}));
const { endedLabel } = await import('./native-restart.ts');

const database = (name: string, windowTitle?: string): DatabaseState =>
  ({ entry: { name }, transaction: windowTitle === undefined ? null : { windowTitle } }) as unknown as DatabaseState;

test('says whose transaction on which file was rolled back, and what else ran', () => {
  const work = { title: 'UPDATE item', databaseName: 'b.db' } as Work;
  expect(endedLabel([database('a.db', 'Window 2'), database('b.db')], [work])).toBe(
    'Changes committed to “a.db”, “b.db” are safe in the files. Rolled back: the open transaction of Window 2 on “a.db”, “UPDATE item” on “b.db”.',
  );
});

test('says that no transaction was open', () => {
  expect(endedLabel([database('a.db')], [])).toBe(
    'Changes committed to “a.db” are safe in the file. No transaction was open there; anything uncommitted was rolled back.',
  );
});
