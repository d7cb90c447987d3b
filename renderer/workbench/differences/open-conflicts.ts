// The database whose conflicts, which `sidelite merge` has left in a table, are being decided in a dialog.
import { create } from 'zustand';
import { foldName } from '#shared/ddl/names.ts';
import { CONFLICTS, type DatabaseId } from '#shared/protocol/index.ts';

interface OpenConflicts {
  readonly database: DatabaseId | null;
}

export const useOpenConflicts = create<OpenConflicts>()(() => ({ database: null }));

export const openConflicts = (database: DatabaseId | null): void => useOpenConflicts.setState({ database });

export const isConflictTable = (name: string): boolean => foldName(name) === CONFLICTS;
