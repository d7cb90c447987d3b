// Writes without pause while the app is about to be killed, and compares what was acknowledged with what is there afterwards.
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Durability } from '../../shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { integrityOf, query } from '../support/compare-results.ts';
import { joinWire } from '../support/wire-in-page.ts';

declare global {
  interface Window {
    /** Tells the test, which outlives the window. */
    acknowledge(commit: number): void;
  }
}

export const TABLES = `
  CREATE TABLE log (round INTEGER, number INTEGER, part INTEGER, size INTEGER, text TEXT, PRIMARY KEY (round, number, part));
  CREATE TABLE total (rows INTEGER);
  CREATE INDEX log_text ON log (text);
  INSERT INTO total VALUES (0);`;

/** One commit in the middle of others: small ones are most likely to be under way at any moment, large ones take long. */
const SIZES = [1, 3, 1, 40, 1, 400, 2, 3000];

interface Found {
  /** Commits that are there as a whole. */
  readonly commits: ReadonlySet<number>;
  /** Problems of the file; empty if there are none. */
  readonly damage: readonly string[];
}

/** Begins to write into `page`'s only database. Returns the numbers of the commits acknowledged, which keeps growing. */
export async function startWriting(page: Page, round: number, durability: Durability): Promise<ReadonlySet<number>> {
  const acknowledged = new Set<number>();
  await joinWire(page);
  // The list of open databases is saved with a short delay: the next start must find it.
  await expect.poll(() => page.evaluate(keptState)).toContain('"databases":["');
  await page.exposeFunction('acknowledge', (commit: number) => void acknowledged.add(commit));
  await page.evaluate(write, { round, durability, sizes: SIZES });
  return acknowledged;
}

/** Finds what the exported file has of round `round`. */
export function inspect(path: string, round: number): Found {
  const damage: string[] = [];
  const integrity = integrityOf(path);
  if (integrity !== 'ok') damage.push(integrity);
  const [[torn]] = query(
    path,
    'SELECT count(*) FROM (SELECT 1 FROM log GROUP BY round, number HAVING count(*) <> max(size))',
  ) as [[number]];
  if (torn > 0) damage.push(`${torn} commits are there in part`);
  const [[rows, total]] = query(path, 'SELECT (SELECT count(*) FROM log), rows FROM total') as [[number, number]];
  if (rows !== total) damage.push(`${rows} rows, but ${total} were counted in the same commits`);
  const commits = query(path, `SELECT DISTINCT number FROM log WHERE round = ${round}`) as [number][];
  return { commits: new Set(commits.map(([number]) => number)), damage };
}

/** Runs in the page. */
async function keptState(): Promise<unknown> {
  const { windowId } = await window.sidelite.windowInfo();
  return await window.ask('state.get', { key: `window:${windowId}` });
}

/** Runs in the page. */
async function write({
  round,
  durability,
  sizes,
}: {
  round: number;
  durability: Durability;
  sizes: number[];
}): Promise<void> {
  const [entry] = (await window.ask('library.list', {})) as { id: DatabaseId }[];
  const database = entry!.id;
  await window.ask('library.setDurability', { database, durability });
  let next = 0;
  const writer = async (): Promise<void> => {
    for (;;) {
      const number = next++;
      const size = sizes[number % sizes.length]!;
      const rows = `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT ${size}) `;
      const sql = `BEGIN; INSERT INTO log ${rows} SELECT ${round}, ${number}, i, ${size}, hex(randomblob(100)) FROM n; UPDATE total SET rows = rows + ${size}; COMMIT;`;
      await window.ask('query.run', { database, sql });
      window.acknowledge(number);
    }
  };
  // Ends with the connection. Two, so that one is always waiting while the other is answered.
  for (let lane = 0; lane < 2; lane++) writer().catch(() => undefined);
}
