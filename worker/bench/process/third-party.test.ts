// The engines of Node, all driven alike: the same work, the same rows, the same checksums.
import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILES } from '#shared/bench/profile.ts';
import { Sink } from '#shared/bench/sink.ts';
import { createRandom } from '#shared/random.ts';
import type { Step } from '../program.ts';
import { rtt } from '../suites/rtt.ts';
import { PROCESS_DRIVERS } from './in-process.ts';

const root = mkdtempSync(join(tmpdir(), 'sidelite-bench-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ENGINES: readonly EngineId[] = [
  'native-balanced',
  'native-memory',
  'node-sqlite-memory',
  'node-sqlite-full',
  'node-sqlite-balanced',
  'libsql',
  'turso',
];

const JOURNALS = ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'] as const;

test.each(ENGINES)('%s does what better-sqlite3 does', async (id) => {
  expect(await outcome(id)).toEqual(await outcome('native-full'));
});

test.each(['native-balanced', 'native-memory'] as const)('%s gets every journal that is asked for', async (id) => {
  const engine = engineOf(id)!;
  const driver = await (await PROCESS_DRIVERS[engine.driver]!()).startDriver(engine, { directory: join(root, id) });
  const journals = engine.storage === 'memory' ? (['memory', 'off'] as const) : JOURNALS;
  for (const journal_mode of journals) {
    const database = await driver.create('test.db', { ...PROFILES[engine.profile!], journal_mode });
    expect((await database.pragmas()).journal_mode).toBe(journal_mode);
    await database.close();
  }
  await driver.end();
});

/** Not a dependency, so most installations do not have it. */
const hasSqlite3 = existsSync(
  join(import.meta.dirname, '../../../node_modules/sqlite3/build/Release/node_sqlite3.node'),
);

test.skipIf(!hasSqlite3)('sqlite3, which was added, does what better-sqlite3 does', async () => {
  expect(await outcome('sqlite3')).toEqual(await outcome('native-full'));
});

test.skipIf(hasSqlite3)('sqlite3 is not installed, which says why, and which command adds it', async () => {
  await expect(outcome('sqlite3')).rejects.toThrow(/no engine in its package.* run “npm run add-engine -- sqlite3”/);
});

async function outcome(id: EngineId) {
  const engine = engineOf(id)!;
  const directory = join(root, id);
  const driver = await (await PROCESS_DRIVERS[engine.driver]!()).startDriver(engine, { directory });
  expect(driver.facts.version).toMatch(/^3\.\d+/);
  const found: string[] = [];
  for (const each of rtt.tests.slice(0, 8)) {
    const database = await driver.create('test.db', PROFILES[engine.profile ?? 'balanced']);
    const program = each.program({ size: 20, random: createRandom(3), engine });
    const sink = new Sink(true);
    const perform = async (steps: readonly Step[]) => {
      for (const step of steps) if (step.do !== 'reopen') await database.perform(step, { sink, laps: null });
    };
    await perform([...program.prepare, ...program.timed, ...program.check]);
    found.push(`${each.id} ${sink.rows} ${sink.checksum}`);
    await database.close();
    await driver.remove('test.db');
  }
  await driver.end();
  expect(existsSync(directory)).toBe(false);
  return found;
}
