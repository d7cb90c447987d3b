// Stores where the user has moved tables: in the library, one text for each diagram of a database, for all windows.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { delaysClosing } from '../../state/state-saving.ts';
import { readMoved } from './moved-tables.ts';
import type { MovedTables } from './placement.ts';

/** Which diagram of a database: a table with its neighbors is laid out separately from the whole, and has its own positions. */
export const diagramKey = (table: string | null, steps: number): string =>
  table === null ? 'all' : `${steps}:${table}`;

const stateKey = (database: DatabaseId, diagram: string): string => `diagram:${database}:${diagram}`;

export const loadMoved = async (database: DatabaseId, diagram: string): Promise<MovedTables> =>
  readMoved(parseState(await client.call('state.get', { key: stateKey(database, diagram) })));

/** Durable once it resolves; a window that is closed earlier waits for it. */
export async function keepMoved(database: DatabaseId, diagram: string, moved: MovedTables): Promise<void> {
  const value = Object.keys(moved).length > 0 ? stringifyState(moved) : null;
  await delaysClosing(client.call('state.put', { key: stateKey(database, diagram), value }));
}
