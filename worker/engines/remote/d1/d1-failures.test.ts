// Requests to D1 that are refused, lost, or answered with something else.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { D1_TOKENS, startD1 } from '../../../../build/d1/d1-server.ts';
import type { D1Server } from '../../../../build/d1/d1-server.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import { startHostileServer } from '../hostile-server.test-suite.ts';
import type { HostileServer } from '../hostile-server.test-suite.ts';
import { startNetwork } from '../network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../remote-engine.ts';

const server = await startD1();

describe.skipIf('why' in server)('a request to D1', () => {
  const { url, end } = server as D1Server;
  let hostile: HostileServer;
  let engine: Awaited<ReturnType<typeof createRemoteEngine>>;
  let token: string | null = null;
  let made = 0;
  let address = '';
  beforeAll(async () => {
    hostile = await startHostileServer();
    engine = await createRemoteEngine(() => ({ url: address, token, readOnly: false }), { startNetwork });
  });
  afterAll(async () => {
    await hostile.end();
    await end();
  });
  beforeEach(() => {
    token = null;
    address = url(`f${++made}`);
  });
  const open = (): Connection => engine.open('x', { durability: 'full' });
  const failure = (body: () => unknown) => {
    try {
      body();
    } catch (error) {
      return toAppError(error);
    }
    throw new Error('It did not fail.');
  };

  it('with a token that is refused says so, and changes nothing', () => {
    for (const wrong of ['malformed', 'wrong']) {
      token = wrong;
      expect(failure(open)).toMatchObject({ code: 'refused', detail: { token: 'rejected' } });
    }
    token = D1_TOKENS.all;
    const connection = open();
    connection.run('CREATE TABLE t(a)');
    token = D1_TOKENS.read;
    expect(failure(() => connection.run('INSERT INTO t VALUES (1)'))).toMatchObject({
      code: 'refused',
      detail: { token: 'forbids' },
    });
    expect(connection.all('SELECT * FROM t')).toEqual([]);
    connection.close();
  });

  it('to a database that does not exist says so', () => {
    address = address.replace(/[^/]+$/, 'nowhere');
    expect(failure(open)).toMatchObject({ code: 'not-found', message: expect.stringContaining('no D1 database') });
  });

  const throughHostile = async (how: string): Promise<Connection> => {
    const target = address;
    const forward = `
      const onward = require('node:http').request(${JSON.stringify(target)} + '/raw', { method: 'POST', headers: { ...request.headers, 'accept-encoding': 'identity' } }, (got) => {
        const pieces = [];
        got.on('data', (piece) => pieces.push(piece));
        got.on('end', () => answer(got.statusCode, Buffer.concat(pieces)));
      });
      const isWrite = /UPDATE/.test(body);
      const pass = (status, bytes) => { reply.writeHead(status, { 'content-type': 'application/json' }); reply.end(bytes); };
      const answer = (status, bytes) => {
        if (!isWrite) return pass(status, bytes);
        ${how}
      };
      onward.end(body);`;
    address = `${hostile.url}client/v4/accounts/a/d1/database/b`;
    await hostile.behave(forward);
    const connection = open();
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, v)');
    connection.run('INSERT INTO t VALUES (1, 10)');
    return connection;
  };
  const edit = (connection: Connection) =>
    connection.writeTogether!([
      {
        write: { sql: 'UPDATE t SET v = 11 WHERE id = 1 AND v IS 10 RETURNING id', params: [] },
        now: null,
        after: { sql: 'SELECT 1 FROM t WHERE id = 1 AND v IS 11', params: [] },
      },
    ]);

  it('whose reply is lost is looked up, and the edit is found', async () => {
    for (const how of [
      'request.socket.destroy();',
      'pass(status, bytes.subarray(0, 20));',
      'pass(502, "Bad gateway");',
    ]) {
      address = url(`lost${++made}`);
      const connection = await throughHostile(how);
      expect(edit(connection)).toEqual({ kind: 'done', rows: [null], before: [null] });
      expect(connection.one('SELECT v FROM t')).toEqual([11]);
      connection.close();
    }
  });

  it('whose reply is lost, and whose edit is not found, is never called saved or lost', async () => {
    const connection = await throughHostile('request.socket.destroy();');
    const other = await createRemoteEngine(() => ({ url: url(`f${made}`), token, readOnly: false }), { startNetwork });
    other
      .open('y', { durability: 'full' })
      .run('CREATE TRIGGER g AFTER UPDATE ON t WHEN new.v = 11 BEGIN UPDATE t SET v = 12; END');
    expect(failure(() => edit(connection))).toMatchObject({ detail: { kind: 'unknown-outcome' } });
    expect(failure(() => connection.run('UPDATE t SET v = 5')).message).toMatch(/It is unknown whether this was saved/);
    connection.close();
  });

  it('that D1 ends with an error of its own leaves it unknown whether it was carried out', async () => {
    const lost = JSON.stringify({ success: false, errors: [{ code: 7500, message: 'Network connection lost.' }] });
    const connection = await throughHostile(`pass(400, ${JSON.stringify(lost)});`);
    expect(failure(() => connection.run('/* a note */ UPDATE t SET v = 5')).message).toMatch(
      /^It is unknown whether this was saved\. D1 reported an error of its own \(Network connection lost\)\./,
    );
    expect(connection.one('SELECT v FROM t')).toEqual([5]);
    connection.close();
  });

  const ANSWERS: Readonly<Record<string, readonly [string, RegExp]>> = {
    'a web page': [`reply.writeHead(200, { 'content-type': 'text/html' }); reply.end('<html>')`, /web page/],
    'a redirect': [`reply.writeHead(302, { location: 'https://example.com/' }); reply.end()`, /redirected/],
    'no JSON': [`reply.writeHead(200); reply.end('{"success":')`, /not JSON/],
    'no result': [`reply.writeHead(200); reply.end('{"success":true}')`, /wrong form/],
    'too few results': [
      `reply.writeHead(200); reply.end('{"success":true,"result":[]}')`,
      /another number of statements/,
    ],
    'a result of another form': [
      `reply.writeHead(200); reply.end('{"success":true,"result":[{"success":true,"results":[],"meta":{}}]}')`,
      /wrong form/,
    ],
    'a cell that is none': [
      `reply.writeHead(200); reply.end('{"success":true,"result":[{"success":true,"results":{"columns":["a"],"rows":[[{"__proto__":1}]]},"meta":{}}]}')`,
      /not a value/,
    ],
    'too many requests': [`reply.writeHead(429); reply.end('{"success":false,"errors":[]}')`, /too many requests/],
    'an error that repeats the token': [
      `reply.writeHead(500); reply.end(JSON.stringify({ success: false, errors: [{ code: 1, message: 'no ' + request.headers.authorization }] }))`,
      /internal error \(No Bearer …\)/,
    ],
    'more than can be read': [
      `reply.writeHead(200); const more = () => { while (reply.write(' '.repeat(1 << 20))); }; reply.on('drain', more); more()`,
      /longer than 64 MB/,
    ],
  };

  it.each(Object.entries(ANSWERS))('that is answered with %s fails with a sentence', async (_name, [how, message]) => {
    token = 'a-secret-token';
    address = `${hostile.url}client/v4/accounts/a/d1/database/b`;
    await hostile.behave(how);
    const error = failure(open);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^[A-Z].*[.]$/s);
    expect(error.message).not.toContain(token);
  });
});
