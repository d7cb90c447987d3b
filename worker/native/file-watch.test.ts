import { mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { scratchPrefix } from '#shared/scratch-names.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import type { StillFile } from '../library/export.ts';
import { createClock } from '../sessions/clock.ts';
import { FileWatch } from './file-watch.ts';
import { holdForCopy } from './hold-for-copy.ts';
import { thisSystem } from './process-table.ts';

let folder: string;
let file: string;
/** Connection of another program: a second engine, which knows nothing of the first. */
let other: Connection;
let connection: Connection;
let watch: FileWatch;
const changed = vi.fn<(schema: boolean) => void>();
const held = vi.fn<(why: string | null) => void>();

async function open(mode: string): Promise<void> {
  other.one(`PRAGMA journal_mode = ${mode}`);
  connection = (await createNativeEngine()).open(file, { durability: 'balanced' });
  watch = new FileWatch(file, connection, createClock(), { changed, held });
  await expect.poll(() => held).toHaveBeenCalled();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-watch-'));
  file = join(folder, 'a.db');
  other = (await createNativeEngine()).open(file, { durability: 'balanced', create: true });
  other.run('CREATE TABLE t (a)');
  other.run('INSERT INTO t VALUES (1)');
});

afterEach(() => {
  watch.end();
  connection.close();
  other.close();
  rmSync(folder, { recursive: true, force: true });
  changed.mockReset();
  held.mockReset();
});

test.each(['wal', 'delete'])('tells rows from schema, and own commits from others (%s)', async (mode) => {
  await open(mode);
  connection.run('INSERT INTO t VALUES (2)');
  other.run('INSERT INTO t VALUES (3)');
  await expect.poll(() => changed).toHaveBeenCalled();
  expect(changed.mock.calls).toEqual([[false]]);
  other.run('CREATE TABLE u (a)');
  await expect.poll(() => changed).toHaveBeenLastCalledWith(true);
  changed.mockReset();
  connection.run('INSERT INTO t VALUES (4)');
  const looks = held.mock.calls.length;
  await expect.poll(() => held.mock.calls.length).toBeGreaterThan(looks + 2);
  expect(changed).not.toHaveBeenCalled();
});

test('a commit that is in the log before it counts is told when it does', async () => {
  await open('wal');
  watch.end();
  const version = connection.one('PRAGMA data_version');
  let isPending = true;
  const slow = new Proxy(connection, {
    get(target, name) {
      if (name === 'one')
        return (sql: string) => (isPending && sql === 'PRAGMA data_version' ? version : target.one(sql));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  watch = new FileWatch(file, slow, createClock(), { changed, held });
  other.run('INSERT INTO t VALUES (2)');
  const looks = held.mock.calls.length;
  await expect.poll(() => held.mock.calls.length).toBeGreaterThan(looks + 2);
  expect(changed).not.toHaveBeenCalled();
  isPending = false;
  await expect.poll(() => changed).toHaveBeenCalledWith(false);
});

test('a file that is gone, back, and replaced is told apart', async () => {
  await open('delete');
  renameSync(file, `${file}.away`);
  await expect.poll(() => held).toHaveBeenLastCalledWith(expect.stringContaining('moved or deleted'));
  writeFileSync(file, '');
  await expect.poll(() => held).toHaveBeenLastCalledWith(expect.stringContaining('replaced by another one'));
  renameSync(`${file}.away`, file);
  await expect.poll(() => held).toHaveBeenLastCalledWith(null);
});

test('a disk that does not answer is told from a file that is gone', async () => {
  await open('delete');
  renameSync(file, `${file}.away`);
  // Checking it fails with something else than “no such file”, as on a drive that was disconnected.
  symlinkSync(file, file);
  await expect.poll(() => held).toHaveBeenLastCalledWith(expect.stringContaining('does not respond'));
  rmSync(file);
  renameSync(`${file}.away`, file);
  await expect.poll(() => held).toHaveBeenLastCalledWith(null);
});

/** What an export reads of the file. */
function readyToCopy(from: Connection): StillFile {
  const steps = holdForCopy({ connection: from, stopRequested: false });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

test.each(['wal', 'delete'])('nobody writes to the file while it is held for a copy (%s)', async (mode) => {
  await open(mode);
  const file = readyToCopy(connection);
  expect(() => other.run('INSERT INTO t VALUES (5)')).toThrow(/using this file/);
  file.release();
  other.run('INSERT INTO t VALUES (5)');
  expect(connection.one('SELECT count(*) FROM t')).toEqual([2]);
});

test.each([true, false])(
  'what others have in the WAL is copied though nothing is written here, and they may write meanwhile (read-only: %s)',
  async (readOnly) => {
    await open('wal');
    other.run('INSERT INTO t VALUES (2)');
    const engine = await createNativeEngine();
    const reader = engine.open(file, { durability: 'balanced', readOnly });
    // As before the first edit of a file.
    reader.refuseWrites?.(true);
    const still = readyToCopy(reader);
    other.run('INSERT INTO t VALUES (3)');
    const copy = join(folder, 'copy.db');
    writeFileSync(copy, still.read(0, still.sizeBytes));
    still.release();
    const read = engine.open(copy, { durability: 'balanced' });
    expect(read.all('SELECT a FROM t')).toEqual([[1], [2]]);
    for (const each of [read, reader]) each.close();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(scratchPrefix(thisSystem())))).toEqual([]);
  },
);

test('a copy that ends in the middle leaves nothing, and a full disk is named', async () => {
  await open('wal');
  connection.refuseWrites?.(true);
  const scratch = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(scratchPrefix(thisSystem())));
  const copying = (copyPages: NonNullable<Connection['copyPages']>) => {
    const from = new Proxy(connection, {
      get: (target, name) => {
        const value: unknown = name === 'copyPages' ? copyPages : Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    return holdForCopy({ connection: from, stopRequested: false });
  };
  const closed = copying(function* (this: Connection, location) {
    yield;
    yield* connection.copyPages!(location);
  });
  expect([closed.next().value, scratch().length]).toEqual(['reading', 1]);
  closed.return(undefined as never);
  expect([connection.autocommit, scratch()]).toEqual([true, []]);

  let isFull = false;
  const full = copying(function* () {
    yield;
    if (isFull) throw new AppError({ code: 'full', message: 'The disk is full.' });
  });
  full.next();
  isFull = true;
  expect(() => full.next()).toThrow(`in the folder for temporary files, “${tmpdir()}”. Nothing was written.`);
  expect([connection.autocommit, scratch()]).toEqual([true, []]);
});
