// Whatever a server sends, there is a sentence, the token goes nowhere else, and nothing hangs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { Connection, Engine } from '../engine.ts';
import { answering, startHostileServer } from './hostile-server.test-suite.ts';
import type { HostileServer } from './hostile-server.test-suite.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import { createRemoteEngine } from './remote-engine.ts';
import { SchemaCopy } from './schema/schema-copy.ts';
import { readStatement } from '../native/statements/statement-shape.ts';
import { loadBetterSqlite } from '../native/runtime/load.ts';
import { thrownBy } from '../thrown-by.test-suite.ts';

const json = (text: string): string =>
  `reply.writeHead(200, { 'content-type': 'application/json' }); reply.end(${JSON.stringify(text)});`;

let server: HostileServer;
let other: HostileServer;
let engine: Engine;
beforeAll(async () => {
  [server, other] = await Promise.all([startHostileServer(), startHostileServer()]);
  const reach = () => ({ url: server.url, token: 'secret', readOnly: false });
  engine = await createRemoteEngine(reach, { startNetwork });
});
afterAll(async () => {
  await server.end();
  await other.end();
});

const open = (): Connection => engine.open('x', { durability: 'full' });

describe('a hostile server', () => {
  const REFUSED: readonly (readonly [name: string, how: string, code: string, sentence: RegExp])[] = [
    [
      'a web page',
      `reply.writeHead(200, { 'content-type': 'text/html' }); reply.end('<html>');`,
      'unavailable',
      /web page/,
    ],
    ['no JSON', json('{"baton":'), 'unavailable', /could not be understood/],
    ['null', json('null'), 'unavailable', /could not be understood/],
    ['wrong types', json('{"baton":7,"results":{}}'), 'unavailable', /could not be understood/],
    ['too few results', json('{"baton":null,"results":[]}'), 'unavailable', /another number of requests/],
    ['an array for an object', json('[]'), 'unavailable', /could not be understood/],
    ['JSON of a hundred thousand levels', json('['.repeat(100_000)), 'unavailable', /could not be understood/],
    ['nothing', 'reply.destroy();', 'unavailable', /ended the connection|cannot be reached/],
    [
      'a reply that is cut off',
      `reply.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 }); reply.write('{'); setTimeout(() => reply.destroy(), 20);`,
      'unavailable',
      /\./,
    ],
    [
      'an endless reply',
      `reply.writeHead(200, { 'content-type': 'application/json' }); const piece = Buffer.alloc(1 << 20, 32); const more = () => { while (reply.write(piece)); reply.once('drain', more); }; more();`,
      'too-big',
      /longer than 64 MB/,
    ],
    ['401', `reply.writeHead(401); reply.end();`, 'refused', /token/],
    ['403', `reply.writeHead(403); reply.end('{"error":"no"}');`, 'refused', /token does not allow/],
    ['404', `reply.writeHead(404); reply.end();`, 'not-found', /no libSQL database/],
    [
      '413',
      `reply.writeHead(413); reply.end();`,
      'refused',
      /does not accept a request of .* MB\. Nothing was changed\./,
    ],
    [
      '500 with a page',
      `reply.writeHead(500, { 'content-type': 'text/html' }); reply.end('<html>'.repeat(9999));`,
      'unavailable',
      /an internal error\./,
    ],
    [
      '502',
      `reply.writeHead(502); reply.end('bad gateway');`,
      'unavailable',
      /not available at the moment \(HTTP 502\)/,
    ],
    ['a status of 204', `reply.writeHead(204); reply.end();`, 'unavailable', /\./],
  ];
  it.each(REFUSED)('is refused with a sentence when it sends %s', async (_name, how, code, sentence) => {
    await server.behave(how);
    const error = thrownBy(open);
    expect([error.code, sentence.test(error.message)]).toEqual([code, true]);
    expect(error.message).toMatch(/^[A-Z“].*[.]$/s);
    expect(error.message.length).toBeLessThan(600);
    expect(error.message).not.toContain('secret');
  });

  it.each([301, 302, 303, 307, 308])('does not get the token to another address by a redirect (%i)', async (status) => {
    await server.behave(`reply.writeHead(${status}, { location: ${JSON.stringify(other.url)} }); reply.end();`);
    expect(thrownBy(open)).toMatchObject({ code: 'refused', detail: { kind: 'redirect' } });
    expect(await other.seen()).toEqual([]);
  });

  it('does not get the token to another address by base_url', async () => {
    await server.behave(
      answering('[]')
        .replace('base_url: null', `base_url: ${JSON.stringify(other.url)}`)
        .replace('baton: null', `baton: 'b'`),
    );
    expect(thrownBy(open)).toMatchObject({ code: 'refused', detail: { kind: 'redirect' } });
    expect(await other.seen()).toEqual([]);
  });

  const CELLS: readonly (readonly [name: string, cells: string])[] = [
    ['a cell that is none', '[[7]]'],
    ['a cell of an unknown type', '[[{"type":"object","value":{}}]]'],
    ['a type of __proto__', '[[{"type":"__proto__","value":"x"}]]'],
    ['an integer that is none', '[[{"type":"integer","value":"1e5"}]]'],
    ['an integer of more than 64 bits', '[[{"type":"integer","value":"9223372036854775808"}]]'],
    ['an integer as a number', '[[{"type":"integer","value":5}]]'],
    ['an endless integer', `[[{"type":"integer","value":"${'9'.repeat(5000)}"}]]`],
    ['a text that is a number', '[[{"type":"text","value":5}]]'],
    ['a blob that is null', '[[{"type":"blob","base64":null}]]'],
    ['a row of too few cells', '[[]]'],
    ['a row that is none', '[5]'],
  ];
  it.each(CELLS)('is refused when it sends %s', async (_name, cells) => {
    await server.behave(answering(cells));
    const connection = open();
    expect(thrownBy(() => connection.all('SELECT 1 AS a')).code).toBe('unavailable');
    // The connection remains usable.
    await server.behave(answering('[[{"type":"integer","value":"5"}]]'));
    expect(connection.all('SELECT 1 AS a')).toEqual([[5]]);
    connection.close();
  });

  it('is left at once when someone presses Stop, and the connection goes on', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    connection.prepare('SELECT 1 AS a').finalize();
    await server.behave('');
    const beganMs = performance.now();
    let looks = 0;
    connection.onProgress(() => ++looks > 3);
    expect(thrownBy(() => connection.all('SELECT 1 AS a')).code).toBe('stopped');
    // A request that is not stopped would wait for a minute.
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    connection.onProgress(null);
    await server.behave(answering('[[{"type":"text","value":"__proto__"}]]'));
    expect(connection.all('SELECT 1 AS a')).toEqual([['__proto__']]);
    connection.close();
  });

  it('does not fill the memory with rows that it sends without end', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    const error = `{ message: 'too large', code: 'RESPONSE_TOO_LARGE' }`;
    await server.behave(
      `if (!request.url.endsWith('cursor')) { ${answering('[]').replace('reply.end(', `for (const { response: { result } } of results) if (result && body.includes('endless')) { result.step_errors[0] = ${error}; result.step_results[0] = null; } reply.end(`)} return; }
      reply.writeHead(200, { 'content-type': 'application/json' });
      reply.write('{"baton":null,"base_url":null}\\n{"type":"step_begin","step":0,"cols":[{"name":"a","decltype":null}]}\\n');
      const piece = '{"type":"row","row":[{"type":"text","value":"' + 'x'.repeat(1000) + '"}]}\\n';
      const more = () => { while (reply.write(piece.repeat(1000))); reply.once('drain', more); }; more();`,
    );
    expect(thrownBy(() => connection.all('SELECT 1 AS endless LIMIT 1'))).toMatchObject({
      code: 'too-big',
      message: 'The response is longer than 64 MB. Nothing was read. Read fewer rows at a time.',
    });
    await server.behave(answering('[[{"type":"integer","value":"5"}]]'));
    expect(connection.all('SELECT 1 AS a')).toEqual([[5]]);
    connection.close();
  });

  it('that takes no request of this size has changed nothing, and an open transaction is lost', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    connection.prepare('SELECT 1 AS a').finalize();
    const tooLarge = `reply.writeHead(413, { 'content-type': 'text/html' }); reply.end('<html>');`;
    const write = { sql: 'SELECT ? AS a', params: ['x'.repeat(2_500_000)] };
    await server.behave(tooLarge);
    expect(thrownBy(() => connection.writeTogether!([{ write, now: null, after: null }]))).toMatchObject({
      code: 'refused',
      message:
        'The server, or a proxy in front of it, does not accept a request of 2.5 MB. Nothing was changed. Change fewer rows at a time; new rows can also be imported, which sends them in parts.',
    });
    connection.run('BEGIN');
    expect(thrownBy(() => connection.all(write.sql, write.params))).toMatchObject({
      code: 'refused',
      message:
        'The server, or a proxy in front of it, does not accept a request of 2.5 MB. The open transaction was lost, and none of it was saved.',
    });
    expect(connection.autocommit).toBe(true);
    connection.close();
  });

  it('is not believed when it answers fewer statements than it was sent, and its change counts as unknown', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    const write = connection.prepare('CREATE TABLE t(a)');
    await server.behave(
      answering('[]').replace(
        'reply.end(',
        'for (const { response: { result } } of results) if (result?.step_results.length > 1) result.step_results = result.step_errors = [null]; reply.end(',
      ),
    );
    const failure = thrownBy(() => {
      while (write.step());
    });
    expect(failure.message).toMatch(/^It is unknown whether this was saved\. .*could not be understood/);
    expect(failure.detail).toEqual({ kind: 'unknown-outcome' });
    connection.close();
  });

  it.each([
    [
      'a refusal',
      `reply.writeHead(500, { 'content-type': 'text/plain' }); reply.end('You sent ' + request.headers.authorization);`,
    ],
    [
      'an error',
      `reply.writeHead(400, { 'content-type': 'application/json' }); reply.end(JSON.stringify({ error: { message: request.headers.authorization, code: 'X' } }));`,
    ],
    [
      'a reply',
      `reply.writeHead(200, { 'content-type': 'application/json' }); reply.end(JSON.stringify({ results: JSON.parse(body).requests.map(() => ({ type: 'error', error: { message: 'no ' + request.headers.authorization } })) }));`,
    ],
  ])('that repeats the token in %s does not bring it into a message', async (_name, how) => {
    await server.behave(how);
    const failure = thrownBy(open);
    expect(failure.message).toContain('Bearer …');
    expect(JSON.stringify(toErrorData(failure))).not.toContain('secret');
  });

  it('is given up soon by what nobody asked for, however slowly it answers', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    await server.behave(`reply.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => reply.write(' '), 20); setTimeout(() => reply.end(), 25000); request.socket.on('close', () => clearInterval(drip));`);
    const beganMs = performance.now();
    expect(thrownBy(() => connection.dataVersion).message).toMatch(/not responded/);
    expect(performance.now() - beganMs).toBeLessThan(20_000);
    connection.close();
  });

  it('keeps its version of the protocol when a proxy does not find it for a moment', async () => {
    await server.behave(answering('[]'));
    const connection = open();
    await server.behave(`reply.writeHead(404); reply.end();`);
    expect(thrownBy(() => connection.all('SELECT 1 AS a')).code).toBe('not-found');
    await server.behave(answering('[]'));
    const before = (await server.seen()).length;
    connection.all('SELECT 1 AS a');
    expect((await server.seen()).slice(before).filter((each) => !each.startsWith('/v3/'))).toEqual([]);
    connection.close();
  });

  it('cannot do harm through its schema', async () => {
    const Database = await loadBetterSqlite();
    const endless = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n)';
    const row = (type: string, name: string, sql: string) => ({ type, name, table: name, sql });
    const copy = new SchemaCopy(Database, [
      row('table', 't', `CREATE TABLE t AS SELECT * FROM ${endless}`),
      row('table', 'u', 'CREATE TABLE v(a)'),
      row('table', 'x', 'DROP TABLE good'),
      row('table', 'y', "ATTACH '/tmp/other' AS y"),
      row('table', '__proto__', 'CREATE TABLE __proto__(a, "constructor")'),
      row('table', 'two', 'CREATE TABLE two(a); CREATE TABLE three(a)'),
      row('view', 'w', `CREATE VIEW w AS SELECT * FROM ${endless}`),
      row('table', 'good', `CREATE TABLE good(a, b AS (a + 1))`),
    ]);
    expect(copy.isComplete).toBe(false);
    const names = ['good', 't', 'v', 'two', 'three', '__proto__'].filter((name) => {
      try {
        copy.understand(`SELECT * FROM ${name}`, readStatement(`SELECT * FROM ${name}`)!);
        return true;
      } catch {
        return false;
      }
    });
    expect(names).toEqual(['good', '__proto__']);
    copy.close();
  });
});
