// Names of the databases in the library, of which no two are the same.
import { freeName } from '#shared/free-name.ts';
import { useStore } from '../../state/store.ts';

/** In any case. */
export function isInLibrary(wanted: string): boolean {
  const { entries } = useStore.getState();
  return entries?.some(({ name }) => name.toLowerCase() === wanted.toLowerCase()) ?? false;
}

export const freeLibraryName = (wanted: string): string => freeName(wanted, isInLibrary, ' ');
