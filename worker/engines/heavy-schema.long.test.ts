// Random chains and unions of views: what is not refused is prepared in time, natively.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { randomChain, randomUnions } from './heavy-chains.test-suite.ts';
import { findHeavy } from './heavy-schema.ts';
import type { SchemaRow } from './heavy-schema.ts';

/** Prepares what it is told; a text that never comes back ends with the process. */
const PREPARER = `
  const Database = require('better-sqlite3');
  process.on('message', ({ schema, sql }) => {
    const database = new Database(':memory:');
    let error = null;
    for (const statement of schema) database.exec(statement);
    const since = process.cpuUsage();
    try { database.prepare(sql); } catch (thrown) { error = thrown.message; }
    const { user, system } = process.cpuUsage(since);
    database.close();
    process.send({ ms: (user + system) / 1000, error });
  });`;

interface Prepared {
  readonly ms: number;
  readonly error: string | null;
}

let preparer: ChildProcess | null = null;
afterAll(() => void preparer?.kill());

function prepared(schema: readonly string[], sql: string): Promise<Prepared> {
  preparer ??= spawn(process.execPath, ['-e', PREPARER], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const child = preparer;
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => {
      child.kill('SIGKILL');
      preparer = null;
      resolve({ ms: Infinity, error: null });
    }, 30_000);
    child.once('message', (message) => {
      clearTimeout(giveUp);
      resolve(message as Prepared);
    });
    child.send({ schema, sql });
  });
}

const rowOf = (sql: string): SchemaRow => [
  sql.startsWith('CREATE VIEW') ? 'view' : 'table',
  /^CREATE \w+ (\w+)/.exec(sql)![1]!,
  sql,
];

test.each([
  ['chains', randomChain, 400],
  ['unions', randomUnions, 150],
] as const)(
  'of %s, the heaviest view that is not refused is prepared within two seconds',
  { timeout: 1_800_000 },
  async (_, make, count) => {
    const slow: string[] = [];
    let [refused, slowest, valid] = [0, 0, 0];
    for (const seed of seeds(400)) {
      const schema = make(seed);
      const { relations } = findHeavy(schema.map(rowOf));
      refused += relations.size > 0 ? 1 : 0;
      // The highest ones read from all others.
      const views = schema.flatMap((sql) => /^CREATE VIEW (v\d+)/.exec(sql)?.[1] ?? []);
      const name = views.filter((each) => !relations.has(each)).at(-1);
      if (name === undefined) continue;
      const { ms, error } = await prepared(schema, `SELECT * FROM ${name}`);
      if (error === null) valid++;
      slowest = Math.max(slowest, ms);
      if (ms > 2000) slow.push(`seed ${seed}: ${name} took ${ms} ms`);
    }
    console.log(`${refused} refused, ${valid} prepared, the slowest in ${slowest} ms`);
    expect(slow).toEqual([]);
    expect(refused).toBeGreaterThan(count / 20);
    expect(valid).toBeGreaterThan(count / 2);
  },
);
