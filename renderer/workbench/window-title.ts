// The title of this window: which database it shows.
import { visibleName, visibleText } from '#shared/visible-text.ts';
import type { AppState } from '../state/store.ts';

export function windowTitleOf({ currentDatabase, openDatabases }: AppState): string {
  const name = currentDatabase ? openDatabases[currentDatabase]?.entry.name : undefined;
  return name ? visibleText(`${visibleName(name)} – Sidelite`) : 'Sidelite';
}
