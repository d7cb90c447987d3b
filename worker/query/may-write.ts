// Whether a script writes, before any of it runs.
import type { Connection, Statement } from '../engines/engine.ts';
import { leadingKeyword, nextStatement } from '#shared/split-statements.ts';

/** SQLite calls transactions and ATTACH read-only, but they decide what other windows may write. */
export const isWrite = ({ readonly, control }: Pick<Statement, 'readonly' | 'control'>): boolean =>
  !readonly || control !== null;

/**
 * Whether a statement of `sql` writes, as far as SQLite can tell before anything has run. PRAGMAs that set something count, unprepared:
 * many take effect while they are prepared.
 */
export function mayWrite(connection: Pick<Connection, 'prepare'>, sql: string): boolean {
  for (let range = nextStatement(sql, 0); range; range = nextStatement(sql, range.to)) {
    const text = sql.slice(range.from, range.to);
    if (leadingKeyword(text) === 'PRAGMA') {
      if (text.includes('=')) return true;
    } else {
      try {
        const statement = connection.prepare(text);
        const writes = isWrite(statement);
        statement.finalize();
        if (writes) return true;
      } catch {
        // An error in the text is reported when it runs, and ends the run.
        return false;
      }
    }
  }
  return false;
}
