// The schemas of open databases: read once, shared by all components, refreshed when they change.
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { StandInState } from '#shared/stand-ins.ts';
import type { AddedNames } from '#shared/extensions.ts';
import type { DatabaseId, Operations, SchemaObject, SchemaSnapshot } from '#shared/protocol/index.ts';
import { client } from '../connection/database-client.ts';
import { notifyFailure } from './databases.ts';
import { followRenames } from './follow-renames.ts';
import { renamedRelations } from './renamed-relations.ts';
import { useStore } from './store.ts';

export type TableColumns = Operations['schema.columns']['reply'];

interface Known {
  snapshot: SchemaSnapshot | null;
  columns: TableColumns | null;
  /** What its extensions add. */
  added: AddedNames;
  /** Ends when the schema is known, or cannot be read; null while nobody reads the schema. */
  reading: Promise<void> | null;
  stale: boolean;
}

const NOTHING_ADDED: AddedNames = { functions: [], tables: [] };

/** Those of the user that could be defined. */
const defined = (standIns: readonly StandInState[]): AddedNames['functions'] =>
  standIns.flatMap(({ name, argumentCount, why }) => (why === null ? [{ name, argumentCounts: [argumentCount] }] : []));

interface RowCount {
  readonly database: DatabaseId;
  readonly table: string;
  readonly rows: number;
}

const ROWS_REFRESH_MS = 2000;
const known = new Map<DatabaseId, Known>();
/** Exact row counts from open tables, by counter: the schema itself only has estimates for larger tables. */
const counts = new Map<object, RowCount>();
const listeners = new Set<() => void>();
const refreshTimers = new Map<DatabaseId, ReturnType<typeof setTimeout>>();

/** Null until it has been read. */
export function useSchema(database: DatabaseId | null): SchemaSnapshot | null {
  useEffect(() => {
    if (database && !known.has(database)) void readSchema(database);
  }, [database]);
  return useSyncExternalStore(subscribe, () => (database ? (known.get(database)?.snapshot ?? null) : null));
}

/** The same for several databases, which this window has open. */
export function useSchemas(databases: readonly DatabaseId[]): readonly (SchemaSnapshot | null)[] {
  const last = useRef<readonly (SchemaSnapshot | null)[]>([]);
  useEffect(() => {
    for (const database of databases) if (!known.has(database)) void readSchema(database);
  }, [databases]);
  return useSyncExternalStore(subscribe, () => {
    const now = databases.map((database) => known.get(database)?.snapshot ?? null);
    const isSame = now.length === last.current.length && now.every((snapshot, at) => snapshot === last.current[at]);
    return isSame ? last.current : (last.current = now);
  });
}

/** Tables and views with their columns; null until they have been read. */
export function useColumns(database: DatabaseId | null): TableColumns | null {
  useEffect(() => {
    if (database && !known.has(database)) void readSchema(database);
  }, [database]);
  return useSyncExternalStore(subscribe, () => (database ? (known.get(database)?.columns ?? null) : null));
}

/** No objects until they have been read. */
export const knownObjects = (database: DatabaseId): readonly SchemaObject[] =>
  known.get(database)?.snapshot?.objects ?? [];

export const knownNames = (database: DatabaseId): readonly string[] => knownObjects(database).map(({ name }) => name);

export const knownColumns = (database: DatabaseId): TableColumns | null => known.get(database)?.columns ?? null;

export const knownAdded = (database: DatabaseId): AddedNames => known.get(database)?.added ?? NOTHING_ADDED;

/** Resolves once the columns that are being read now are known; null if no columns are being read. */
export const columnsBeingRead = (database: DatabaseId): Promise<void> | null => known.get(database)?.reading ?? null;

/** Reads the schema if necessary; null if it cannot be read. */
export async function knownSchema(database: DatabaseId): Promise<SchemaSnapshot | null> {
  if (!known.has(database)) void readSchema(database);
  return await new Promise((resolve) => {
    const look = (): void => {
      const entry = known.get(database);
      if (entry && !entry.snapshot) return;
      off();
      resolve(entry?.snapshot ?? null);
    };
    const off = subscribe(look);
    look();
  });
}

/** Calls `listener` whenever the schema may have changed. Returns a function that removes the listener. */
export function onSchema(database: DatabaseId, listener: (schema: SchemaSnapshot) => void): () => void {
  return subscribe(() => {
    const snapshot = known.get(database)?.snapshot;
    if (snapshot) listener(snapshot);
  });
}

/** Listens to changes of open databases. */
export function startSchemas(): void {
  client.on('database.changed', ({ database, schema }) => {
    if (!known.has(database)) return;
    if (schema) void readSchema(database);
    else if (!refreshTimers.has(database)) {
      const timer = setTimeout(() => {
        refreshTimers.delete(database);
        void readSchema(database);
      }, ROWS_REFRESH_MS);
      refreshTimers.set(database, timer);
    }
  });
  client.onReconnected(() => {
    for (const database of known.keys()) void readSchema(database);
  });
  // An engine that starts again would be asked for it, and does not have the database open.
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases === before.openDatabases) return;
    for (const database of Object.keys(before.openDatabases)) if (!openDatabases[database]) forgetSchema(database);
  });
}

/** Stores the exact row count of a table that `counter` has open. */
export function noteRowCount(counter: object, count: RowCount): void {
  counts.set(counter, count);
  const entry = known.get(count.database);
  if (!entry?.snapshot) return;
  entry.snapshot = withCounts(count.database, entry.snapshot);
  announce();
}

/** The counter was closed, or no longer knows the count. Its count is shown until the schema is read again. */
export function forgetRowCount(counter: object): void {
  counts.delete(counter);
}

function forgetSchema(database: DatabaseId): void {
  known.delete(database);
  clearTimeout(refreshTimers.get(database));
  refreshTimers.delete(database);
  announce();
}

/** Reads the schema again; the columns only if the schema version has changed. */
export async function readSchema(database: DatabaseId): Promise<void> {
  const entry = known.get(database) ?? {
    snapshot: null,
    columns: null,
    added: NOTHING_ADDED,
    reading: null,
    stale: false,
  };
  known.set(database, entry);
  if (entry.reading) entry.stale = true;
  else await (entry.reading = readInto(entry, database));
}

async function readInto(entry: Known, database: DatabaseId): Promise<void> {
  try {
    do {
      entry.stale = false;
      const snapshot = await client.call('schema.get', { database });
      const changed = snapshot.schemaVersion !== entry.snapshot?.schemaVersion;
      if (changed && entry.snapshot) followNames(database, entry.snapshot, snapshot);
      entry.snapshot = withCounts(database, snapshot);
      announce();
      const { extensions, standIns = [] } = useStore.getState().openDatabases[database] ?? {};
      const added = extensions === undefined ? NOTHING_ADDED : await client.call('schema.added', { database });
      entry.added = standIns.length === 0 ? added : { ...added, functions: [...added.functions, ...defined(standIns)] };
      if (changed || !entry.columns) entry.columns = await client.call('schema.columns', { database });
      announce();
    } while (entry.stale);
  } catch (thrown) {
    if (known.get(database) !== entry) return;
    // A component that was being mounted when the database was closed may have asked for it.
    if (useStore.getState().openDatabases[database]) notifyFailure(thrown);
    if (!entry.snapshot) known.delete(database);
    announce();
  } finally {
    entry.reading = null;
  }
}

function followNames(database: DatabaseId, before: SchemaSnapshot, after: SchemaSnapshot): void {
  const renamed = renamedRelations(before, after);
  if (renamed.length === 0) return;
  followRenames(database, renamed);
  const { schemaVersion } = after;
  // The request was lost with the connection: the changes stay listed with the old name, under which they can be discarded.
  client.call('held.rename', { of: database, schemaVersion, renamed }).catch(() => undefined);
}

function withCounts(database: DatabaseId, snapshot: SchemaSnapshot): SchemaSnapshot {
  const rows = new Map<string, number>();
  for (const count of counts.values()) if (count.database === database) rows.set(count.table, count.rows);
  const objects = snapshot.objects.map((object) => {
    const count = rows.get(object.name);
    return count === undefined ? object : { ...object, rows: { count, estimated: false } };
  });
  return { ...snapshot, objects };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}
