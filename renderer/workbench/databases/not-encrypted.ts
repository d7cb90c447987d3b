// Work that would write what is in an encrypted database to this computer without encryption: refused where a person begins it, with an
// alternative that works.
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import { notify } from '../../state/store.ts';

const EXPORT = 'Export it as an SQLite file, which is not encrypted, and open that.';

const WHY = {
  publish: `Publishing begins with a copy of the database that would not be encrypted. ${EXPORT}`,
  'copy table': `A table is copied by way of a file that would not be encrypted. Export the table as SQL, and import that.`,
  'both engines': `The copy for the other engine would not be encrypted. ${EXPORT}`,
  rows: `Rows of two databases are compared in one engine, and the copy for it would not be encrypted. ${EXPORT}`,
  benchmark: `The copy that is measured would not be encrypted. ${EXPORT}`,
  hold: 'Held changes are kept in the library, where they would not be encrypted. Use a transaction in an SQL tab instead.',
} as const;

/** A sentence, or null if the database is not encrypted. */
export const whyNotUnencrypted = (database: DatabaseId | null, work: keyof typeof WHY): string | null =>
  database === null || capabilitiesOf(database).plain ? null : `This database is encrypted. ${WHY[work]}`;

/** Says why, and returns true, if the work cannot be done with this database. */
export function refusesUnencrypted(database: DatabaseId | null, work: keyof typeof WHY): boolean {
  const text = whyNotUnencrypted(database, work);
  if (text !== null) notify({ tone: 'warning', topic: 'not-encrypted', text });
  return text !== null;
}
