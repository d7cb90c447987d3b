// A process that is killed while it changes a key: the file is whole, with its old or its new key, and the next attempt comes to its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '#shared/random.ts';
import { LONG, sampled, seeds } from '#shared/seed-count.test-suite.ts';
import type { DatabaseConstructor } from '../runtime/load.ts';
import { changeKey } from './change-key.ts';
import { ITERATIONS, passwordOf } from './changing-process.test-suite.ts';
import type { GivenPassword, Order } from './changing-process.test-suite.ts';
import { CIPHER_PRAGMAS } from './given-key.test-suite.ts';

const Ciphered = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
const PLAIN = 'a text that must not be found';
const MAKE = `CREATE TABLE t (id INTEGER PRIMARY KEY, a, b UNIQUE);
  INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i, '${PLAIN}', hex(randomblob(300)) FROM n;
  CREATE TABLE u (a); INSERT INTO u (rowid, a) VALUES (7, '${PLAIN}'); CREATE INDEX t_a ON t (a, id)`;

const sqlcipher = (secret: string): GivenPassword => ({ secret, cipher: 'sqlcipher4' });
const chacha = (secret: string): GivenPassword => ({ secret, cipher: 'chacha20' });
const CHANGES = {
  set: { from: null, to: sqlcipher('new'), mode: 'WAL' },
  changed: { from: sqlcipher('old'), to: sqlcipher('new'), mode: 'DELETE' },
  'with another cipher': { from: sqlcipher('old'), to: chacha('new'), mode: 'DELETE' },
  removed: { from: chacha('old'), to: null, mode: 'WAL' },
} as const;
type Name = keyof typeof CHANGES;
const NAMES = Object.keys(CHANGES) as readonly Name[];

let home: string;
let path: string;
let trials: string;
/** A run that nobody killed. */
const whole: Partial<Record<Name, { readonly steps: number; readonly ms: number }>> = {};

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'killed-'));
  for (const name of NAMES) {
    const { from, mode } = CHANGES[name];
    const db = open(join(home, `${name}.made`), from);
    db.exec(`PRAGMA journal_mode = ${mode}; ${MAKE}`);
    db.close();
    start(name);
    whole[name] = JSON.parse((await run(name, { killAt: null }))!) as { steps: number; ms: number };
    expect(readdirSync(join(home, 'files'))).toEqual(['file.db']);
  }
});

afterAll(() => rmSync(home, { recursive: true }));

function open(file: string, given: GivenPassword | null) {
  const db = new Ciphered(file, {});
  if (given === null) return db;
  for (const pragma of [...CIPHER_PRAGMAS[given.cipher], `kdf_iter = ${ITERATIONS}`]) db.exec(`PRAGMA ${pragma}`);
  db.key!(Buffer.from(given.secret));
  return db;
}

function start(name: Name): void {
  for (const each of ['files', 'trials']) {
    rmSync(join(home, each), { recursive: true, force: true });
    mkdirSync(join(home, each));
  }
  path = join(home, 'files', 'file.db');
  trials = join(home, 'trials');
  cpSync(join(home, `${name}.made`), path);
}

/** Null: it was killed. */
async function run(
  name: Name,
  {
    killAt = null,
    afterMs,
    withoutLinks = false,
  }: { killAt?: number | null; afterMs?: number; withoutLinks?: boolean },
): Promise<string | null> {
  const { from, to } = CHANGES[name];
  const order: Order = { path, from, to, folder: trials, killAt, withoutLinks };
  const script = join(import.meta.dirname, 'changing-process.test-suite.ts');
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(order)], {
    // Nothing of a plain text may get there either.
    env: { ...process.env, TMPDIR: trials, SQLITE_TMPDIR: trials },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'close');
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (errors += String(data)));
  if (afterMs !== undefined) {
    await once(child.stdout, 'data');
    await pause(afterMs);
    child.kill('SIGKILL');
  }
  const [code, signal] = (await exit) as [number | null, string | null];
  expect([code, signal, errors]).toEqual(signal === null ? [0, null, ''] : [null, 'SIGKILL', '']);
  return signal === null ? output.split('\n')[1]! : null;
}

const contentOf = (file: string, given: GivenPassword | null): unknown => {
  const db = open(file, given);
  try {
    const all = (sql: string): unknown => db.prepare(sql).raw(true).all();
    return [
      all('SELECT * FROM t'),
      all('SELECT rowid, a FROM u'),
      all('PRAGMA integrity_check'),
      all('PRAGMA journal_mode'),
      all('SELECT sql FROM sqlite_schema'),
    ];
  } finally {
    db.close();
  }
};

function opens(file: string, given: GivenPassword | null): boolean {
  try {
    const db = open(file, given);
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
      return true;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

/** Which key opens it. Nothing is lost, nothing is lying about in plain text, and another attempt does not trip over what was left. */
function expectWhole(name: Name): 'old' | 'new' {
  const { from, to } = CHANGES[name];
  const backup = `${path}.before-key-change`;
  for (const folder of [join(path, '..'), trials])
    for (const file of readdirSync(folder)) {
      const mayBePlain = to === null || (from === null && (file === 'file.db' || file === 'file.db.before-key-change'));
      if (!mayBePlain && readFileSync(join(folder, file)).includes(PLAIN)) expect(file).toBe('encrypted');
    }
  const before = contentOf(join(home, `${name}.made`), from);
  expect(existsSync(path)).toBe(true);
  const isOld = opens(path, from);
  const now = isOld ? from : to;
  expect(contentOf(path, now)).toEqual(before);
  const again = (): void => {
    const change = { path, from: passwordOf(now), to: passwordOf(sqlcipher('third')), folder: trials };
    for (const _ of changeKey(Ciphered, change));
  };
  // After the swap and before its proof the old file is there, and is explained.
  if (!isOld && existsSync(backup)) {
    expect(again).toThrow(
      expect.objectContaining({
        code: 'exists',
        message: expect.stringContaining('“file.db.before-key-change” is in the way') as unknown,
      }),
    );
    expect(contentOf(backup, from)).toEqual(before);
    rmSync(backup);
  }
  rmSync(trials, { recursive: true });
  mkdirSync(trials);
  again();
  expect(contentOf(path, sqlcipher('third'))).toEqual(before);
  expect(readdirSync(join(path, '..'))).toEqual(['file.db']);
  return isOld ? 'old' : 'new';
}

describe.each(NAMES)('a key is %s', (name) => {
  test('and the process is killed at its steps', async () => {
    const { steps } = whole[name]!;
    const seen = new Set<string>();
    for (const killAt of sampled(
      Array.from({ length: steps }, (_, index) => index),
      24,
    )) {
      start(name);
      expect(await run(name, { killAt })).toBeNull();
      seen.add(expectWhole(name));
    }
    // The last steps come after the swap.
    if (LONG) expect(seen).toEqual(new Set(['old', 'new']));
  });
});

test.each(seeds(100, 20))('it is killed at a random moment: seed %d', async (seed) => {
  const random = createRandom(seed);
  const name = random.pick(NAMES);
  start(name);
  await run(name, { afterMs: random.next() * whole[name]!.ms });
  expectWhole(name);
});

test('a disk without hard links: the old file is copied before it is replaced', async () => {
  const name = 'with another cipher';
  start(name);
  const { steps } = JSON.parse((await run(name, { withoutLinks: true }))!) as { steps: number };
  expect(readdirSync(join(home, 'files'))).toEqual(['file.db']);
  expect(steps).toBeGreaterThan(whole[name]!.steps);
  for (const killAt of sampled(
    Array.from({ length: steps - whole[name]!.steps + 12 }, (_, index) => steps - 1 - index),
    12,
  )) {
    start(name);
    expect(await run(name, { killAt, withoutLinks: true })).toBeNull();
    expectWhole(name);
  }
});
