// A writer that commits without a pause, and readers that add up all accounts meanwhile: what each side gets done, and how long it waits.
// Four tests of one run: both sides, by rate and by single wait.
import type { Side } from '#shared/bench/protocol.ts';
import { OPEN_BANK, transfersFrom } from '../concurrent/bank.ts';
import { read } from '../program.ts';
import type { BenchSuite, BenchTest } from '../suite.ts';

/** Long enough for hundreds of the slowest commits but those of IndexedDB, and for the start of threads not to matter. */
const WINDOW_MS = 400;

const TRANSACTION =
  'Each commit is a transaction of two updates and an insert, each read one query over all accounts. Both sides work for 400 ms, and whoever has an answer asks again at once. Every read is checked: nothing is missing from the sum of all accounts, accounts and ledger are of one moment, and no moment is older than the one before. At the end every account is compared with what the commits make of it.';

function sideTest(id: string, title: string, side: Side, kind: BenchTest['kind']): BenchTest {
  return {
    id,
    title,
    side,
    kind,
    unit: 'us',
    transaction: TRANSACTION,
    database: 'fresh',
    program: ({ size, random, engine: { dialect } }) => ({
      prepare: OPEN_BANK,
      timed: [],
      check: [read('SELECT count(*), sum(balance) FROM account')],
      counted: { account: 1_000 },
      concurrent: { readers: size, windowMs: WINDOW_MS, transfers: transfersFrom(random), dialect },
    }),
  };
}

export const readers: BenchSuite = {
  id: 'readers',
  tests: [
    sideTest('reads', 'Time per read, all readers together', 'readers', 'throughput'),
    sideTest('read-latency', 'From asking for a read to its answer', 'readers', 'latency'),
    sideTest('commits', 'Time per commit', 'writer', 'throughput'),
    sideTest('commit-latency', 'From the beginning of a transaction to the end of its commit', 'writer', 'latency'),
  ],
};
