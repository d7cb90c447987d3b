// Which tables, views, and common table expressions a statement reads from.
import { foldName } from './ddl/names.ts';
import { SqlScanner, Token } from './sql-scanner.ts';

interface Level {
  /** What the next token may be: a source, a source or a parenthesis before sources, a word before a source, or something else. */
  next: 'name' | 'sources' | 'action' | null;
  /** Commas separate sources. */
  isFrom: boolean;
  /** The source that the token before names, so a name behind a dot is the real one. */
  before: string | null;
}

/** Behind these reserved words, commas separate something else. */
const ENDS_FROM: ReadonlySet<string> = new Set([
  'SELECT',
  'VALUES',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'SET',
]);

/**
 * The sources of a statement, or of the definition of a view or trigger, by folded name, and how often each is named. Never fewer than SQLite
 * reads from; more where an alias or a column looks like one. What a statement writes to is a source, too. Takes time proportional to the text.
 */
export function sourcesOf(sql: string): ReadonlyMap<string, number> {
  const sources = new Map<string, number>();
  const scanner = new SqlScanner(sql);
  const outer: Level[] = [];
  let level: Level = { next: null, isFrom: false, before: null };
  while (scanner.next() !== Token.end) {
    const { kind } = scanner;
    const sign = kind === Token.other || kind === Token.semicolon ? scanner.text : '';
    if (sign === '(') {
      outer.push(level);
      const isFrom = level.next === 'sources';
      level = { next: isFrom ? 'sources' : null, isFrom, before: null };
      continue;
    }
    if (sign === ')') {
      level = outer.pop() ?? level;
      level.next = level.before = null;
      continue;
    }
    if (kind === Token.word && readKeyword(level, scanner.text.toUpperCase())) continue;
    const isName = kind === Token.word || kind === Token.quoted || kind === Token.text;
    readOther(level, sign, isName ? scanner.name : null, sources);
  }
  return sources;
}

/** False for a word that may be a name. */
function readKeyword(level: Level, word: string): boolean {
  if (ENDS_FROM.has(word)) {
    level.next = null;
    level.isFrom = false;
  } else if (word === 'FROM' || word === 'JOIN') {
    level.next = 'sources';
    level.isFrom = true;
  } else if (word === 'IN' || word === 'INTO' || word === 'UPDATE') level.next = 'name';
  else if (word === 'AS') level.next = null;
  // UPDATE OR IGNORE t
  else if (word === 'OR' && level.next === 'name') level.next = 'action';
  else return false;
  level.before = null;
  return true;
}

function readOther(level: Level, sign: string, name: string | null, sources: Map<string, number>): void {
  const { before } = level;
  level.before = null;
  if (name === null) {
    if (sign === ';') level.isFrom = false;
    if (sign === '.' && before !== null) {
      // It was the name of a schema.
      count(sources, before, -1);
      level.next = 'name';
    } else level.next = sign === ',' && level.isFrom ? 'sources' : null;
  } else if (level.next === 'action') level.next = 'name';
  else {
    if (level.next !== null) {
      level.before = foldName(name);
      count(sources, level.before, 1);
    }
    level.next = null;
  }
}

function count(sources: Map<string, number>, name: string, by: number): void {
  const times = (sources.get(name) ?? 0) + by;
  if (times > 0) sources.set(name, times);
  else sources.delete(name);
}
