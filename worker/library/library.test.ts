import { expect, it } from 'vitest';
import type { WindowSession } from '../sessions/session.ts';
import type { LibraryContext } from './context.ts';
import { deleteDatabase } from './library.ts';

const window = (windowTitle: string): WindowSession => ({ windowTitle }) as unknown as WindowSession;

it('a database that another window has open is not deleted', () => {
  const [mine, other] = [window('Window 1'), window('Window 2')];
  const windows = new Set([mine, other]);
  const removed: string[] = [];
  const context = {
    databases: { find: () => ({ windows }), leave: (left: WindowSession) => windows.delete(left) },
    catalogue: {
      entry: () => ({ name: 'animals' }),
      file: () => '/a',
      remove: (id: string) => removed.push(id),
      forgetFile: () => undefined,
    },
    pool: { has: () => false, names: () => [], remove: (file: string) => removed.push(file) },
  } as unknown as LibraryContext;
  expect(() => deleteDatabase(context, mine, 'a')).toThrow(
    '“animals” is open in Window 2, so it was not deleted. Close it there first.',
  );
  expect([removed, windows.size]).toEqual([[], 2]);
  windows.delete(other);
  deleteDatabase(context, mine, 'a');
  expect(removed.slice(0, 2)).toEqual(['a', '/a']);
});
