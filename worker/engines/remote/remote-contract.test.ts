// The remote engine against the contract of all engines, on a real server.
import { afterAll, test } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import { describeEngine } from '../contract.test-suite.ts';
import type { EngineExceptions } from '../contract/subject.test-suite.ts';
import { serverEngine } from './server-engine.test-suite.ts';

/** remote-refusals.test.ts shows what is refused, and how. */
const WITHOUT: EngineExceptions['without'] = {
  'page cache': 'the server’s memory is its own business',
  'large values': 'values of more than 4 MB are refused',
  'rows one by one': 'the server computes rows, and sends all of them at once',
  'quick statements': 'a script of thousands of statements is as many round trips',
  'ways to write records': 'there is one way',
  file: 'it is on the server',
  durability: 'the administrator decides',
  'own functions': 'Sidelite adds them to SQLite, and the server does not have them',
  'TEMP tables': 'each request is a new connection, and the server refuses them',
  ATTACH: 'the server refuses it',
  settings: 'they are the server’s, which refuses to change them',
  recursive_triggers: 'the server refuses this setting',
  'untrusted schema': 'the server trusts its schemas',
  'vertical tabs': 'the server’s own parser rejects them',
  'counts of triggers': 'the server counts only rows that the statement itself changed',
  'primary key errors': 'the server does not tell a primary key from another unique one',
};

const server = await startTestServer();
let made = 0;

if ('why' in server) test('remote engine', ({ skip }) => skip(server.why));
else {
  afterAll(() => server.end());
  describeEngine('remote engine', async () => ({
    engine: await serverEngine((location) => server.url(location)),
    freshLocation: () => `t${++made}`,
    exceptions: { namesMoreReads: true, without: WITHOUT },
    isSlow: true,
  }));
}
