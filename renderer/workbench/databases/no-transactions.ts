// Work that takes several requests in one transaction, on a server that has no such transactions: refused where a person begins it, with an
// alternative that works.
import { isD1, type DatabaseId } from '#shared/protocol/index.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { notify, useStore } from '../../state/store.ts';

const INSTEAD = {
  design: 'The designer needs one. Run CREATE and ALTER statements in an SQL tab instead.',
  action: 'Sidelite makes and checks such changes in one. Run the statement in an SQL tab instead.',
  transaction: 'Each statement is saved when it ends.',
  index: 'Run the CREATE INDEX statement in an SQL tab instead.',
  import: 'An import needs one. Import into a database on this computer instead.',
  'sample rows': 'Sample rows are added in one. Add them to a database on this computer instead.',
} as const;

/** A sentence, or null if the database has transactions. */
export function whyNoTransactions(database: DatabaseId | null): string | null {
  const connection = connectionOf(useStore.getState(), database);
  if (!connection || !isD1(connection.address)) return null;
  return `“${connection.name}” is a Cloudflare D1 database, which has no transactions across requests.`;
}

/** Same as {@link whyNoTransactions}, plus an alternative that works. */
export function whyNotWithout(database: DatabaseId | null, work: keyof typeof INSTEAD): string | null {
  const why = whyNoTransactions(database);
  return why && `${why} ${INSTEAD[work]}`;
}

/** Says why, and returns true, if the work cannot be done in this database. */
export function refusesWork(database: DatabaseId | null, work: keyof typeof INSTEAD): boolean {
  const text = whyNotWithout(database, work);
  if (text !== null) notify({ tone: 'warning', topic: 'no-transactions', text });
  return text !== null;
}
