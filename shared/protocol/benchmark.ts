// Operations on benchmark results, which are kept in the library and exchanged as files. Only the window interprets their contents.
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';

export interface SavedRun {
  readonly id: string;
  readonly title: string;
  readonly savedAtMs: number;
  /** Name of the file it was imported from; null if it was measured here. */
  readonly origin: string | null;
  /** Facts that a list shows without reading the whole result: JSON written by the window that saved it. */
  readonly facts: string;
  readonly sizeBytes: number;
}

export type NewRun = Pick<SavedRun, 'title' | 'origin' | 'facts'> & {
  /** The whole result, see `shared/bench/result.ts`. */
  readonly json: string;
};

export interface BenchmarkOperations {
  /** Newest first. */
  'benchmark.list': Op<Nothing, readonly SavedRun[]>;
  /** Fails with `not-found`. */
  'benchmark.read': Op<{ readonly id: string }, { readonly run: SavedRun; readonly json: string }>;
  /** Replaces the run with that id; `null` adds a new one. Durable when answered. */
  'benchmark.save': Op<{ readonly id: string | null; readonly run: NewRun }, SavedRun>;
  'benchmark.rename': Op<{ readonly id: string; readonly title: string }, null>;
  'benchmark.delete': Op<{ readonly id: string }, null>;
  /** Reads the bytes of a result file. Fails with `too-big`, `io`. */
  'benchmark.import': Op<{ readonly source: FileToken }, { readonly bytes: Uint8Array; readonly fileName: string }>;
  /** Returns the last committed state of a database as one plain file, for a query that is measured on copies of it. Fails with `too-big`. */
  'benchmark.databaseFile': Op<{ readonly database: DatabaseId }, Uint8Array, Progress>;
}

type Nothing = Readonly<Record<string, never>>;
