// A database before each step of its history: the whole copy, and the schema alone, whatever was done since.
import { expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { createRandom } from '#shared/random.ts';
import type { StepId } from '#shared/protocol/history.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { scratchFiles } from '../native/transfer-files.ts';
import { copyNear, schemaBefore, undoRemaining } from '../schema-compare/earlier-version.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import { endlessTurn } from '../schema-change/engines.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { Scratch } from '../transfer/scratch.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks, lab, libraryDisk } from './history-disks.test-suite.ts';
import type { HistoryDisk } from './history-disks.test-suite.ts';

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a, b TEXT UNIQUE, g AS (a || '!') STORED);
  CREATE TABLE w (k TEXT, l INTEGER, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE f USING fts5 (text);
  CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO w VALUES (new.id, abs(random()), old.a); END;
  INSERT INTO t (a, b) VALUES (1, 'p'), ('two', 'q'), (NULL, NULL);
  INSERT INTO w VALUES ('a', 1, 'first');`;

const STEPS = [
  "INSERT INTO t (a) VALUES (x'00ff')",
  'UPDATE t SET a = id * 1.5',
  'DELETE FROM t WHERE id % 2',
  'UPDATE t SET id = id + 10',
  "INSERT OR REPLACE INTO w VALUES ('a', 1, 9007199254740993)",
  'DELETE FROM w',
  "INSERT INTO f VALUES ('some words')",
  'DELETE FROM f WHERE rowid = 1',
  'CREATE TABLE IF NOT EXISTS extra (v)',
  'DROP TABLE IF EXISTS extra',
  'PRAGMA user_version = 5',
];
const SEEDS = seeds(12);
const native = await createNativeEngine();

async function scratchOn(disk: HistoryDisk): Promise<Scratch> {
  if (disk !== libraryDisk) return scratchFiles(native).make();
  const file = '/scratch.sqlite3';
  return {
    file,
    createWriter: (name) => lab.pool.createWriter(name),
    open: (options) => lab.engine.open(file, options),
    remove: () => lab.pool.remove(file),
  };
}

async function dumpBefore({ history, connection, on }: HistoryFixture, step: StepId): Promise<string> {
  const scratch = await scratchOn(on);
  let copy: Connection | null = null;
  try {
    const copying = copyNear(history, step, endlessTurn(connection), scratch);
    let copied = copying.next();
    while (!copied.done) copied = copying.next();
    copy = scratch.open({ durability: 'balanced' });
    for (const _taken of undoRemaining(copy, copied.value));
    expect(copy.one('PRAGMA integrity_check')).toEqual(['ok']);
    return dumpDatabase(copy);
  } finally {
    copy?.close();
    scratch.remove();
  }
}

test.each(disks)('every version comes back whole, $name', async (disk) => {
  let versions = 0;
  for (const seed of SEEDS) {
    const random = createRandom(seed);
    const fixture = new HistoryFixture(SCHEMA, disk);
    const before = new Map<StepId, { readonly dump: string; readonly schema: unknown }>();
    for (let round = random.between(3, 9); round > 0; round--) {
      const was = { dump: fixture.dump, schema: readSchemaText(fixture.connection) };
      const known = fixture.history.past.position.at;
      await fixture.run(random.pick(STEPS));
      const { at } = fixture.history.past.position;
      if (at !== known) before.set(at, was);
      if (random.between(0, 5) === 0) fixture.reopen();
    }
    // Steps that were undone are versions ahead.
    for (let round = random.between(0, 3); round > 0 && fixture.state.undo; round--) await fixture.undo();
    const now = fixture.dump;
    for (const [step, { dump, schema }] of before) {
      expect(await dumpBefore(fixture, step), `seed ${seed}, step ${step}`).toBe(dump);
      expect(schemaBefore(fixture.history, step, fixture.connection)).toEqual(schema);
      versions++;
    }
    expect(fixture.dump).toBe(now);
    fixture.close();
  }
  expect(versions).toBeGreaterThan(SEEDS.length);
});

test.each(disks)('a version beyond a change that was not recorded is refused with the reason, $name', async (disk) => {
  const fixture = new HistoryFixture(SCHEMA, disk);
  await fixture.run('UPDATE t SET a = 7');
  const step = fixture.history.past.position.at;
  fixture.close();
  const other = disk.connect('full');
  other.run('UPDATE t SET a = 8');
  other.checkpoint();
  other.close();
  fixture.open();
  await expect(dumpBefore(fixture, step)).rejects.toThrow('was not recorded');
  await expect(dumpBefore(fixture, 999)).rejects.toThrow('no longer in the history');
  fixture.close();
});
