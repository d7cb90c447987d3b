// Which names stand where a query says what it reads from, and how often: what no API of SQLite reports. Counts too often rather than too
// seldom where the text alone does not decide.
import { foldName } from '#shared/ddl/names.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

/**
 * Context of a comma or a parenthesis. `list`: the columns of a SELECT. `from`: its tables. `join`: a condition between two tables, which
 * a comma ends. `other`: an expression.
 */
type Part = 'list' | 'from' | 'join' | 'other';

export interface QuerySources {
  /** How often each name refers to a table, view, or common table expression, by name in lower case. */
  readonly counts: ReadonlyMap<string, number>;
  /** Names of common table expressions, in lower case. */
  readonly expressions: ReadonlySet<string>;
  /** UNION, INTERSECT, or EXCEPT occurs anywhere. */
  readonly isCompound: boolean;
}

const PART_AFTER: Readonly<Record<string, Part>> = {
  SELECT: 'list', JOIN: 'from', ON: 'join', USING: 'join', WHERE: 'other', GROUP: 'other', HAVING: 'other',
  WINDOW: 'other', ORDER: 'other', LIMIT: 'other',
}; // prettier-ignore
const COMPOUND: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT']);
const OPENS_NAME: ReadonlySet<string> = new Set(['FROM', 'JOIN', ',', '(']);

/** Folded names and texts in a piece of SQL. */
export function namesIn(sql: string): Set<string> {
  const names = new Set<string>();
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end)
    if (scanner.kind === Token.word || scanner.kind === Token.quoted || scanner.kind === Token.text)
      names.add(foldName(scanner.name));
  return names;
}

export function sourcesOf(sql: string): QuerySources {
  const reading = new SourceReading();
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end && scanner.kind !== Token.semicolon) {
    const { kind } = scanner;
    // SQLite takes a string for a name where only a name is possible.
    const isName = kind === Token.word || kind === Token.quoted || kind === Token.text;
    reading.take(kind === Token.word ? scanner.text.toUpperCase() : scanner.text, isName ? scanner.name : null);
  }
  return reading;
}

class SourceReading implements QuerySources {
  readonly counts = new Map<string, number>();
  readonly expressions = new Set<string>();
  isCompound = false;
  readonly #parts: Part[] = ['other'];
  /** The last three tokens, newest first. */
  #before: readonly string[] = [];
  /** The name before AS, which may become that of a common table expression; its columns may come between. */
  #named: string | null = null;
  #lastName: string | null = null;
  /** The name before a dot. */
  #schema: string | null = null;
  /** The name before each open parenthesis. */
  readonly #namesBefore: (string | null)[] = [];

  /** @param token keywords in capitals; @param name what it names, if it can be a name */
  take(token: string, name: string | null): void {
    const [previous = '', , opening = ''] = this.#before;
    if (name !== null && this.#mayBeSource(previous)) this.#count(name);
    else if (name !== null && previous === '.' && this.#schema !== null && this.#mayBeSource(opening)) {
      // The name counted before is that of its database.
      this.#count(this.#schema, -1);
      this.#count(name);
    }
    this.#move(token, previous);
    if (COMPOUND.has(token)) this.isCompound = true;
    if (token === 'AS') this.#named = this.#lastName;
    if (token !== ')') this.#lastName = name;
    if (token !== '.') this.#schema = name;
    // IS DISTINCT FROM is an operator.
    this.#before = [token === 'FROM' && previous === 'DISTINCT' ? 'IS' : token, ...this.#before.slice(0, 2)];
  }

  #mayBeSource(previous: string): boolean {
    return previous === 'FROM' || previous === 'JOIN' || (OPENS_NAME.has(previous) && this.#part === 'from');
  }

  get #part(): Part {
    return this.#parts[this.#parts.length - 1]!;
  }

  #count(name: string, by = 1): void {
    const key = foldName(name);
    const count = (this.counts.get(key) ?? 0) + by;
    if (count > 0) this.counts.set(key, count);
    else this.counts.delete(key);
  }

  #move(token: string, previous: string): void {
    if (token === '(') {
      const isInFrom = this.#part === 'from' && OPENS_NAME.has(previous);
      if ((previous === 'AS' || previous === 'MATERIALIZED') && this.#named !== null)
        this.expressions.add(foldName(this.#named));
      this.#namesBefore.push(this.#lastName);
      this.#parts.push(isInFrom ? 'from' : 'other');
    } else if (token === ')') {
      if (this.#parts.length > 1) this.#parts.pop();
      // `c(x, y) AS (…)`: the name is before the columns.
      this.#lastName = this.#namesBefore.pop() ?? null;
    } else if (token === ',' && this.#part === 'join') this.#become('from');
    else if (token === 'FROM' && previous !== 'DISTINCT') this.#become('from');
    else if (Object.hasOwn(PART_AFTER, token)) this.#become(PART_AFTER[token]!);
  }

  #become(part: Part): void {
    this.#parts[this.#parts.length - 1] = part;
  }
}
