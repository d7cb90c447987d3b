import { expect, test, vi } from 'vitest';
import { closeTab, openTab } from '../../state/store.ts';
import { SampleRowsSession } from './sample-rows-session.ts';

const { waiting } = vi.hoisted(() => ({ waiting: [] as ((reply: unknown) => void)[] }));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));
vi.mock('../../workbench/history/history.ts', () => ({ isUndoable: () => false }));
vi.mock('./outcome-labels.ts', () => ({ announce: () => undefined }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    call: () => new Promise((resolve) => waiting.push(resolve)),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
}));

test('work that ends after its tab was closed ends without an error', async () => {
  const fields = { kind: 'sample-rows', database: 'd', table: 't', rows: 10, seed: 1, chosen: [] };
  const id = openTab(fields as unknown as Parameters<typeof openTab>[0]);
  const session = new SampleRowsSession(id);
  const inserting = session.insert();
  closeTab(id);
  session.dispose();
  waiting[0]!({ table: 't', inserted: 10, skipped: 0, timeMs: 1 });
  await expect(inserting).resolves.toBeUndefined();
  expect(session.useView.getState()).toMatchObject({ running: null, outcome: { inserted: 10 } });
});
