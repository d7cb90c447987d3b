// The saved queries that name an object, as a sentence for a change of that object.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { queriesNaming } from './naming-queries.ts';
import { useSavedQueries } from './saved-queries.ts';

/** “Saved queries that mention it are not changed: Turnover, Best customers”; null if there are none. */
export function useNamingText(database: DatabaseId, table: string): string | null {
  const saved = useSavedQueries((state) => state.queries);
  const found = queriesNaming(saved ?? [], { database, table, column: null });
  if (found.length === 0) return null;
  const names = found.slice(0, SHOWN).map(({ name }) => visibleName(name));
  const more = found.length > SHOWN ? `, and ${found.length - SHOWN} more` : '';
  return `Saved queries that mention it are not changed: ${names.join(', ')}${more}`;
}

const SHOWN = 12;
