import { beforeEach, expect, test, vi } from 'vitest';
import { AppError, type ExportFormatInfo } from '#shared/protocol/index.ts';

const { call, writeClipboard } = vi.hoisted(() => ({ call: vi.fn(), writeClipboard: vi.fn() }));
vi.mock('../../connection/database-client.ts', () => ({
  client: { call, on: () => () => undefined, onReconnected: () => () => undefined },
  libraryClient: { onReconnected: () => () => undefined },
}));
vi.mock('../../connection/shell.ts', () => ({
  isDesktop: true,
  shell: { chooseSaveFolder: async () => ({ token: 't', fileName: 'out' }), writeClipboard },
}));
const { copyExport, exportToFolder } = await import('./export-actions.ts');
const { useStore } = await import('../../state/store.ts');

const chosen = (id: string) => ({
  database: 'd',
  sourceNow: () => ({}) as never,
  format: { id } as ExportFormatInfo,
  options: {} as never,
  fileName: 'song',
});
const said = (): readonly string[] => useStore.getState().notices.map(({ text }) => text);
const replaced = (): readonly boolean[] =>
  call.mock.calls.map(([, params]) => (params as { replace: boolean }).replace);

beforeEach(() => {
  call.mockReset();
  useStore.setState({ notices: [], questions: [] });
});

test.each([true, false])('a file that is there is replaced only where that is agreed to (%s)', async (agreed) => {
  call
    .mockRejectedValueOnce(new AppError({ code: 'exists', message: '', detail: { names: 'song.csv' } }))
    .mockResolvedValueOnce({ rows: 6, files: 3, sizeBytes: 9, notes: [] });
  await exportToFolder(chosen('csv'), ['song', 'band']);
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  const [question] = useStore.getState().questions;
  expect(question).toMatchObject({ title: 'Replace 1 file in “out”?', body: 'These already exist: “song.csv”.' });
  if (question?.kind === 'confirm') question.answer(agreed);
  await expect.poll(replaced).toEqual(agreed ? [false, true] : [false]);
  const done = ['6 rows were exported to 3 files in out (9 B).'];
  await expect.poll(() => said().map((text) => text.replace(/\d+ bytes/, '9 B'))).toEqual(agreed ? done : []);
});

test('HTML is on the clipboard as a table, too; other formats as text alone', async () => {
  call.mockResolvedValue({ text: '<table>', rows: 2, notes: [] });
  await copyExport(chosen('html'));
  await copyExport(chosen('md'));
  expect(writeClipboard.mock.calls).toEqual([['<table>', '<table>'], ['<table>']]);
  expect(said()).toEqual(['Copied 2 rows.']);
});
