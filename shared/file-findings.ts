// What a check of a file could not cover, in words.
import type { FileFindings } from './protocol/session.ts';

const SHOWN = 10;

/** One note about the tables that were not checked; null if all were. */
export function describeUnchecked({ unchecked }: FileFindings): string | null {
  if (unchecked.length === 0) return null;
  const more = unchecked.length - SHOWN;
  const shown = unchecked.slice(0, SHOWN).map(({ table, reason }) => `“${table}” (${reason})`);
  return `Not checked, because SQLite cannot use all of it here: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}. All other tables were checked.`;
}
