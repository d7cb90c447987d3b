// Whether a script writes, before any of it runs.
import type { Connection, Statement } from '../engines/engine.ts';
import { leadingWords, nextStatement } from '#shared/split-statements.ts';
import { makesStatistics, setsSomething } from '../sql/statement-kinds.ts';

/** Enough for `EXPLAIN QUERY PLAN PRAGMA schema.name = value`. */
const WORDS = 9;

/**
 * SQLite calls transactions and ATTACH read-only, but they decide what other windows may write; and it calls writing what only explains a
 * write, or asks for the journal mode.
 */
export function isWrite({ readonly, control }: Pick<Statement, 'readonly' | 'control'>, text: string): boolean {
  return (!readonly || control !== null) && !onlyAsks(text);
}

/**
 * Whether a statement of `sql` writes, as far as SQLite can tell before anything has run. PRAGMAs that set something count, unprepared:
 * many take effect while they are prepared.
 */
export function mayWrite(connection: Pick<Connection, 'prepare'>, sql: string): boolean {
  for (let range = nextStatement(sql, 0); range; range = nextStatement(sql, range.to)) {
    const text = sql.slice(range.from, range.to);
    if (setsSomething(explainedWords(text)) || makesStatistics(text)) return true;
    try {
      const statement = connection.prepare(text);
      const writes = isWrite(statement, text);
      statement.finalize();
      if (writes) return true;
    } catch {
      // An error in the text is reported when it runs, and ends the run.
      return false;
    }
  }
  return false;
}

function onlyAsks(text: string): boolean {
  const words = leadingWords(text, 0, WORDS);
  const isJournalMode = words[words[2] === '.' ? 3 : 1] === 'JOURNAL_MODE';
  return words[0] === 'EXPLAIN' || (words[0] === 'PRAGMA' && isJournalMode && !setsSomething(words));
}

/** The words of the statement, or of the one that it explains: preparing that is enough for some PRAGMAs to act. */
function explainedWords(text: string): readonly string[] {
  const words = leadingWords(text, 0, WORDS);
  if (words[0] !== 'EXPLAIN') return words;
  return words.slice(words[1] === 'QUERY' ? 3 : 1);
}
