import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, type HistoryStep } from '#shared/protocol/index.ts';
import { PATCH_FORMATS } from '../../workbench/history/patch-formats.ts';

const { call, chooseFiles } = vi.hoisted(() => ({ call: vi.fn(), chooseFiles: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined, onReconnected: () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({
  shell: { chooseFiles, chooseSaveTarget: async (name: string) => ({ token: 's', fileName: name }) },
}));
const { choosePatch, savePatch } = await import('./history-actions.ts');
const { useStore } = await import('../../state/store.ts');

const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
beforeEach(() => {
  call.mockReset();
  chooseFiles.mockReset().mockResolvedValue([{ token: 't', fileName: 'step.changeset' }]);
  useStore.setState({ notices: [] });
});

test('a step is saved as a patch of each format, with what it leaves out', async () => {
  call.mockResolvedValue({ sizeBytes: 9, notes: ['1 row of “gone”, because the table has no primary key.'] });
  for (const format of PATCH_FORMATS) await savePatch('d', { id: 7, title: 'Edit name' } as HistoryStep, format);
  expect(call.mock.calls.map(([, { step, format }]) => [step, format])).toEqual([
    [7, 'changeset'],
    [7, 'sql'],
  ]);
  expect(said()[0]).toMatch(/^“Edit name” was saved to Edit-name\.changeset \(.*\)\.\n1 row of “gone”, because/);
});

test('a patch from a file is applied, and one that is none is refused in words', async () => {
  call.mockResolvedValueOnce({ applied: true, rowsChanged: 2, skipped: 0 });
  await choosePatch('d');
  expect(chooseFiles).toHaveBeenCalledWith('patch');
  expect(call).toHaveBeenCalledWith('patch.apply', { database: 'd', source: 't' }, expect.anything());
  expect(said()).toEqual(['Applied step.changeset (2 rows changed).']);
  call.mockRejectedValueOnce(new AppError({ code: 'invalid', message: 'step.sql is not a changeset.' }));
  await choosePatch('d');
  expect(said()).toContain('step.sql is not a changeset.');
});
