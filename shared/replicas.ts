// Replicas that Litestream keeps of a database: what a window asks main about them, and the ids of databases restored from one.
import type { DatabaseId } from './protocol/database-id.ts';

/** Id of an earlier state, restored from a replica or read from a Git repository: a temporary file, opened in place and read-only until it is closed. */
const RESTORED = /^file:(restored-[0-9a-f-]{36})$/;
export const isRestored = (database: DatabaseId): boolean => RESTORED.test(database);
export const newRestoredName = (uuid: string): string => `restored-${uuid}`;
/** The name; null for any other database. */
export const restoredNameOf = (database: DatabaseId): string | null => RESTORED.exec(database)?.[1] ?? null;

/** Litestream's own program, which is not part of Sidelite; or why it cannot be used. */
export type ReplicaProgram = { readonly version: string; readonly path: string } | { readonly why: string };

/** A replica the user has named. Main keeps its location and credentials. */
export interface Replica {
  readonly token: string;
  /** Name of the database, as far as the location shows it. */
  readonly name: string;
  /** Path or address, to show. */
  readonly displayPath: string;
}

/** S3-compatible storage as the user has entered it. */
export interface StorageDraft {
  /** `s3://BUCKET/PATH` */
  readonly address: string;
  /** Endpoint of a provider other than Amazon; empty: Amazon. */
  readonly endpoint: string;
  /** Empty: Litestream finds out. */
  readonly region: string;
  /** Both empty: what this computer has for Amazon's tools. */
  readonly keyId: string;
  readonly secret: string;
}

/** A committed state that can be restored. */
export interface ReplicaMoment {
  /** Litestream's number of the last transaction in it. */
  readonly txid: string;
  /** Time in whole seconds, as Litestream lists it. */
  readonly atMs: number;
}

export type ReplicaReply = { readonly replica: Replica } | { readonly why: string };

/** Newest first. */
export type ReplicaMoments = { readonly moments: readonly ReplicaMoment[] } | { readonly why: string };

export type RestoredReply = { readonly database: DatabaseId } | { readonly why: string } | { readonly stopped: true };

/** Failures are replies: an exception in main reaches the page without its message. */
export interface ReplicaShell {
  program(): Promise<ReplicaProgram>;
  /** Lets the user choose the program, which is remembered if it is Litestream; null when canceled. */
  chooseProgram(): Promise<ReplicaProgram | null>;
  /** Lets the user choose the folder of a replica; null when canceled. */
  chooseFolder(): Promise<ReplicaReply | null>;
  /** Keys are kept in memory only, as long as the window names the replica. */
  reachStorage(draft: StorageDraft): Promise<ReplicaReply>;
  moments(replica: string): Promise<ReplicaMoments>;
  /** Restores a temporary file and makes it a database of the native engine. `database.open` opens it then. */
  restore(replica: string, txid: string): Promise<RestoredReply>;
  /** Bytes written so far. */
  written(replica: string): Promise<number>;
  /** Ends what Litestream does for this replica. */
  stop(replica: string): Promise<void>;
  /** The replica, and the keys to it, are no longer needed. */
  leave(replica: string): Promise<void>;
  /** The database is closed: removes its file. */
  discard(database: DatabaseId): Promise<void>;
}
