import { beforeEach, expect, test, vi } from 'vitest';
import type { OpenedFile } from '#shared/shell-api.ts';

const chosen = vi.hoisted(() => ({ openFiles: 'ask' as unknown }));
vi.mock('../../connection/shell.ts', () => ({ isDesktop: true, shell: {} }));
vi.mock('../../state/databases.ts', () => ({ notifyFailure: vi.fn(), refreshLibrary: vi.fn() }));
vi.mock('../../state/settings.ts', () => ({ settingNow: () => chosen.openFiles }));
vi.mock('../../workbench/set-setting.ts', () => ({
  setSetting: (_key: string, value: unknown) => void (chosen.openFiles = value),
}));
const { wayToOpen } = await import('./ways-to-open.ts');
const { useStore } = await import('../../state/store.ts');

const FILE = { token: 't', fileName: 'shop.db', locationId: 'l' } as OpenedFile;

/** The question for the file, answered with the way; and its first offer, which Enter takes. */
async function open(way: string, remembers: boolean) {
  const opening = wayToOpen([FILE]);
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  const [question] = useStore.getState().questions;
  if (question?.kind !== 'choice') throw new Error('A choice was expected.');
  if (remembers) question.remember?.onChosen(way);
  question.answer(way);
  return {
    way: await opening,
    body: question.body,
    first: question.choices.find(({ variant }) => variant === 'primary'),
  };
}

beforeEach(() => {
  chosen.openFiles = 'ask';
  useStore.setState({ questions: [], entries: [] });
});

test('opening a file asks which way until the answer is to be remembered', async () => {
  const { way, first, body } = await open('copy', false);
  expect([way, first?.label]).toEqual(['copy', 'Library copy']);
  expect(body).toContain('not past what other programs wrote');
  expect((await open('in-place', true)).way).toBe('in-place');
  const again = wayToOpen([FILE]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(useStore.getState().questions).toEqual([]);
  expect(await again).toBe('in-place');
});

const IN_PLACE = { id: 'file:l', name: 'shop.db', lastUsedAtMs: 1, source: { locationId: 'l' } };
const COPY = { id: 'c', name: 'shop', lastUsedAtMs: 2, source: { locationId: 'l' } };

test.each([
  ['a file that is not known', [], 'first-edit'],
  ['one whose edits go into the file', [{ ...IN_PLACE, editing: 'file' }, COPY], 'first-edit'],
  ['one that was copied by other means', [IN_PLACE, COPY], 'first-edit'],
  ['one whose edits go into its copy', [{ ...IN_PLACE, editing: 'copy' }, COPY], { copy: 'c' }],
  ['one whose copy was deleted', [{ ...IN_PLACE, editing: 'copy' }], 'first-edit'],
])('nothing is asked before the first edit: %s', async (_name, entries, way) => {
  chosen.openFiles = 'first-edit';
  useStore.setState({ entries: entries as never });
  expect(await wayToOpen([FILE])).toEqual(way);
  expect(useStore.getState().questions).toEqual([]);
});
