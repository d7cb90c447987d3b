import { expect, it, vi } from 'vitest';
import { AppError, type DatabaseState } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { UndoWaiver } from '../../workbench/history/undo-waiver.ts';
import { runControl } from './run-control.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({ client: { call, on: () => () => undefined } }));

it.each([
  ['is open', { windowId: '1' }, true],
  ['has been ended by the server', null, false],
])('says of a failed COMMIT whose transaction %s whether it can be tried again', async (_what, transaction, isOpen) => {
  useStore.setState({ openDatabases: { db: { transaction } as unknown as DatabaseState } });
  call.mockRejectedValue(new AppError({ code: 'unavailable', message: 'It failed.' }));
  const { message } = await runControl('db', 'COMMIT', new UndoWaiver(), new AbortController().signal);
  expect(message.text.includes('still open')).toBe(isOpen);
});
