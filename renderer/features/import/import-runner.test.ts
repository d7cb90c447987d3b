import { beforeEach, expect, it, vi } from 'vitest';
import { AppError, type ImportPlan } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { firstView } from './first-view.ts';
import { ImportRunner } from './import-runner.ts';
import type { ImportView } from './import-view.ts';

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined },
  libraryClient: { onReconnected: () => () => undefined },
  nativeClient: { onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: {} }));

const REPLY = { id: 1, table: 'item', added: 3, removed: 0, changed: 0, equal: 0, skipped: 0, problems: 0, notes: [] };
const plan = { target: { kind: 'table' }, options: { format: 'csv' } } as ImportPlan;
let view: ImportView;

function runnerOf(tabId: string): ImportRunner {
  const into = { database: 'd', table: 'item' };
  view = firstView({
    id: tabId,
    kind: 'import',
    database: null,
    fileName: 'a.csv',
    token: 't',
    locationId: null,
    into,
  });
  return new ImportRunner(tabId, {
    view: () => view,
    patch: (part) => void (view = { ...view, ...part }),
    factsRead: () => undefined,
    goInto: (database) => void (view = { ...view, target: { ...view.target, database } }),
  });
}

const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);

beforeEach(() => {
  call.mockReset();
  useStore.setState({ notices: [], activeTabId: 'other' });
});

it('an import whose tab is not in front, or is closed, says what it came to, and leads to the table', async () => {
  call.mockResolvedValueOnce({ ...REPLY, timeMs: 1 });
  await runnerOf('import').run(plan);
  expect(said()).toEqual([expect.stringContaining('3 rows added to “item”')]);
  expect(useStore.getState().notices[0]!.action?.label).toBe('Open table');
  call.mockRejectedValueOnce(new AppError({ code: 'io', message: 'The disk is full.' }));
  await runnerOf('import').run(plan);
  expect(said()).toContainEqual('The disk is full.');
});

it('one whose tab is in front says it there', async () => {
  useStore.setState({ activeTabId: 'import' });
  call.mockResolvedValueOnce({ ...REPLY, timeMs: 1 });
  await runnerOf('import').run(plan);
  expect([said(), view.outcome?.added, view.running]).toEqual([[], 3, null]);
  call.mockRejectedValueOnce(new AppError({ code: 'stopped', message: 'Stopped.' }));
  await runnerOf('import').run(plan);
  expect([said(), view.problem]).toEqual([[], 'Stopped. Nothing was imported.']);
});

it('one that is to go into a copy instead has the copy as its target from then on', async () => {
  useStore.setState({ activeTabId: 'import' });
  const message = 'Edits now go into “shop 2”.';
  call.mockRejectedValueOnce(new AppError({ code: 'refused', message, detail: { editsGoTo: 'copy' } }));
  await runnerOf('import').run(plan);
  expect([view.target.database, view.problem]).toEqual(['copy', message]);
});
