import { expect, test, vi } from 'vitest';
import type { DatabaseState, Work } from '#shared/protocol/index.ts';

vi.mock('../../connection/database-client.ts', () => ({ client: {} }));
vi.mock('../../state/databases.ts', () => ({}));
vi.mock('../../state/store.ts', () => ({}));
const { consequences, serverConsequences } = await import('./engine-restart.ts');

const work = { title: 'SELECT 1' } as Work;
const state = (name: string, windowTitle: string | null): DatabaseState =>
  ({ entry: { name }, transaction: windowTitle && { windowId: 'w', windowTitle } }) as DatabaseState;

test('says what stays, what is lost, and whose open transaction is among it', () => {
  const text = consequences(work, [state('a', null), state('b', 'Window 2')]);
  expect(text).toContain('Everything committed is kept');
  expect(text).toContain('Lost in all windows: “SELECT 1”');
  expect(text).toContain('the open transaction of Window 2 on “b”');
  expect(text).not.toContain('“a”');
});

test('says of a server that other databases are not affected, and what is unknown', () => {
  const text = serverConsequences({ title: 'DELETE FROM item', databaseName: 'Shop' } as Work);
  expect(text).toContain('“DELETE FROM item” is waiting for the server of “Shop”');
  expect(text).toContain('Sidelite can’t tell whether the server will complete it');
});
