// Where better-sqlite3 does less than the contract of all engines.
import type { EngineExceptions } from '../contract/subject.test-suite.ts';

/** Text that is not UTF-8, and virtual tables. */
const NOT_LOGGED = ['every value as it is stored', 'full-text', 'full text', 'FTS5 held back'];
const IN_VIRTUAL_TABLES = ['FTS5 INSERT', 'FTS5 DELETE', 'FTS5 with a name that begins like another', 'R-Tree'];

export const EXCEPTIONS: EngineExceptions = {
  namesMoreReads: true,
  losesInvalidText: true,
  copiedCases: IN_VIRTUAL_TABLES,
  notLogged: NOT_LOGGED,
};
