// Files opened where they lie: how their databases are named, and how what two servers number is told apart.
import type { DatabaseId } from './database-id.ts';

/** A file in place, as main knows it. Main alone makes these: only for files the person chose. */
export interface InPlaceFile {
  readonly database: DatabaseId;
  readonly fileName: string;
  /** For people to read. */
  readonly displayPath: string;
  /** Names the file to main. */
  readonly sourceId: string;
}

const PREFIX = 'file:';
/** Readers are numbered from the time on, in microseconds: those of the native engine this much further on. Both stay exact. */
export const NATIVE_READERS_FROM = 2 ** 52;
/** Works are numbered from 1 on, in 32 bits. */
export const NATIVE_WORKS_FROM = 2 ** 30;

export const inPlaceId = (sourceId: string): DatabaseId => PREFIX + sourceId;

/** It is a file where it lies, served by the native engine; otherwise a database of the library. */
export const isInPlace = (database: DatabaseId): boolean => database.startsWith(PREFIX);

/** How main names the file; null for a database of the library. */
export const sourceIdOf = (database: DatabaseId): string | null =>
  isInPlace(database) ? database.slice(PREFIX.length) : null;
