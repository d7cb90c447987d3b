// The functions that the user has written for databases, by database: kept in the profile, for every window. Nothing but the dialog of the
// health page writes to it.
import * as v from 'valibot';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { MOST_STAND_INS, STAND_IN } from '#shared/stand-ins.ts';
import type { StandIn } from '#shared/stand-ins.ts';
import { each, eachEntry } from '#shared/stored.ts';
import { remember, remembered } from './remembered.ts';

const KEY = 'sidelite.standIns';
const STORED = v.pipe(
  eachEntry(v.array(v.unknown())),
  v.transform((all) =>
    Object.entries(all).map(([database, list]) => [database, v.parse(each(STAND_IN), list)] as const),
  ),
);

const read = (): ReadonlyMap<DatabaseId, readonly StandIn[]> => new Map(v.parse(STORED, remembered(KEY)));

export const standInsOf = (database: DatabaseId): readonly StandIn[] =>
  (read().get(database) ?? []).slice(0, MOST_STAND_INS);

/** Returns whether there was room; otherwise what was kept before stays. */
export function keepStandIns(database: DatabaseId, standIns: readonly StandIn[]): boolean {
  const all = new Map(read());
  all.delete(database);
  if (standIns.length > 0) all.set(database, standIns);
  return remember(KEY, Object.fromEntries(all));
}
