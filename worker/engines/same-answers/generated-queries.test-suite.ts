// Queries from a seed: joins, groups, windows, compounds, subqueries and recursion, each with an order that leaves no choice.
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import { TABLE_NAMES, TABLES } from './generated-database.test-suite.ts';
import type { TableName } from './generated-database.test-suite.ts';
import { Expressions } from './generated-expressions.test-suite.ts';
import type { Dialect } from './option-differences.test-suite.ts';

/** Columns that identify a row: they end every ORDER BY that may leave ties. */
const KEYS: Readonly<Record<TableName, readonly string[]>> = {
  mixed: ['id'],
  keyed: ['k', 'part'],
  typed: ['id'],
  small: ['id'],
  joined: ['id', 'x', 'v', 'name'],
};
const JOINS = ['JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'CROSS JOIN'];
const AGGREGATES = ['count', 'sum', 'total', 'avg', 'min', 'max', 'group_concat', 'json_group_array', 'median'];
const RANKINGS = ['row_number()', 'rank()', 'dense_rank()', 'ntile(3)', 'percent_rank()', 'cume_dist()'];
const FRAMES = [
  '', 'ROWS UNBOUNDED PRECEDING', 'ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING', 'ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING',
  'GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES', 'ROWS 3 PRECEDING EXCLUDE CURRENT ROW',
]; // prettier-ignore

interface Source {
  readonly from: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

/** The same seed and dialect: the same text. */
export function generatedQuery(seed: number, dialect: Dialect): string {
  const random = createRandom(seed);
  const writer = new QueryWriter(random, new Expressions(random, dialect));
  return writer.query();
}

class QueryWriter {
  readonly #random: Random;
  readonly #expressions: Expressions;

  constructor(random: Random, expressions: Expressions) {
    this.#random = random;
    this.#expressions = expressions;
  }

  query(): string {
    switch (this.#random.between(0, 9)) {
      case 0:
      case 1:
      case 2:
        return this.#rows(this.#chance(0.5) ? this.#table() : this.#join());
      case 3:
      case 4:
        return this.#groups(this.#chance(0.7) ? this.#table() : this.#join());
      case 5:
      case 6:
        return this.#windows(this.#table());
      case 7:
        return this.#compound();
      case 8:
        return this.#nested();
      default:
        return this.#recursive();
    }
  }

  #rows({ from, columns, keys }: Source): string {
    const values = this.#list(1, 4, () => this.#expressions.value(columns));
    const order = this.#list(0, 2, () => `${this.#expressions.value(columns, 1)}${this.#direction()}`);
    const limit = this.#chance(0.3) ? ` LIMIT ${this.#random.between(0, 20)} OFFSET ${this.#random.between(0, 5)}` : '';
    return `SELECT ${[...keys, ...values].join(', ')} FROM ${from}${this.#where(columns)} ORDER BY ${[...notNumbers(order), ...keys].join(', ')}${limit}`;
  }

  #groups({ from, columns, keys }: Source): string {
    const groups = this.#list(0, 2, () => `hex(${this.#expressions.value(columns, 1)})`);
    const values = this.#list(1, 3, () => this.#aggregate(columns, keys));
    const having = groups.length > 0 && this.#chance(0.3) ? ` HAVING count(*) > ${this.#random.between(0, 2)}` : '';
    const by = groups.length > 0 ? ` GROUP BY ${groups.join(', ')}${having} ORDER BY ${groups.join(', ')}` : '';
    return `SELECT ${[...groups, ...values].join(', ')} FROM ${from}${this.#where(columns)}${by}`;
  }

  /** Sums of REAL depend on their order, so every aggregate has one. */
  #aggregate(columns: readonly string[], keys: readonly string[]): string {
    const name = this.#random.pick(AGGREGATES);
    const value = this.#expressions.value(columns, 1);
    const filter = this.#chance(0.2) ? ` FILTER (WHERE ${this.#expressions.condition(columns, 1)})` : '';
    if (this.#chance(0.2) && name === 'count') return `count(DISTINCT ${value})${filter}`;
    return `${name}(${value} ORDER BY ${keys.join(', ')})${filter}`;
  }

  #windows({ from, columns, keys }: Source): string {
    const partition = this.#chance(0.6) ? `PARTITION BY ${this.#expressions.value(columns, 1)} ` : '';
    const order = [...notNumbers([this.#expressions.value(columns, 1)]), ...keys].join(', ');
    const functions = this.#list(1, 3, () => this.#windowFunction(columns));
    const values = functions.map((call) => `${call} OVER (w ${this.#random.pick(FRAMES)})`);
    return `SELECT ${[...keys, ...values].join(', ')} FROM ${from}${this.#where(columns)} WINDOW w AS (${partition}ORDER BY ${order}) ORDER BY ${keys.join(', ')}`;
  }

  #windowFunction(columns: readonly string[]): string {
    const value = this.#expressions.value(columns, 1);
    if (this.#chance(0.4)) return this.#random.pick(RANKINGS);
    if (this.#chance(0.4))
      return `${this.#random.pick(['sum', 'count', 'min', 'max', 'avg', 'group_concat'])}(${value})`;
    if (this.#chance(0.5))
      return `${this.#random.pick(['lag', 'lead'])}(${value}, ${this.#random.between(0, 3)}, 'none')`;
    return this.#chance(0.5) ? `nth_value(${value}, 2)` : `${this.#random.pick(['first', 'last'])}_value(${value})`;
  }

  #compound(): string {
    const width = this.#random.between(1, 3);
    const part = (): string => {
      const { from, columns } = this.#table();
      const values = Array.from({ length: width }, () => `quote(${this.#expressions.value(columns, 1)})`);
      return `SELECT ${values.join(', ')} FROM ${from}${this.#where(columns)}`;
    };
    const operators = this.#list(1, 2, () => this.#random.pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT']));
    const order = Array.from({ length: width }, (_, column) => `${column + 1}${this.#direction()}`);
    return `${[part(), ...operators.map((operator) => `${operator} ${part()}`)].join(' ')} ORDER BY ${order.join(', ')}`;
  }

  #nested(): string {
    const outer = this.#table('o');
    const inner = this.#table('n');
    const both = [...outer.columns, ...inner.columns];
    const order = inner.keys.join(', ');
    const values = [
      `(SELECT ${this.#expressions.value(both, 1)} FROM ${inner.from}${this.#where(both)} ORDER BY ${order} LIMIT 1)`,
      `EXISTS (SELECT 1 FROM ${inner.from} WHERE ${this.#expressions.condition(both, 1)})`,
      `${this.#expressions.value(outer.columns, 1)} IN (SELECT ${this.#expressions.value(inner.columns, 1)} FROM ${inner.from})`,
      `(SELECT count(*) FROM ${inner.from} WHERE ${this.#expressions.condition(both, 1)})`,
    ];
    const where = this.#chance(0.4) ? ` WHERE ${this.#random.pick(values.slice(1))}` : '';
    return `SELECT ${[...outer.keys, this.#random.pick(values), this.#random.pick(values)].join(', ')} FROM ${outer.from}${where} ORDER BY ${outer.keys.join(', ')}`;
  }

  #recursive(): string {
    const step = this.#expressions.value(['i', 'v'], 2);
    const series = `WITH RECURSIVE n(i, v) AS (SELECT 1, ${this.#expressions.value(['1', "'x'"], 1)} UNION ALL SELECT i + 1, substr(${step}, 1, 40) FROM n WHERE i < ${this.#random.between(2, 25)})`;
    if (this.#chance(0.5)) return `${series} SELECT i, v, ${this.#expressions.value(['i', 'v'], 1)} FROM n ORDER BY i`;
    return `WITH RECURSIVE up(id, at, far) AS (SELECT id, parent, 0 FROM small UNION ALL SELECT up.id, s.parent, far + 1 FROM up JOIN small s ON s.id = up.at)
      SELECT id, at, far, ${this.#expressions.value(['id', 'at', 'far'], 1)} FROM up ORDER BY id, far`;
  }

  #table(alias = 'a', name: TableName = this.#random.pick(TABLE_NAMES)): Source {
    const of = (column: string): string => `${alias}.${column}`;
    return { from: `${name} ${alias}`, columns: TABLES[name].map(of), keys: KEYS[name].map(of) };
  }

  #join(): Source {
    const [one, other] = [this.#table('a'), this.#table('b', this.#random.pick(['small', 'keyed', 'typed']))];
    const columns = [...one.columns, ...other.columns];
    const on = this.#chance(0.6)
      ? `${this.#random.pick(one.columns)} = ${this.#random.pick(other.columns)}`
      : this.#expressions.condition(columns, 1);
    const kind = this.#random.pick(JOINS);
    return { from: `${one.from} ${kind} ${other.from} ON ${on}`, columns, keys: [...one.keys, ...other.keys] };
  }

  #where(columns: readonly string[]): string {
    return this.#chance(0.6) ? ` WHERE ${this.#expressions.condition(columns)}` : '';
  }

  #direction(): string {
    return this.#random.pick(['', '', ' DESC', ' NULLS LAST', ' COLLATE NOCASE', ' DESC NULLS FIRST']);
  }

  #list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.#random.between(least, most) }, make);
  }

  #chance(probability: number): boolean {
    return this.#random.chance(probability);
  }
}

/** A plain number in ORDER BY would name a column of the result. */
function notNumbers(terms: readonly string[]): readonly string[] {
  return terms.map((term) => (/^[-+(]*[\d.]/.test(term) ? `'' || ${term}` : term));
}
