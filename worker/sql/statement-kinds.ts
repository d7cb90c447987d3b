// Kinds of statements as their first words reveal them, before SQLite has seen them.
import { leadingWords, splitStatements } from '#shared/split-statements.ts';

const SCHEMA_WORDS = new Set(['CREATE', 'DROP', 'ALTER', 'VACUUM']);
const LOSING_WORDS = new Set(['DROP', 'ALTER']);

/** Whether a text visibly changes the schema of the database or rewrites its file. TEMP objects do not belong to it. */
export const changesSchema = (sql: string): boolean => hasStatement(sql, SCHEMA_WORDS);

/** Whether a text visibly drops or alters something in the database: a later statement cannot take that back, as DROP takes back CREATE. */
export const losesSchema = (sql: string): boolean => hasStatement(sql, LOSING_WORDS);

function hasStatement(sql: string, words: ReadonlySet<string>): boolean {
  return splitStatements(sql).some(({ from }) => {
    const [first, second, third, fourth] = leadingWords(sql, from, 4);
    if (!words.has(first ?? '')) return false;
    if (first === 'CREATE' && (second === 'TEMP' || second === 'TEMPORARY')) return false;
    if (first === 'VACUUM' && second === 'INTO') return false;
    // DROP TABLE temp.t, ALTER TABLE temp.t
    return !(third === 'TEMP' && fourth === '.');
  });
}

/** ANALYZE, or the pragma that runs it where that is worthwhile. */
export function makesStatistics(sql: string): boolean {
  const [first, second, third, fourth] = leadingWords(sql, 0, 4);
  // `PRAGMA user_version = optimize` sets something: it must not pass for statistics, which become no step of the history.
  return first === 'ANALYZE' || (first === 'PRAGMA' && (third === '.' ? fourth : second) === 'OPTIMIZE');
}

/** PRAGMAs whose value in parentheses only selects what is read. */
const ASKING_PRAGMA = /(?:_info|_xinfo|_list|_check)$/i;

/** `PRAGMA name = value`, `PRAGMA schema.name(value)`. @param words of one statement, in capitals; six of them tell */
export function setsSomething([first, ...words]: readonly string[]): boolean {
  if (first !== 'PRAGMA') return false;
  const name = words[1] === '.' ? words[2] : words[0];
  const after = words[1] === '.' ? words[3] : words[1];
  if (after === '=') return true;
  return after === '(' && !ASKING_PRAGMA.test(name ?? '');
}

/** The first word of the first statement that begins with one of `words`, or null. */
export function firstOf(sql: string, words: ReadonlySet<string>): string | null {
  for (const { from } of splitStatements(sql)) {
    const [word] = leadingWords(sql, from, 1);
    if (word !== undefined && words.has(word)) return word;
  }
  return null;
}
