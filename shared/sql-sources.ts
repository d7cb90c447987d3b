// Which tables and views a statement reads from, and how often: SQLite prepares a view again for each place that names it.
import { foldName } from './ddl/names.ts';
import { SqlScanner, Token } from './sql-scanner.ts';

export interface Source {
  /** How often the text reads from it. Infinite for a text with more common table expressions than anybody writes. */
  readonly times: number;
  /** Through how many common table expressions. */
  readonly depth: number;
}

/** Names in a statement, or in one of its common table expressions, and how often each is a source there. */
type Body = Map<string, number>;

interface Level {
  /** What the next token may be: a source, a source or a parenthesis before sources, a word before a source, or something else. */
  next: 'name' | 'sources' | 'action' | null;
  /** Commas separate sources. */
  isFrom: boolean;
  /** The token before is a source, so a name behind a dot is the real one. */
  isBehind: boolean;
  /** The last name, which AS and a parenthesis would make a common table expression. */
  name: string | null;
  isDefining: boolean;
  /** AS defines windows, which nothing names as a source. */
  isWindows: boolean;
  readonly body: Body;
}

const STATEMENT = '';
const MOST_EXPRESSIONS = 500;
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
 * The sources of a statement, or of the definition of a view or trigger, by folded name. Never fewer than SQLite reads from; more where an
 * alias or a column looks like one. What a statement writes to is a source, too. Takes time proportional to the text.
 */
export function sourcesOf(sql: string): ReadonlyMap<string, Source> {
  const bodies = readBodies(sql);
  if (bodies.size > MOST_EXPRESSIONS) {
    const names = [...bodies.values()].flatMap((body) => [...body.keys()]);
    return new Map(names.map((name) => [name, { times: Infinity, depth: Infinity }]));
  }
  const known = new Map<string, ReadonlyMap<string, Source>>();
  // Each is worked out after those that it reads from.
  const work = [{ name: STATEMENT, isReady: false }];
  const begun = new Set<string>();
  for (let step = work.pop(); step !== undefined; step = work.pop()) {
    const { name, isReady } = step;
    const body = bodies.get(name)!;
    if (isReady) known.set(name, withInner(name, body, known));
    else if (!begun.has(name)) {
      begun.add(name);
      work.push({ name, isReady: true });
      for (const inner of body.keys()) if (bodies.has(inner)) work.push({ name: inner, isReady: false });
    }
  }
  return known.get(STATEMENT)!;
}

function withInner(
  own: string,
  body: Body,
  known: ReadonlyMap<string, ReadonlyMap<string, Source>>,
): Map<string, Source> {
  const sources = new Map<string, Source>();
  const add = (name: string, { times, depth }: Source): void => {
    const before = sources.get(name);
    sources.set(name, { times: times + (before?.times ?? 0), depth: Math.max(depth, before?.depth ?? 0) });
  };
  for (const [name, times] of body) {
    // A table can have the name of the expression.
    add(name, { times, depth: 0 });
    // An expression that reads from itself is recursive: SQLite prepares it once.
    if (name === own) continue;
    for (const [inner, { times: innerTimes, depth }] of known.get(name) ?? [])
      add(inner, { times: times * innerTimes, depth: depth + 1 });
  }
  return sources;
}

function readBodies(sql: string): ReadonlyMap<string, Body> {
  const bodies = new Map<string, Body>([[STATEMENT, new Map()]]);
  const scanner = new SqlScanner(sql);
  const outer: Level[] = [];
  let level = newLevel(bodies.get(STATEMENT)!, false);
  while (scanner.next() !== Token.end) {
    const { kind } = scanner;
    const sign = kind === Token.other || kind === Token.semicolon ? scanner.text : '';
    if (sign === '(') {
      outer.push(level);
      level = newLevel(bodyBehind(level, bodies), level.next === 'sources');
      continue;
    }
    if (sign === ')') {
      level = outer.pop() ?? level;
      level.next = null;
      level.isBehind = level.isDefining = false;
      continue;
    }
    if (kind === Token.word && readKeyword(level, scanner.text.toUpperCase())) continue;
    readOther(level, sign, kind === Token.word || kind === Token.quoted || kind === Token.text ? scanner.name : null);
  }
  return bodies;
}

const newLevel = (body: Body, isFrom: boolean): Level => ({
  next: isFrom ? 'sources' : null,
  isFrom,
  isBehind: false,
  name: null,
  isDefining: false,
  isWindows: false,
  body,
});

/** What `name AS (` encloses is counted where the name is read from, or here if it is a window. */
function bodyBehind({ isDefining, isWindows, name, body }: Level, bodies: Map<string, Body>): Body {
  if (!isDefining || name === null || name === STATEMENT) return body;
  if (isWindows) count(body, name);
  const inner = bodies.get(name) ?? new Map<string, number>();
  bodies.set(name, inner);
  return inner;
}

/** False for a word that may be a name. */
function readKeyword(level: Level, word: string): boolean {
  const { next } = level;
  const wasDefining = level.isDefining;
  level.isDefining = wasDefining && (word === 'MATERIALIZED' || word === 'NOT');
  if (level.isDefining) return true;
  if (ENDS_FROM.has(word)) {
    level.next = null;
    level.isFrom = false;
  } else if (word === 'FROM' || word === 'JOIN') {
    level.next = 'sources';
    level.isFrom = true;
  } else if (word === 'IN' || word === 'INTO' || word === 'UPDATE') level.next = 'name';
  else if (word === 'AS') {
    level.isDefining = level.name !== null;
    level.next = null;
  }
  // UPDATE OR IGNORE t
  else if (word === 'OR' && next === 'name') level.next = 'action';
  else return false;
  level.isBehind = false;
  return true;
}

function readOther(level: Level, sign: string, name: string | null): void {
  level.isDefining = false;
  if (name === null) {
    if (sign === ';') level.isFrom = false;
    if (sign === '.' && level.isBehind) {
      // It was the name of a schema.
      count(level.body, level.name!, -1);
      level.next = 'name';
    } else level.next = sign === ',' && level.isFrom ? 'sources' : null;
    level.isBehind = false;
    return;
  }
  if (level.next === 'action') {
    level.next = 'name';
    return;
  }
  level.name = foldName(name);
  level.isWindows ||= level.name === 'window';
  level.isBehind = level.next !== null;
  if (level.isBehind) count(level.body, level.name);
  level.next = null;
}

function count(body: Body, name: string, by = 1): void {
  const times = (body.get(name) ?? 0) + by;
  if (times > 0) body.set(name, times);
  else body.delete(name);
}
