// The engine on D1 against the contract of all engines.
import { afterAll, test } from 'vitest';
import { startD1 } from '../../../../build/d1/d1-server.ts';
import { describeEngine } from '../../contract.test-suite.ts';
import type { EngineExceptions } from '../../contract/subject.test-suite.ts';
import { serverEngine } from '../server-engine.test-suite.ts';

/** d1.test.ts shows what is refused, and how. */
const WITHOUT: EngineExceptions['without'] = {
  transactions: 'D1 refuses BEGIN and SAVEPOINT',
  stop: 'D1 works on a stopped statement to its end, and answers nothing else of the database until then',
  'page cache': 'the server’s memory is its own business',
  'large values': 'values of more than 2 MB are refused',
  'many columns': 'tables and results have at most 100 columns',
  'negative zero': 'the JSON of D1 has none',
  'rows one by one': 'the server computes rows, and sends all of them at once',
  'quick statements': 'a script of thousands of statements is as many round trips',
  'commit marks': 'D1 tells nothing of what others commit',
  file: 'it is on the server',
  durability: 'Cloudflare decides',
  'own functions': 'Sidelite adds them to SQLite, and the server does not have them',
  'R-Tree': 'D1 refuses this module',
  'TEMP tables': 'D1 refuses them',
  ATTACH: 'D1 refuses it',
  settings: 'D1 lets nobody read or change them',
  pragma_pragma_list: 'D1 refuses it',
  'untrusted schema': 'D1 refuses the functions that look around, whoever calls them',
  'counts of triggers': 'the server counts only rows that the statement itself changed',
  'primary key errors': 'the server does not tell a primary key from another unique one',
};

/** One for each test that is not skipped. */
const DATABASES = 260;

const server = await startD1(DATABASES);
let made = 0;

if ('why' in server) test('remote engine on D1', ({ skip }) => skip(server.why));
else {
  afterAll(() => server.end());
  describeEngine('remote engine on D1', async () => ({
    engine: await serverEngine((location) => server.url(location)),
    freshLocation: () => `t${++made}`,
    exceptions: { namesMoreReads: true, without: WITHOUT },
  }));
}
