// The remote engine against the contract of all engines, on a real server.
import { afterAll, test } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import { describeEngine } from '../contract.test-suite.ts';
import { serverEngine } from './server-engine.test-suite.ts';

/** With the reason; remote-refusals.test.ts shows what is refused, and how. */
const WITHOUT = [
  'memory', // the server's memory is its own business, and values of more than 4 MB are refused
  'slow rows', // a row that takes long is the server's, which sends all of them at once
  'the file', // it is on the server
  'durability', // the administrator decides
  'whichever way the engine writes it', // there is one way
  '[5,"9223372036854775808"]', // an older SQLite quotes a real with more digits
  'logs ', // no row logs: the server does not report rows
  'forgets what a record did',
  'REGEXP', // a function that Sidelite adds to SQLite, and the server does not have
  'hostile SQL', // settings of the server, TEMP tables, and vertical tabs, which its parser refuses
  'in proportion to the length', // a script of thousands of statements is as many round trips
  'without those of triggers', // the server counts only rows that the statement itself changed
  'refers to itself in vain',
  'whatever is switched on first',
  'cannot look around',
  'break a hostile schema open',
  'other files and process-wide settings',
  "INSERT INTO artist VALUES (1, 'Nina', 1)", // the server does not tell a primary key from another unique one
];

const server = await startTestServer();
let made = 0;

if ('why' in server) test('remote engine', ({ skip }) => skip(server.why));
else {
  afterAll(() => server.end());
  describeEngine('remote engine', async () => ({
    engine: await serverEngine((location) => server.url(location)),
    freshLocation: () => `t${++made}`,
    exceptions: { namesMoreReads: true, without: WITHOUT },
  }));
}
