// Where the user has moved tables: kept with the library, one text for each database, for all windows.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { readMoved } from './moved-tables.ts';
import type { MovedTables } from './placement.ts';

const stateKey = (database: DatabaseId): string => `diagram:${database}`;

/** The surroundings of a table are laid out apart from the whole, and have places of their own. */
export const diagramKey = (table: string | null, steps: number): string =>
  table === null ? 'all' : `${steps}:${table}`;

const load = async (database: DatabaseId): Promise<Readonly<Record<string, MovedTables>>> =>
  readMoved(parseState(await client.call('state.get', { key: stateKey(database) })));

export const loadMoved = async (database: DatabaseId, key: string): Promise<MovedTables> =>
  (await load(database))[key] ?? {};

/** Durable when answered. */
export async function keepMoved(database: DatabaseId, key: string, moved: MovedTables): Promise<void> {
  const all = { ...(await load(database)), [key]: moved };
  if (Object.keys(moved).length === 0) delete (all as Record<string, MovedTables>)[key];
  const value = Object.keys(all).length > 0 ? stringifyState(all) : null;
  await client.call('state.put', { key: stateKey(database), value });
}
