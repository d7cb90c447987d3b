// The engine under test, and where it does less than the contract.
import type { Connection, Engine } from '../engine.ts';

/** Features that a test or a group of tests may need and not every engine has. */
export type Need =
  /** Changed rows are reported by hooks, and can be recorded: `capabilities.changes`. */
  | 'changes'
  /** A statement that is stopped ends: `capabilities.stop`. */
  | 'stop'
  /** Each row is computed when it is asked for. */
  | 'rows one by one'
  | 'transactions'
  /** Many statements do not take long. */
  | 'quick statements'
  /** There is a choice of how records are written. */
  | 'ways to write records'
  /** The database is a file of this computer. */
  | 'file'
  /** The bytes of that file are not encrypted. */
  | 'plain bytes'
  | 'commit marks'
  | 'durability'
  | 'page cache'
  /** Values of several megabytes. */
  | 'large values'
  | 'negative zero'
  /** Tables of 2,000 columns. */
  | 'many columns'
  /** REGEXP and `replace_nocase`. */
  | 'own functions'
  | 'R-Tree'
  | 'TEMP tables'
  | 'ATTACH'
  /** PRAGMAs that are settings of a connection can be read and changed. */
  | 'settings'
  | 'recursive_triggers'
  | 'pragma_pragma_list'
  /** A schema cannot call what looks around, because `trusted_schema` is off. */
  | 'untrusted schema'
  /** Its parser is SQLite's own, which takes a vertical tab for white space. */
  | 'vertical tabs'
  /** The total of changes counts the rows that triggers change. */
  | 'counts of triggers'
  /** A duplicate primary key is reported differently from another unique key. */
  | 'primary key errors';

/** Options for a test or a group of tests. */
export const needs = (...needed: Need[]): { readonly meta: { readonly needs: readonly Need[] } } => ({
  meta: { needs: needed },
});

declare module 'vitest' {
  interface TaskMeta {
    needs?: readonly Need[];
  }
}

export interface EngineUnderTest {
  readonly engine: Engine;
  /** Location for a new empty database. */
  freshLocation(): string;
  readonly exceptions?: EngineExceptions;
  /** Each test is many round trips: `npm test` takes a fifth of them, `npm run test:long` all. */
  readonly isSlow?: boolean;
}

/** Ways in which an engine does less than the contract, for a reason of its own: each is listed with that reason beside the engine. */
export interface EngineExceptions {
  /** The reported reads of a statement may be more than its real ones, never less. */
  readonly namesMoreReads?: boolean;
  /** Text that is not UTF-8 comes back with U+FFFD in it. */
  readonly losesInvalidText?: boolean;
  /** Cases of changes that are not logged row by row: the guard is asked first, as for a change of the schema. */
  readonly copiedCases?: readonly string[];
  /** Tests of row logs, by parts of their names, that need what is not logged row by row. */
  readonly notLogged?: readonly string[];
  /** Features that the engine lacks, with the reason. It has to refuse them with a sentence. */
  readonly without?: Readonly<Partial<Record<Need, string>>>;
}

/** Gives each part of the suite a connection to a fresh, empty database for each test. */
export type GetConnection = () => Connection;
