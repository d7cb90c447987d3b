// What a script writes to, before any of it runs.
import type { Connection, Statement } from '../engines/engine.ts';
import { foldName } from '#shared/ddl/names.ts';
import { leadingWords, nextStatement } from '#shared/split-statements.ts';
import { skipToStatement, SqlScanner, Token } from '#shared/sql-scanner.ts';
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

/** `temporary`: TEMP tables and other TEMP objects, which are in no file of the user. */
export type Written = 'nothing' | 'temporary' | 'file';

/** Number of the schema `temp` in a program (sqlite.org/opcode.html#Transaction). */
const TEMP = 1;

/**
 * What the statements of `sql` write to, as far as SQLite can tell before anything has run. PRAGMAs that set something count as writing to
 * the file, unprepared: many take effect while they are prepared.
 */
export function writtenBy(connection: Pick<Connection, 'prepare' | 'all'>, sql: string): Written {
  const made = new Set<string>();
  let written: Written = 'nothing';
  for (let range = nextStatement(sql, 0); range; range = nextStatement(sql, range.to)) {
    const text = sql.slice(range.from, range.to);
    if (setsSomething(explainedWords(text)) || makesStatistics(text)) return 'file';
    const isWritten = writtenByOne(connection, text, made);
    if (isWritten === 'file') return 'file';
    if (isWritten === 'temporary') {
      written = 'temporary';
      noteRenamed(text, made);
    }
    if (isWritten !== 'unknown') continue;
    // An error in the text is reported when it runs, and ends the run, unless an earlier statement makes what is missing.
    if (written === 'nothing') return written;
    const isLikely = writtenToMade(text, made);
    if (isLikely === 'file') return 'file';
    if (isLikely === 'temporary') noteRenamed(text, made);
  }
  return written;
}

/** @param made names of the TEMP tables and views that earlier statements of the text make; that of this one is added */
function writtenByOne(
  connection: Pick<Connection, 'prepare' | 'all'>,
  text: string,
  made: Set<string>,
): Written | 'unknown' {
  try {
    const statement = connection.prepare(text);
    const writes = isWrite(statement, text);
    statement.finalize();
    if (!writes) return 'nothing';
    if (!writesOnlyTemp(connection, text)) return 'file';
    noteMade(text, made);
    return 'temporary';
  } catch {
    return 'unknown';
  }
}

/** `CREATE TEMP TABLE`, `CREATE TEMP VIEW`, `CREATE VIRTUAL TABLE temp.name`. Returns whether it is one of them. */
function noteMade(text: string, made: Set<string>): boolean {
  const [create, second, third] = leadingWords(text, 0, 3);
  const isTemp = /^TEMP(?:ORARY)?$/.test(second ?? '');
  if (create !== 'CREATE' || !/^(?:TABLE|VIEW|VIRTUAL)$/.test((isTemp ? third : second) ?? '')) return false;
  const { schema, name } = targetOf(text);
  if (!isTemp && schema !== 'temp') return false;
  made.add(name);
  return true;
}

/** `ALTER TABLE name RENAME TO other`: later statements write to `other`. */
function noteRenamed(text: string, made: Set<string>): void {
  const scanner = new SqlScanner(text, skipToStatement(text, 0));
  let [isRename, isTo] = [false, false];
  for (let kind = scanner.next(); kind !== Token.end && !isTo; kind = scanner.next()) {
    const word = kind === Token.word ? scanner.text.toUpperCase() : '';
    isTo = isRename && word === 'TO';
    isRename = word === 'RENAME';
  }
  if (isTo && leadingWords(text, 0, 1)[0] === 'ALTER') made.add(foldName(scanner.name));
}

/** What cannot be prepared yet is told by the name that it writes to. */
function writtenToMade(text: string, made: Set<string>): Written {
  if (noteMade(text, made)) return 'temporary';
  const [first, second] = leadingWords(text, 0, 2);
  if (first === 'SELECT' || (first === 'WITH' && !WRITES.test(text))) return 'nothing';
  // A trigger could write to anything.
  if (first === 'CREATE' && second !== 'INDEX' && second !== 'UNIQUE') return 'file';
  const { schema, name } = targetOf(text);
  return schema === 'temp' || (schema === null && made.has(name)) ? 'temporary' : 'file';
}

const WRITES = /\b(?:INSERT|REPLACE|UPDATE|DELETE)\b/i;
const BEFORE_NAME: ReadonlySet<string> = new Set([
  'INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALTER', 'OR', 'ROLLBACK', 'ABORT', 'FAIL', 'IGNORE', 'INTO', 'FROM', 'TEMP',
  'TEMPORARY', 'VIRTUAL', 'TABLE', 'VIEW', 'IF', 'NOT', 'EXISTS',
]); // prettier-ignore

/** The folded name that a statement writes to: the first behind its verb; of an index, that of its table. */
function targetOf(text: string): { readonly schema: string | null; readonly name: string } {
  const scanner = new SqlScanner(text, skipToStatement(text, 0));
  const words = leadingWords(text, 0, 3);
  const isIndex = words[0] === 'CREATE' && words.includes('INDEX');
  let last = '';
  const isBefore = (): boolean => {
    const word = scanner.kind === Token.word ? scanner.text.toUpperCase() : '';
    // As in `DELETE FROM temp.name`, not in CREATE TEMP.
    const isSchema = word === 'TEMP' && last !== 'CREATE';
    last = word;
    return isIndex ? word !== 'ON' : BEFORE_NAME.has(word) && !isSchema;
  };
  let kind = scanner.next();
  while (kind !== Token.end && isBefore()) kind = scanner.next();
  if (isIndex) scanner.next();
  const first = foldName(scanner.name);
  scanner.next();
  if (scanner.text !== '.') return { schema: null, name: first };
  scanner.next();
  return { schema: first, name: foldName(scanner.name) };
}

/**
 * Whether the statement begins a write transaction on `temp` and on no other database. That of its triggers is in its program. What begins
 * none may do anything: `VACUUM INTO`, a checkpoint.
 */
export function writesOnlyTemp(connection: Pick<Connection, 'all'>, text: string): boolean {
  const begun = connection
    .all(`EXPLAIN ${text}`)
    .filter(([, opcode, , isWriting]) => opcode === 'Transaction' && Number(isWriting) > 0);
  return begun.length > 0 && begun.every(([, , schema]) => Number(schema) === TEMP);
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
