// What is under test: an engine, with where it does less than the contract.
import type { Connection, Engine } from '../engine.ts';

export interface EngineUnderTest {
  readonly engine: Engine;
  /** Where a new empty database can be made. */
  freshLocation(): string;
  readonly exceptions?: EngineExceptions;
}

/** Where an engine does less than the contract, for a reason of its own: each is listed with that reason beside the engine. */
export interface EngineExceptions {
  /** What a statement reads may be more than it does read, never less. */
  readonly namesMoreReads?: boolean;
  /** Text that is not UTF-8 comes back with U+FFFD in it. */
  readonly losesInvalidText?: boolean;
  /** Cases of changes that are not logged row by row: the guard is asked first, as for a change of the schema. */
  readonly copiedCases?: readonly string[];
  /** Tests of row logs, by parts of their names, that need what is not logged row by row. */
  readonly notLogged?: readonly string[];
  /** Groups of tests, or parts of the names of tests, that ask for what the engine does not have at all. It has to refuse that with a sentence. */
  readonly without?: readonly string[];
}

/** What each part of the suite gets: a connection to a fresh, empty database for each test. */
export type GetConnection = () => Connection;
