import { expect, test } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { HistoryStore } from './store.ts';
import type { StepDraft } from './store.ts';
import { Timeline } from './timeline.ts';

const { engine } = await createWasmEngine();
const draft: Omit<StepDraft, 'mark'> = {
  kind: 'rows',
  atMs: 1,
  title: 'Edit',
  sql: null,
  windowTitle: 'one',
  run: 1,
  tables: [],
  virtual: {},
  why: null,
  undo: new Uint8Array(1),
};

test('a database stands at a mark again when what was done since is undone', () => {
  const connection = new RestingConnection(() => engine.open(IN_MEMORY, { durability: 'balanced', create: true }));
  const files = new SnapshotFiles({ names: () => [], createWriter: never, remove: never }, 'db');
  const timeline = new Timeline(new HistoryStore(connection), files, 'before', () => [
    { mark: 'copied', hasRows: false },
  ]);
  timeline.append({ ...draft, mark: 'copied' });
  expect([timeline.marks.standsAt('copied'), timeline.marks.standsAt('before')]).toEqual([true, false]);
  const later = timeline.append({ ...draft, mark: 'later' });
  expect(timeline.marks.standsAt('copied')).toBe(false);
  timeline.movedBack(later, null, 'back');
  expect(timeline.marks.standsAt('copied')).toBe(true);
  timeline.movedOn(later, null, 'on');
  expect(timeline.marks.standsAt('copied')).toBe(false);
  connection.close();
});

function never(): never {
  throw new Error('No copies are kept here.');
}
