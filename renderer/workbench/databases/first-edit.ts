// Whether a file in place waits for the user's decision about its first edit.
import { capabilitiesOf, type DatabaseId, type Editing } from '#shared/protocol/index.ts';
import type { SettingValues } from '#shared/settings/definitions.ts';
import { settingNow, useSetting } from '../../state/settings.ts';
import { useStore, type AppState } from '../../state/store.ts';

const awaits = (editing: Editing | undefined, opening: SettingValues['openFiles']): boolean =>
  opening === 'first-edit' && editing !== 'file';

const editingOf = ({ entries }: AppState, database: DatabaseId): Editing | undefined =>
  entries?.find(({ id }) => id === database)?.editing;

/** The user has to be asked before the file is changed, by what is remembered of it and by the settings. */
export const awaitsFirstEdit = (database: DatabaseId): boolean =>
  capabilitiesOf(database).temporary || awaits(editingOf(useStore.getState(), database), settingNow('openFiles'));

/** The same, for a component. */
export function useAwaitsFirstEdit(database: DatabaseId): boolean {
  const editing = useStore((state) => editingOf(state, database));
  const opening = useSetting('openFiles');
  return capabilitiesOf(database).temporary || awaits(editing, opening);
}
