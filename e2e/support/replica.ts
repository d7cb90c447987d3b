// A Litestream replica for a test, with moments at known times, and the program that reads it.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { ensureLitestream } from '../../build/litestream/ensure-litestream.ts';
import { makeReplica } from '../../build/litestream/make-replica.ts';

/** Skips the test where Litestream is not available. */
export async function litestream(): Promise<string> {
  const ensured = await ensureLitestream();
  test.skip('why' in ensured, 'why' in ensured ? ensured.why : '');
  return 'why' in ensured ? '' : ensured.program;
}

/** Makes a database and its replica in `folder`: a moment for each step, at that time on this computer. */
export async function shopReplica(
  folder: string,
  program: string,
  steps: Readonly<Record<string, string>>,
): Promise<{ readonly path: string; readonly replica: string }> {
  const [path, replica] = [join(folder, 'shop.db'), join(folder, 'backups', 'shop.db')];
  await makeReplica(program, { path, replica, steps: Object.values(steps) });
  // Litestream keeps the time of a transaction as that of its file.
  const files = readdirSync(join(replica, 'ltx', '0')).sort();
  for (const [index, time] of Object.keys(steps).entries()) {
    const at = new Date(time);
    utimesSync(join(replica, 'ltx', '0', files[index]!), at, at);
  }
  return { path, replica };
}
