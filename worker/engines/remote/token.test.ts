// Tokens that the real server does not accept: what was not done, what to do about it, and that another token lets the connection continue.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tokenProblemOf } from '#shared/protocol/remote.ts';
import { ensureSqld } from '../../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../../build/sqld/start-sqld.ts';
import type { RunningSqld } from '../../../build/sqld/start-sqld.ts';
import { makeTokens } from '../../../build/sqld/test-tokens.ts';
import type { Connection, Engine } from '../engine.ts';
import { isForReading, tokenState } from './hrana/token.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import { createRemoteEngine } from './remote-engine.ts';
import { thrownBy } from '../thrown-by.test-suite.ts';

const sqld = await ensureSqld();
const tokens = makeTokens();
const [full, reading] = [tokens.token({ access: 'rw' }), tokens.token({ access: 'ro' })];
const expired = tokens.token({ access: 'rw', expiresInS: -1 });

let server: RunningSqld;
let token: string | null;
let engine: Engine;
beforeAll(async () => {
  if ('why' in sqld) return;
  server = await startSqld({ program: sqld.program, args: tokens.args });
  engine = await createRemoteEngine(() => ({ url: server.url, token, readOnly: false }), { startNetwork });
  token = full;
  const connection = open();
  connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  connection.run("INSERT INTO t VALUES (1, 'one')");
  connection.close();
}, 120_000);
afterAll(async () => {
  tokens.remove();
  if (!('why' in sqld)) await server.remove();
});
beforeEach(() => {
  token = full;
});

const open = (): Connection => engine.open('x', { durability: 'full' });

it.skipIf('why' in sqld).each([
  ['none', null, 'missing', /^The server requires a token\. Nothing was changed\./],
  ['an expired one', expired, 'expired', /^The token has expired\. Nothing was changed\./],
  ['one of another server', `${full.slice(0, -8)}AAAAAAAA`, 'rejected', /^The server does not accept the token\./],
  ['something else', 'abc', 'rejected', /^The server does not accept the token\./],
])('with %s a database is not opened, and the sentence says why', (_name, given, problem, sentence) => {
  token = given;
  const failure = thrownBy(open);
  expect(failure.code).toBe('refused');
  expect(failure.message).toMatch(sentence);
  expect(failure.message).toMatch(/Edit the connection to enter /);
  expect(tokenProblemOf(failure)).toBe(problem);
});

it.skipIf('why' in sqld)(
  'a token that expires while a database is open loses no edit and claims none, and a new one goes on',
  () => {
    const connection = open();
    token = expired;
    for (const body of [
      () => connection.run("UPDATE t SET a = 'two' WHERE id = 1"),
      () => connection.all('SELECT * FROM t'),
      () => connection.writeTogether!([{ write: { sql: "UPDATE t SET a = 'two' WHERE id = 1", params: [] } } as never]),
    ]) {
      const failure = thrownBy(body);
      expect(failure.message).toMatch(/^The token has expired\. Nothing was changed\./);
      expect(tokenProblemOf(failure)).toBe('expired');
    }
    token = full;
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 'one']]);
    connection.run("UPDATE t SET a = 'two' WHERE id = 1");
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 'two']]);
    connection.run("UPDATE t SET a = 'one' WHERE id = 1");
    connection.close();
  },
);

it.skipIf('why' in sqld)('a token that expires inside a transaction loses it, and says so', () => {
  const connection = open();
  connection.run('BEGIN');
  connection.run("UPDATE t SET a = 'two' WHERE id = 1");
  token = expired;
  const failure = thrownBy(() => connection.run("UPDATE t SET a = 'three' WHERE id = 1"));
  expect(failure.message).toMatch(/^The token has expired\. The open transaction was lost, and none of it was saved\./);
  expect(tokenProblemOf(failure)).toBe('expired');
  expect(connection.autocommit).toBe(true);
  token = full;
  expect(connection.all('SELECT * FROM t')).toEqual([[1, 'one']]);
  connection.close();
});

it.skipIf('why' in sqld)('a token for reading reads, and a change says that it may be one', () => {
  token = reading;
  const connection = open();
  expect(connection.all('SELECT * FROM t')).toEqual([[1, 'one']]);
  for (const name of ['journal_mode', 'page_size', 'user_version', 'foreign_keys', 'application_id', 'synchronous'])
    expect(connection.one(`PRAGMA ${name}`)).toHaveLength(1);
  expect(connection.one('PRAGMA integrity_check')).toEqual(['ok']);
  expect(connection.all('PRAGMA foreign_key_check')).toEqual([]);
  expect(connection.one('PRAGMA table_info(t)')?.[1]).toBe('id');
  for (const sql of ["UPDATE t SET a = 'two'", 'DELETE FROM t', 'CREATE TABLE u(a)', 'PRAGMA user_version = 7']) {
    const failure = thrownBy(() => connection.run(sql));
    expect(failure.message).toMatch(
      /^The token does not allow this\. It may be for reading only\. Nothing was changed\./,
    );
    expect([failure.code, tokenProblemOf(failure)]).toEqual(['refused', 'forbids']);
  }
  connection.run('BEGIN');
  const failure = thrownBy(() => connection.run('DELETE FROM t'));
  expect(failure.message).toMatch(
    /It may be for reading only\. The open transaction was lost, and none of it was saved\./,
  );
  expect(connection.all('SELECT * FROM t')).toEqual([[1, 'one']]);
  connection.close();
});

it.skipIf('why' in sqld)('a token goes only to the address that its connection was opened with', async () => {
  let url = server.url;
  const moving = await createRemoteEngine(() => ({ url, token: full, readOnly: false }), { startNetwork });
  const connection = moving.open('x', { durability: 'full' });
  url = 'https://db.example.com';
  expect(tokenProblemOf(thrownBy(() => connection.all('SELECT * FROM t')))).toBe('missing');
  connection.close();
});

it('what a token says of itself is read only where it says it', () => {
  const of = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  expect(tokenState(null)).toBe('missing');
  expect([999, 1000].map((exp) => tokenState(of({ exp }), 1_000_000))).toEqual(['expired', 'expired']);
  expect(tokenState(of({ exp: 1001 }), 1_000_000)).toBe('present');
  for (const odd of [
    '',
    '.',
    '..',
    'a.b.c',
    'a.e30',
    of(null),
    of([]),
    of({ exp: 'x' }),
    of({ a: 7 }),
    '\u{1F600}.e30.x',
  ])
    expect([tokenState(odd), isForReading(odd)]).toEqual(['present', false]);
  expect([isForReading(reading), isForReading(full), isForReading(null)]).toEqual([true, false, false]);
});
