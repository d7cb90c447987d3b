// The functions that the user has written for a database: defined, changed, and removed, each of which opens the database again.
import { create } from 'zustand';
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import { MOST_STAND_INS, standInKey, type StandIn, type StandInState } from '#shared/stand-ins.ts';
import { client } from '../../connection/database-client.ts';
import { keepStandIns, standInsOf } from '../../state/stand-ins.ts';
import { useStore } from '../../state/store.ts';
import { openHealth } from '../tabs/health.ts';
import { openAgain, whyNotClosed } from './reopening.ts';

const NONE: readonly StandInState[] = [];

/** A function that is to be defined, once the page that lists those of the database is there. */
export const useWantedStandIn = create<{
  readonly wanted: { readonly database: DatabaseId; readonly name: string } | null;
}>()(() => ({ wanted: null }));

/** Shows the page that lists the functions of the database, with the dialog for a new one of this name. */
export function defineStandIn(database: DatabaseId, name: string): void {
  openHealth(database, 'functions');
  useWantedStandIn.setState({ wanted: { database, name } });
}

/** Why no function can be defined in the database; null: one can be. */
export function whyNoStandIns(database: DatabaseId): string | null {
  const { local, temporary } = capabilitiesOf(database);
  if (!local) return 'Servers have their own functions: none can be defined from here.';
  return temporary
    ? 'A database that is removed when it is closed gets no functions. Copy it into the library first.'
    : null;
}

/** What became of each in the open connection. */
export const useStandInStates = (database: DatabaseId): readonly StandInState[] =>
  useStore(({ openDatabases }) => openDatabases[database]?.standIns) ?? NONE;

/**
 * Defines a function, in place of `before` if that is not null. Returns why not, in a sentence, or null.
 * @throws AppError of opening the database again
 */
export async function saveStandIn(
  database: DatabaseId,
  before: StandIn | null,
  standIn: StandIn,
): Promise<string | null> {
  const others = standInsOf(database).filter((other) => before === null || standInKey(other) !== standInKey(before));
  if (others.some((other) => standInKey(other) === standInKey(standIn)))
    return 'There is a function of this name with as many arguments already.';
  if (others.length >= MOST_STAND_INS) return `At most ${MOST_STAND_INS} functions can be defined in a database.`;
  return change(database, [...others, standIn]);
}

export const removeStandIn = (
  database: DatabaseId,
  standIn: Pick<StandIn, 'name' | 'argumentCount'>,
): Promise<string | null> =>
  change(
    database,
    standInsOf(database).filter((other) => standInKey(other) !== standInKey(standIn)),
  );

/** A connection gets its functions when it is opened. */
async function change(database: DatabaseId, standIns: readonly StandIn[]): Promise<string | null> {
  const name = useStore.getState().openDatabases[database]?.entry.name ?? '';
  const why = (await whyNotClosed(database, name)) ?? (await openElsewhere(database));
  if (why !== null) return `The database has to be opened again for that. ${why}`;
  if (!keepStandIns(database, standIns)) return 'There is no room left for it in the settings of this computer.';
  await openAgain(database);
  return null;
}

async function openElsewhere(database: DatabaseId): Promise<string | null> {
  const { windows } = await client.call('database.file', { database });
  return windows.length > 1 ? 'It is open in another window, too: close it there first.' : null;
}
