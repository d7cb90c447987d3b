import { beforeEach, expect, test, vi } from 'vitest';
import { changedMeanwhile } from '#shared/changed-meanwhile.ts';
import type { Value } from '#shared/protocol/index.ts';
import type { Detail } from '../../../state/slices/detail.ts';
import { closeTab, openTab, useStore } from '../../../state/store.ts';
import { openRange, rangeDrafts, typeInRange } from './range-drafts.ts';
import { beginDraft, changeDraft, draftName, dropDraft, keepMine, saveDraft, valueDrafts } from './value-drafts.ts';

interface Asked {
  readonly op: string;
  readonly params: { readonly changes?: readonly { readonly set: unknown; readonly base: unknown }[] };
  answer(reply: unknown): void;
  fail(error: unknown): void;
}

const { asked } = vi.hoisted(() => ({ asked: [] as unknown as Asked[] }));
vi.mock('../../../connection/database-client.ts', () => ({
  client: {
    call: (op: string, params: Asked['params']) =>
      op === 'held.read'
        ? Promise.resolve({ isOn: false, interruptedAt: null, undone: 0, renames: 0, steps: [] })
        : new Promise((resolve, reject) => asked.push({ op, params, answer: resolve, fail: reject })),
    on: () => () => undefined,
    onReconnected: () => () => undefined,
  },
}));

// Would need a page.
vi.mock('../../../connection/shell.ts', () => ({ shell: {} }));

const detailOf = (tabId: string, value: Value): Detail => ({
  tabId,
  database: 'd',
  title: 'Row 1',
  column: 'note',
  declaredType: 'TEXT',
  origin: null,
  row: null,
  value,
  storageClass: 'text',
  sizeBytes: 3,
  complete: true,
  editing: { declaredType: 'TEXT', isStrict: false, notNull: false, stored: () => undefined },
  source: { kind: 'cell', cell: { table: 't', column: 'note', key: [1] } },
});

let tabId = '';
let name = '';
const draft = () => valueDrafts.getState().drafts[name];
const isMarked = (): boolean => useStore.getState().tabStatus[tabId]?.unsavedValue ?? false;

beforeEach(() => {
  asked.length = 0;
  if (draft()) dropDraft(name);
  tabId = openTab({ kind: 'table', database: 'd', title: 't', preview: false } as Parameters<typeof openTab>[0]);
  const detail = detailOf(tabId, 'old');
  name = draftName(detail)!;
  beginDraft(detail, 'old', null);
});

test('text typed while a value is being saved stays a draft, of the value that was saved', async () => {
  changeDraft(name, { text: 'first' });
  const saving = saveDraft(draft()!);
  await expect.poll(() => asked).toHaveLength(1);
  changeDraft(name, { text: 'first and more' });
  asked[0]!.answer({ keys: [] });
  expect(await saving).toBe(false);
  expect(draft()).toMatchObject({ text: 'first and more', base: 'first', isSaving: false, failure: null });
  expect(isMarked()).toBe(true);

  const again = saveDraft(draft()!);
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[1]!.params.changes).toMatchObject([{ set: { note: 'first and more' }, base: { note: 'first' } }]);
  asked[1]!.answer({ keys: [] });
  expect(await again).toBe(true);
  expect(draft()).toBeUndefined();
  expect(isMarked()).toBe(false);
});

test('“Keep mine” saves what is typed when the value has been read, and nothing that was discarded until then', async () => {
  changeDraft(name, { text: 'mine' });
  const keeping = keepMine(draft()!);
  changeDraft(name, { text: 'mine, longer' });
  asked[0]!.answer({ value: 'theirs' });
  await expect.poll(() => asked).toHaveLength(2);
  expect(asked[1]!.params.changes).toMatchObject([{ set: { note: 'mine, longer' }, base: { note: 'theirs' } }]);
  asked[1]!.answer({ keys: [] });
  await keeping;
  expect(draft()).toBeUndefined();

  beginDraft(detailOf(tabId, 'theirs'), 'theirs', null);
  changeDraft(name, { text: 'mine' });
  const discarded = keepMine(draft()!);
  dropDraft(name);
  asked[2]!.answer({ value: 'theirs' });
  await discarded;
  expect(asked).toHaveLength(3);
});

test('“Keep mine” replaces the value that the message told of, and no other', async () => {
  changeDraft(name, { text: 'mine' });
  const saving = saveDraft(draft()!);
  await expect.poll(() => asked).toHaveLength(1);
  asked[0]!.fail(changedMeanwhile('note', 'theirs'));
  expect(await saving).toBe(false);
  const keeping = keepMine(draft()!);
  asked[1]!.answer({ value: 'third' });
  await keeping;
  expect(asked).toHaveLength(2);
  expect(draft()?.failure?.message).toContain('“third”');
  const again = keepMine(draft()!);
  asked[2]!.answer({ value: 'third' });
  await expect.poll(() => asked).toHaveLength(4);
  expect(asked[3]!.params.changes).toMatchObject([{ set: { note: 'mine' }, base: { note: 'third' } }]);
  asked[3]!.answer({ keys: [] });
  await again;
  expect(draft()).toBeUndefined();
});

test('a part of a long value that is not saved marks its tab, and ends with it', () => {
  dropDraft(name);
  openRange(name, tabId, 'Row 1');
  expect(isMarked()).toBe(false);
  const range = {
    storageClass: 'text',
    offset: 0,
    lengthBytes: 3,
    sizeBytes: 9,
    bytes: new Uint8Array(3),
    value: 'abc',
  } as const;
  typeInRange(name, { text: 'abd', range });
  expect(isMarked()).toBe(true);
  typeInRange(name, null);
  expect(isMarked()).toBe(false);
  typeInRange(name, { text: 'abd', range });
  closeTab(tabId);
  expect(rangeDrafts.getState().drafts).toEqual({});
});
