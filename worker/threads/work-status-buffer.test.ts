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
  const workStatus = new WorkStatusBuffer();
  const entry = workStatus.post(work(1))!;
  entry.waitFor('sqlite3, process 7');
  expect(workStatus.read()[0]).toMatchObject({ title: 'work 1', waitingFor: 'sqlite3, process 7' });
  entry.waitFor(null);
  expect(workStatus.read()[0]!.waitingFor).toBeNull();
  entry.waitFor('sqlite3, process 7');
  entry.clear();
  workStatus.post(work(2));
  expect(workStatus.read()[0]!.waitingFor).toBeNull();
});

it('tells what has its turn at the moment, and since when', () => {
  const workStatus = new WorkStatusBuffer();
  const entry = workStatus.post(work(1))!;
  expect(workStatus.read()[0]!.turnBeganAtMs).toBeNull();
  entry.turn(1234);
  expect(workStatus.read()[0]!.turnBeganAtMs).toBe(1234);
  entry.turn(null);
  expect(workStatus.read()[0]!.turnBeganAtMs).toBeNull();
});

it('shows how far something is, and forgets it with the work', () => {
  const workStatus = new WorkStatusBuffer();
  const entry = workStatus.post(work(1))!;
  entry.show({ phase: 'Copying', done: 3e9, total: 4e9, unit: 'bytes' });
  expect(workStatus.read()[0]!.progress).toEqual({ phase: 'Copying', done: 3e9, total: 4e9, unit: 'bytes' });
  entry.show({ phase: 'Checking', done: 1, total: null, unit: 'steps' });
  expect(workStatus.read()[0]!.progress).toEqual({ phase: 'Checking', done: 1, total: null, unit: 'steps' });
  entry.clear();
  workStatus.post(work(2));
  expect(workStatus.read()[0]!.progress).toBeNull();
});

it('two stops at once reach two works, and a third is left alone', () => {
  const workStatus = new WorkStatusBuffer();
  const entries = [1, 2, 3].map((id) => workStatus.post(work(id))!);
  expect([workStatus.stop(1), workStatus.stop(3), workStatus.stop(9)]).toEqual([true, true, false]);
  expect(entries.map(({ stopRequested }) => stopRequested)).toEqual([true, false, true]);
});

it('a stop that comes late does not stop what has the slot now', () => {
  const workStatus = new WorkStatusBuffer();
  const entry = workStatus.post(work(1))!;
  workStatus.stop(1);
  entry.clear();
  expect(workStatus.post(work(2))!.stopRequested).toBe(false);
});

it('does without a slot when all are taken', () => {
  const workStatus = new WorkStatusBuffer();
  let posted = 0;
  while (workStatus.post(work(posted + 1))) posted++;
  expect(posted).toBeGreaterThanOrEqual(64);
  expect(workStatus.read()).toHaveLength(posted);
});

it('names as long as can be leave room for the title', () => {
  const workStatus = new WorkStatusBuffer();
  const long = 'x'.repeat(5000);
  const rowsOf = rowsKey('file:0123', long);
  workStatus.post(work(1, { windowId: long, windowTitle: long, databaseName: long, rowsOf, title: 'SELECT\0 1' }));
  expect(workStatus.read()[0]).toMatchObject({ title: 'SELECT  1', rowsOf });
});
