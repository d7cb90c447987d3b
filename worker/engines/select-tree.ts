// The SELECTs of a statement as a tree: their columns, what they read from, and the names in their expressions, with how often SQLite copies each.
import { foldName } from '#shared/ddl/names.ts';
import { SqlScanner, Token, unquote } from '#shared/sql-scanner.ts';

export interface Select {
  readonly expressions: readonly NamedSelect[];
  readonly cores: readonly Core[];
  /** ORDER BY and LIMIT. */
  readonly tail: Expression;
  /** SQLite computes it by itself, and never replaces its columns by what they are made of. */
  readonly isFenced: boolean;
}

/** A common table expression. */
interface NamedSelect {
  readonly name: string;
  readonly columns: readonly string[];
  readonly select: Select;
  readonly isMaterialized: boolean;
}

export interface Core {
  readonly columns: readonly ResultColumn[];
  readonly sources: readonly From[];
  readonly where: Expression;
  readonly rest: Expression;
  readonly isFenced: boolean;
}

interface ResultColumn {
  readonly name: string;
  /** `*`, or `t.*` with its name. */
  readonly star: boolean | string;
  readonly expression: Expression;
}

export interface From {
  /** Null for a subquery. */
  readonly name: string | null;
  /** Its schema is named, too, so it is no common table expression. */
  readonly isInSchema: boolean;
  readonly select: Select | null;
  readonly alias: string | null;
}

export interface Expression {
  /** Tokens that are no names. */
  size: number;
  /** Operators, calls, and CASEs in each other. */
  depth: number;
  readonly names: Reference[];
  readonly selects: { readonly select: Select; readonly times: number }[];
}

interface Reference {
  readonly qualifier: string | null;
  readonly name: string;
  readonly times: number;
}

export interface SelectTree {
  /** The names in `CREATE VIEW v (…)`. */
  readonly columns: readonly string[];
  readonly selects: readonly Select[];
  /** Folded names of the tables and views that are read from. */
  readonly sources: ReadonlySet<string>;
}

/** So often SQLite copies what windows are made of (measured: 2.2 to 3.1). */
const WINDOW_COPIES = 3;
/** The same for the terms of GROUP BY, HAVING, and ORDER BY, and the columns that they or WHERE name (1.5 to 2). */
const TERM_COPIES = 2;
/** No statement in deeper parentheses is prepared (sqlite.org/limits.html#max_expr_depth). */
const MOST_DEEP = 1000;
const MOST_WITHS_DEEP = 20;
const CLAUSES: ReadonlySet<string> = new Set([
  'FROM', 'WHERE', 'GROUP', 'HAVING', 'ORDER', 'LIMIT', 'UNION', 'EXCEPT', 'INTERSECT',
]); // prettier-ignore
const JOINS: ReadonlySet<string> = new Set(['NATURAL', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'OUTER', 'JOIN']);
const NO_ALIAS: ReadonlySet<string> = new Set([...CLAUSES, 'ON', 'USING', 'INDEXED', 'NOT', 'SET', 'RETURNING']);
const BEGINS_SELECT: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES']);
const OPERATORS: ReadonlySet<string> = new Set([
  'AND', 'BETWEEN', 'CAST', 'COLLATE', 'ESCAPE', 'EXISTS', 'GLOB', 'IN', 'IS', 'ISNULL', 'LIKE', 'MATCH', 'NOT', 'NOTNULL', 'OR', 'REGEXP', 'AS',
  'NULL', 'DISTINCT', 'ALL', 'BY', 'ASC', 'DESC', 'CURRENT_TIME', 'CURRENT_DATE', 'CURRENT_TIMESTAMP', 'FROM', 'RAISE',
]); // prettier-ignore

/** Null for what is not SQL that SQLite would prepare, or is unlike any that is known here. Takes time proportional to the text. */
export function readSelects(sql: string): SelectTree | null {
  try {
    return new TreeReader(sql).read();
  } catch (error) {
    if (error === NOT_UNDERSTOOD) return null;
    throw error;
  }
}

const NOT_UNDERSTOOD = new Error('not understood');

export const newExpression = (): Expression => ({ size: 0, depth: 0, names: [], selects: [] });

class TreeReader {
  readonly #kinds: Token[] = [];
  /** Words in capitals, signs as they are, and nothing for all others. */
  readonly #signs: string[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #sql: string;
  /** Read where the current common table expressions can be named. */
  #sources = new Set<string>();
  readonly #qualified = new Set<string>();
  #at = 0;
  #deep = 0;
  #withs = 0;
  #windows = 0;
  #endOfCase = -1;

  constructor(sql: string) {
    this.#sql = sql;
    const scanner = new SqlScanner(sql);
    do {
      const kind = scanner.next();
      this.#kinds.push(kind);
      this.#signs.push(
        kind === Token.word
          ? scanner.text.toUpperCase()
          : kind === Token.other || kind === Token.semicolon
            ? scanner.text
            : '',
      );
      this.#from.push(scanner.from);
      this.#to.push(scanner.to);
    } while (scanner.kind !== Token.end);
  }

  read(): SelectTree {
    const columns = this.#head();
    const all = newExpression();
    while (!this.#isEnd) {
      if (BEGINS_SELECT.has(this.#sign)) all.selects.push({ select: this.#select(), times: 1 });
      else if (this.#sign === '(') this.#parenthesis(all, 1);
      else this.#at++;
    }
    const sources = new Set([...this.#sources, ...this.#qualified]);
    return { columns, selects: all.selects.map(({ select }) => select), sources };
  }

  /** `CREATE VIEW v (a, b) AS` */
  #head(): string[] {
    if (this.#signs[0] !== 'CREATE') return [];
    while (!this.#isEnd && this.#sign !== 'AS' && this.#sign !== '(' && this.#sign !== 'BEGIN') this.#at++;
    return this.#sign === '(' && this.#signs[1] !== 'TRIGGER' ? this.#nameList() : [];
  }

  get #isEnd(): boolean {
    return this.#kinds[this.#at] === Token.end;
  }

  get #isName(): boolean {
    const kind = this.#kinds[this.#at];
    return kind === Token.word || kind === Token.quoted || kind === Token.text;
  }

  get #sign(): string {
    return this.#signs[this.#at]!;
  }

  #nameAt(at: number): string | null {
    const kind = this.#kinds[at];
    if (kind !== Token.word && kind !== Token.quoted && kind !== Token.text) return null;
    const text = this.#sql.slice(this.#from[at], this.#to[at]);
    return foldName(kind === Token.word ? text : unquote(text));
  }

  #take(sign: string): boolean {
    if (this.#sign !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw NOT_UNDERSTOOD;
  }

  #name(): string {
    const name = this.#nameAt(this.#at);
    if (name === null) throw NOT_UNDERSTOOD;
    this.#at++;
    return name;
  }

  #nameList(): string[] {
    this.#expect('(');
    const names = [];
    do names.push(this.#name());
    while (this.#take(','));
    this.#expect(')');
    return names;
  }

  #deeper<T>(work: () => T): T {
    if (++this.#deep > MOST_DEEP) throw NOT_UNDERSTOOD;
    const result = work();
    this.#deep--;
    return result;
  }

  #select(): Select {
    return this.#deeper(() => (this.#take('WITH') ? this.#selectWith() : this.#selectOf([])));
  }

  #selectWith(): Select {
    if (++this.#withs > MOST_WITHS_DEEP) throw NOT_UNDERSTOOD;
    const outer = this.#sources;
    this.#sources = new Set();
    if (this.#sign === 'RECURSIVE' && this.#signs[this.#at + 1] !== 'AS' && this.#signs[this.#at + 1] !== '(')
      this.#at++;
    const expressions: NamedSelect[] = [];
    do expressions.push(this.#namedSelect());
    while (this.#take(','));
    const select = this.#selectOf(expressions);
    for (const { name } of expressions) this.#sources.delete(name);
    for (const name of this.#sources) outer.add(name);
    this.#sources = outer;
    this.#withs--;
    return select;
  }

  #selectOf(expressions: readonly NamedSelect[]): Select {
    const cores = [this.#core()];
    let isFenced = false;
    while (this.#sign === 'UNION' || this.#sign === 'EXCEPT' || this.#sign === 'INTERSECT') {
      this.#at++;
      isFenced = !this.#take('ALL') || isFenced;
      cores.push(this.#core());
    }
    const tail = newExpression();
    if (this.#take('ORDER') || this.#take('LIMIT')) this.#expression(tail, TERM_COPIES, () => false);
    return { expressions, cores, tail, isFenced };
  }

  #namedSelect(): NamedSelect {
    const name = this.#name();
    const columns = this.#sign === '(' ? this.#nameList() : [];
    this.#expect('AS');
    const isNot = this.#take('NOT');
    const isMaterialized = this.#take('MATERIALIZED') && !isNot;
    this.#expect('(');
    const select = this.#select();
    this.#expect(')');
    return { name, columns, select, isMaterialized };
  }

  #core(): Core {
    const [where, rest] = [newExpression(), newExpression()];
    if (this.#take('VALUES')) {
      this.#expression(rest, 1, isEndOfCore);
      return { columns: [], sources: [], where, rest, isFenced: true };
    }
    this.#expect('SELECT');
    const windows = this.#windows;
    let isFenced = this.#take('DISTINCT');
    this.#take('ALL');
    const columns: ResultColumn[] = [];
    do columns.push(this.#resultColumn());
    while (this.#take(','));
    const sources: From[] = [];
    if (this.#take('FROM')) this.#fromList(sources, rest);
    if (this.#take('WHERE')) this.#expression(where, 1, isClause);
    if (this.#take('GROUP')) {
      isFenced = true;
      this.#expression(rest, TERM_COPIES, isClause);
    }
    if (this.#take('HAVING')) this.#expression(rest, TERM_COPIES, isClause);
    const uses = this.#windows - windows;
    if (this.#isWindow && this.#take('WINDOW')) this.#expression(rest, WINDOW_COPIES * Math.max(1, uses), isEndOfCore);
    return { columns, sources, where, rest, isFenced: isFenced || uses > 0 };
  }

  /** `WINDOW w AS` */
  get #isWindow(): boolean {
    return this.#sign === 'WINDOW' && this.#signs[this.#at + 2] === 'AS';
  }

  #resultColumn(): ResultColumn {
    const from = this.#at;
    const expression = newExpression();
    const [first, second, third] = [this.#sign, this.#signs[this.#at + 1], this.#signs[this.#at + 2]];
    if (first === '*') {
      this.#at++;
      return { name: '', star: true, expression };
    }
    if (second === '.' && third === '*') {
      const star = this.#name();
      this.#at += 2;
      return { name: '', star, expression };
    }
    this.#expression(expression, 1, isEndOfColumn);
    if (this.#take('AS')) return { name: this.#name(), star: false, expression };
    return { name: this.#impliedName(from, expression), star: false, expression };
  }

  /** `a`, `t.a`, `a + 1 b`, or the text. */
  #impliedName(from: number, expression: Expression): string {
    const at = this.#at - 1;
    const last = this.#nameAt(at);
    const isName = last !== null && at !== this.#endOfCase && !OPERATORS.has(this.#signs[at]!);
    if (isName && (at === from || (at === from + 2 && this.#signs[from + 1] === '.'))) return last;
    if (isName && this.#endsOperand(at - 1)) {
      if (this.#kinds[at] !== Token.text) expression.names.pop();
      return last;
    }
    return foldName(this.#sql.slice(this.#from[from], this.#to[at]));
  }

  #endsOperand(at: number): boolean {
    const kind = this.#kinds[at]!;
    if (kind === Token.word) return this.#signs[at] === 'NULL' || !OPERATORS.has(this.#signs[at]!);
    return kind !== Token.other || this.#signs[at] === ')' || this.#signs[at]!.length > 1;
  }

  #fromList(sources: From[], rest: Expression): void {
    this.#deeper(() => {
      for (;;) {
        this.#source(sources, rest);
        if (this.#take('ON')) this.#expression(rest, 1, isEndOfJoin);
        if (this.#sign === 'USING') {
          this.#at++;
          this.#nameList();
        }
        if (this.#take(',')) continue;
        if (!JOINS.has(this.#sign)) return;
        while (JOINS.has(this.#sign)) this.#at++;
      }
    });
  }

  #source(sources: From[], rest: Expression): void {
    if (this.#take('(')) {
      if (BEGINS_SELECT.has(this.#sign)) {
        const select = this.#select();
        this.#expect(')');
        sources.push({ name: null, isInSchema: false, select, alias: this.#alias() });
      } else {
        this.#fromList(sources, rest);
        this.#expect(')');
        this.#alias();
      }
      return;
    }
    let name = this.#name();
    const isInSchema = this.#take('.');
    if (isInSchema) name = this.#name();
    (isInSchema ? this.#qualified : this.#sources).add(name);
    if (this.#sign === '(') this.#parenthesis(rest, 1);
    sources.push({ name, isInSchema, select: null, alias: this.#alias() });
    if (this.#take('NOT')) this.#expect('INDEXED');
    else if (this.#take('INDEXED')) {
      this.#expect('BY');
      this.#name();
    }
  }

  #alias(): string | null {
    if (this.#take('AS')) return this.#name();
    const isName = this.#isName && !NO_ALIAS.has(this.#sign) && !this.#isWindow;
    return isName && !(JOINS.has(this.#sign) && isJoin(this.#sign, this.#signs[this.#at + 1]!)) ? this.#name() : null;
  }

  /** Reads on until one of the words that end it, or the parenthesis that encloses it. */
  #expression(into: Expression, times: number, isEnd: (sign: string, before: string, next: string) => boolean): void {
    const outer = into.depth;
    let [operators, deepest] = [0, 0];
    into.depth = 0;
    const end = (): void => {
      deepest = Math.max(deepest, operators + into.depth);
      operators = into.depth = 0;
    };
    while (!this.#isEnd) {
      const sign = this.#sign;
      const before = this.#signs[this.#at - 1] ?? '';
      if (sign === ')' || sign === ';' || isEnd(sign, before, this.#signs[this.#at + 1]!) || this.#isWindow) break;
      if (sign === '(') {
        const isWindow = before === 'OVER';
        if (isWindow) this.#windows++;
        this.#parenthesis(into, isWindow ? times * WINDOW_COPIES : times);
        operators++;
      } else if (sign === 'CASE') {
        this.#at++;
        into.size += times;
        this.#deeper(() => this.#expression(into, times, isEndOfCase));
        this.#endOfCase = this.#at;
        this.#expect('END');
        operators++;
      } else {
        if (sign === ',' || sign === 'WHEN' || sign === 'THEN' || sign === 'ELSE') end();
        else if (isOperator(this.#kinds[this.#at]!, sign)) operators++;
        this.#operand(into, times, before);
      }
    }
    end();
    into.depth = Math.max(outer, deepest);
  }

  #parenthesis(into: Expression, times: number): void {
    this.#expect('(');
    if (BEGINS_SELECT.has(this.#sign)) into.selects.push({ select: this.#select(), times });
    else this.#deeper(() => this.#expression(into, times, () => false));
    this.#expect(')');
  }

  #operand(into: Expression, times: number, before: string): void {
    const sign = this.#sign;
    const kind = this.#kinds[this.#at]!;
    const [from, to] = [this.#from[this.#at]!, this.#to[this.#at]!];
    this.#at++;
    if (before === 'OVER') this.#windows++;
    if (kind === Token.number && times > 1)
      // ORDER BY 2
      into.names.push({ qualifier: null, name: this.#sql.slice(from, to), times });
    if (kind !== Token.quoted && (kind !== Token.word || OPERATORS.has(sign))) {
      if (sign !== ',') into.size += times;
      return;
    }
    const name = this.#nameAt(this.#at - 1)!;
    if (before === 'IN') {
      const isInSchema = this.#take('.');
      const table = isInSchema ? this.#name() : name;
      (isInSchema ? this.#qualified : this.#sources).add(table);
      into.selects.push({ select: selectOf(table, isInSchema), times });
      return;
    }
    if (this.#sign === '(') {
      into.size += times;
      return;
    }
    const path = [name];
    while (this.#take('.')) path.push(this.#name());
    into.names.push({ qualifier: path.at(-2) ?? null, name: path.at(-1)!, times });
  }
}

/** What `IN t` reads. */
const selectOf = (name: string, isInSchema: boolean): Select => ({
  expressions: [],
  cores: [
    {
      columns: [{ name: '', star: true, expression: newExpression() }],
      sources: [{ name, isInSchema, select: null, alias: null }],
      where: newExpression(),
      rest: newExpression(),
      isFenced: false,
    },
  ],
  tail: newExpression(),
  isFenced: false,
});

const isOperator = (kind: Token, sign: string): boolean =>
  kind === Token.word ? OPERATORS.has(sign) : kind === Token.other && sign !== '.' && sign !== ',';

const isClause = (sign: string, before: string): boolean =>
  CLAUSES.has(sign) && !(sign === 'FROM' && before === 'DISTINCT');
const isEndOfColumn = (sign: string, before: string): boolean =>
  sign === ',' || sign === 'AS' || isClause(sign, before);
const isEndOfCore = (sign: string): boolean =>
  sign === 'UNION' || sign === 'EXCEPT' || sign === 'INTERSECT' || sign === 'ORDER' || sign === 'LIMIT';
const isEndOfJoin = (sign: string, before: string, next: string): boolean =>
  sign === ',' || isJoin(sign, next) || isClause(sign, before);
const isEndOfCase = (sign: string): boolean => sign === 'END';

/** Most of these words can be names, too. */
const isJoin = (sign: string, next: string): boolean => sign === 'JOIN' || (JOINS.has(sign) && JOINS.has(next));
