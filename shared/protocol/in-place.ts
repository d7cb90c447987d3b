// Files opened in place: the ids of their databases, and how numbers given out by two servers are kept apart.
import type { DatabaseId } from './database-id.ts';

/** A file in place. Only main makes these, and only for files the user chose. */
export interface InPlaceFile {
  readonly database: DatabaseId;
  readonly fileName: string;
  /** Path to show to the user. */
  readonly displayPath: string;
  /** Names the file in main, which alone knows its path. */
  readonly locationId: string;
}

const PREFIX = 'file:';
const ENCRYPTED = `${PREFIX}encrypted-`;
/** Reader ids start from the current time in microseconds; those of the native engine are offset by this. Both stay exact integers. */
export const NATIVE_READERS_FROM = 2 ** 52;
/** Work ids are 32-bit numbers that start from 1. */
export const NATIVE_WORKS_FROM = 2 ** 30;

export const inPlaceId = (locationId: string): DatabaseId => PREFIX + locationId;

/** The id of an encrypted file: its history is encrypted, too, so it is not that of the same file without a password. */
export const encryptedId = (locationId: string): DatabaseId => ENCRYPTED + locationId;

/** True for an encrypted file, which a process of its own serves. */
export const isEncryptedFile = (database: DatabaseId): boolean => database.startsWith(ENCRYPTED);

/** Null for a database that is not a file in place. */
export const locationIdOf = (database: DatabaseId): string | null => {
  const prefix = isEncryptedFile(database) ? ENCRYPTED : PREFIX;
  return database.startsWith(prefix) ? database.slice(prefix.length) : null;
};
