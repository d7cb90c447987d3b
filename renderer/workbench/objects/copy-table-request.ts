// The request to copy a table into another database, which opens its dialog.
import { create } from 'zustand';
import { capabilitiesOf, type DatabaseId, type DatabaseState, type SchemaObject } from '#shared/protocol/index.ts';
import { isDesktop } from '../../connection/shell.ts';
import { refusesUnencrypted } from '../databases/not-encrypted.ts';

export interface CopyTableRequest {
  readonly database: DatabaseId;
  readonly object: SchemaObject;
  /** The database that is offered first. */
  readonly into?: DatabaseId;
}

export const useCopyTableRequest = create<{ readonly request: CopyTableRequest | null }>()(() => ({ request: null }));

/** Opens the dialog that copies a table into another open database. */
export function askCopyTable(database: DatabaseId, object: SchemaObject, into?: DatabaseId): void {
  if (refusesUnencrypted(database, 'copy table')) return;
  useCopyTableRequest.setState({ request: { database, object, ...(into !== undefined && { into }) } });
}

export const closeCopyTable = (): void => useCopyTableRequest.setState({ request: null });

/** The copy goes through a temporary file, which a browser does not have. */
export const canCopyTable = ({ kind, name, sql }: SchemaObject): boolean =>
  isDesktop && (kind === 'table' || kind === 'virtual') && sql !== null && !/^sqlite_/i.test(name);

/** The open databases that a table of `database` can be copied into, by name: not encrypted ones, which take no tables of other files. */
export function copyTargets(
  open: Readonly<Record<DatabaseId, DatabaseState>>,
  database: DatabaseId,
): readonly (readonly [DatabaseId, string])[] {
  return Object.values(open)
    .filter(({ entry, readOnly }) => entry.id !== database && isTarget(entry.id) && !readOnly)
    .map(({ entry }) => [entry.id, entry.name] as const)
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}

function isTarget(database: DatabaseId): boolean {
  const { transfers, plain } = capabilitiesOf(database);
  return transfers && plain;
}
