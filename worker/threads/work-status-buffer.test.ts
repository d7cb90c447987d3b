import { expect, it } from 'vitest';
import { rowsKey } from '#shared/rows-key.ts';
import { WorkStatusBuffer } from './work-status-buffer.ts';
import type { PostedWork } from './work-status-buffer.ts';

const work = (id: number, change: Partial<PostedWork> = {}): PostedWork => ({
  id,
  call: 0,
  databaseName: 'a',
  windowId: 'w',
  windowTitle: 'Window 1',
  title: `work ${id}`,
  rowsOf: null,
  startedAtMs: id,
  ...change,
});

it('shows the page what the worker posts, oldest first, until it is cleared', () => {
  const worker = new WorkStatusBuffer();
  const page = new WorkStatusBuffer(worker.memory);
  const [late] = [worker.post(work(2)), worker.post(work(1, { databaseName: 'naïve 🙂', call: 5 }))];
  expect(page.read()).toEqual([
    { ...work(1, { databaseName: 'naïve 🙂', call: 5 }), progress: null, waitingFor: null, turnBeganAtMs: null },
    { ...work(2), progress: null, waitingFor: null, turnBeganAtMs: null },
  ]);
  late!.clear();
  expect(page.read().map(({ id }) => id)).toEqual([1]);
});

it('shows who is waited for, and forgets it with the work', () => {
  const board = new WorkStatusBuffer();
  const entry = board.post(work(1))!;
  entry.waitFor('sqlite3, process 7');
  expect(board.read()[0]).toMatchObject({ title: 'work 1', waitingFor: 'sqlite3, process 7' });
  entry.waitFor(null);
  expect(board.read()[0]!.waitingFor).toBeNull();
  entry.waitFor('sqlite3, process 7');
  entry.clear();
  board.post(work(2));
  expect(board.read()[0]!.waitingFor).toBeNull();
});

it('tells what has its turn at the moment, and since when', () => {
  const board = new WorkStatusBuffer();
  const entry = board.post(work(1))!;
  expect(board.read()[0]!.turnBeganAtMs).toBeNull();
  entry.turn(1234);
  expect(board.read()[0]!.turnBeganAtMs).toBe(1234);
  entry.turn(null);
  expect(board.read()[0]!.turnBeganAtMs).toBeNull();
});

it('shows how far something is, and forgets it with the work', () => {
  const board = new WorkStatusBuffer();
  const entry = board.post(work(1))!;
  entry.show({ phase: 'Copying', done: 3e9, total: 4e9, unit: 'bytes' });
  expect(board.read()[0]!.progress).toEqual({ phase: 'Copying', done: 3e9, total: 4e9, unit: 'bytes' });
  entry.show({ phase: 'Checking', done: 1, total: null, unit: 'steps' });
  expect(board.read()[0]!.progress).toEqual({ phase: 'Checking', done: 1, total: null, unit: 'steps' });
  entry.clear();
  board.post(work(2));
  expect(board.read()[0]!.progress).toBeNull();
});

it('two stops at once reach two works, and a third is left alone', () => {
  const board = new WorkStatusBuffer();
  const entries = [1, 2, 3].map((id) => board.post(work(id))!);
  expect([board.stop(1), board.stop(3), board.stop(9)]).toEqual([true, true, false]);
  expect(entries.map(({ stopRequested }) => stopRequested)).toEqual([true, false, true]);
});

it('a stop that comes late does not stop what has the slot now', () => {
  const board = new WorkStatusBuffer();
  const entry = board.post(work(1))!;
  board.stop(1);
  entry.clear();
  expect(board.post(work(2))!.stopRequested).toBe(false);
});

it('does without a slot when all are taken', () => {
  const board = new WorkStatusBuffer();
  let posted = 0;
  while (board.post(work(posted + 1))) posted++;
  expect(posted).toBeGreaterThanOrEqual(64);
  expect(board.read()).toHaveLength(posted);
});

it('names as long as can be leave room for the title', () => {
  const board = new WorkStatusBuffer();
  const long = 'x'.repeat(5000);
  const rowsOf = rowsKey('file:0123', long);
  board.post(work(1, { windowId: long, windowTitle: long, databaseName: long, rowsOf, title: 'SELECT\0 1' }));
  expect(board.read()[0]).toMatchObject({ title: 'SELECT  1', rowsOf });
});
