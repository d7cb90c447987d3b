// For tests: random chains of views, common table expressions, and generated columns that read each other several times.
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';

const COLUMNS = ['a', 'b', 'c'];

/** Statements that make a schema whose views are `v1`, `v2`, and so on; the table is `v0`. */
export function randomChain(seed: number): readonly string[] {
  const random = createRandom(seed);
  const length = random.between(4, 24);
  const style: Style = {
    plain: random.chance(0.5),
    names: random.chance(0.6) ? ['a'] : COLUMNS,
    copies: random.between(1, 4),
    subqueries: random.chance(0.4),
    fences: random.chance(0.3),
  };
  const views = Array.from({ length }, (_, at) => {
    const below = random.chance(0.85) ? `v${at}` : `v${random.between(Math.max(0, at - 3), at)}`;
    return `CREATE VIEW v${at + 1} AS ${selectFrom(random, below, style)}`;
  });
  return [tableOf(random), ...views];
}

function tableOf(random: Random): string {
  const count = random.chance(0.5) ? 0 : random.between(1, 7);
  const generated = Array.from(
    { length: count },
    (_, at) => `g${at + 1} AS (g${at} ${random.chance(0.5) ? `|| g${at}` : '+ 1'})`,
  );
  const last = count === 0 ? 'c' : `c AS (g${count})`;
  return `CREATE TABLE v0 (a, b, g0, ${[...generated, last].join(', ')})`;
}

interface Style {
  /** Nothing but expressions, which SQLite reads in place of names through all levels. */
  readonly plain: boolean;
  /** Columns that are read more than once. */
  readonly names: readonly string[];
  readonly copies: number;
  readonly subqueries: boolean;
  readonly fences: boolean;
}

function selectFrom(random: Random, below: string, style: Style): string {
  const kind = style.plain ? 9 : random.between(0, 9);
  if (kind === 0) {
    const steps = random.between(1, 4);
    const list = Array.from(
      { length: steps },
      (_, at) => `s${at + 1} AS (${coreFrom(random, at === 0 ? below : `s${at}`, style)})`,
    );
    return `WITH ${(random.chance(0.5) ? list : list.reverse()).join(', ')} ${coreFrom(random, `s${steps}`, style)}`;
  }
  if (kind === 1) return `SELECT * FROM (${coreFrom(random, below, style)}) AS x`;
  if (kind === 2) return `${coreFrom(random, below, style)} UNION ALL SELECT a, b, c FROM v0`;
  if (kind === 3) return `${coreFrom(random, below, style)} ORDER BY ${random.pick(['1', '2, 1', 'a', 'a + b, c'])}`;
  if (kind === 4)
    return `SELECT a, b, sum(c) OVER (ORDER BY ${expression(random, below, style, '')}) AS c FROM ${random.pick([below, 'v0'])}`;
  return coreFrom(random, below, style);
}

function coreFrom(random: Random, below: string, style: Style): string {
  const isJoined = !style.plain && random.chance(0.2);
  const from = isJoined
    ? `${below} x ${random.pick(['JOIN', 'LEFT JOIN'])} v0 y ON ${random.pick(['x.a = y.a', 'x.b > y.b'])}`
    : `${below} x`;
  const list = COLUMNS.map((name) => {
    const value =
      !style.names.includes(name) || random.chance(0.15) ? `x.${name}` : expression(random, below, style, 'x.');
    return `${value} ${random.pick(['AS ', ''])}${name}`;
  });
  const where = random.chance(0.3) ? ` WHERE ${expression(random, below, style, 'x.')} > 1` : '';
  const group =
    style.fences && !style.plain && random.chance(0.2) ? ` GROUP BY ${random.pick(['1', 'x.a', 'x.a, 2'])}` : '';
  const distinct = style.fences && !style.plain && random.chance(0.2) ? 'DISTINCT ' : '';
  return `SELECT ${distinct}${list.join(', ')} FROM ${from}${where}${group}`;
}

function expression(
  random: Random,
  below: string,
  { plain, names: columns, copies, subqueries }: Style,
  qualifier: string,
): string {
  const names = Array.from({ length: random.between(1, copies) }, () => `${qualifier}${random.pick(columns)}`);
  if (subqueries && !plain && random.chance(0.15)) names.push(`(SELECT ${random.pick(COLUMNS)} FROM ${below})`);
  const [first = '1', ...others] = names;
  const forms = [
    names.join(' || '),
    `coalesce(${names.join(', ')}, 0)`,
    `CASE WHEN ${first} > 1 THEN ${others.join(' + ') || '1'} END`,
    `(${first} BETWEEN 1 AND ${others[0] ?? '2'})`,
    `max(${names.join(', ')}, 1)`,
  ];
  return random.pick(forms);
}

/** Statements that make tables `t1`, …, and views over UNION ALL of many of them: `v1`, and up to four that read from the one before. */
export function randomUnions(seed: number): readonly string[] {
  const random = createRandom(seed);
  const columns = Array.from({ length: random.between(3, 40) }, (_, at) => `c${at}`);
  const count = random.between(2, random.chance(0.5) ? 400 : 60);
  /** Now and then, one of them is much longer than the others. */
  const odd = random.between(1, count * 2);
  const long = ' || c1'.repeat(random.between(1, 400));
  const list = (from: string): string =>
    columns
      .map((name) => {
        const column = `${from}${name}`;
        const value = random.pick([column, `coalesce(${column}, 0)`, `CASE WHEN ${column} > 1 THEN ${from}c0 END`]);
        return `${value} AS ${name}`;
      })
      .join(', ');
  const arms = Array.from({ length: count }, (_, at) =>
    at === odd ? `SELECT ${list('').replaceAll(' AS', `${long} AS`)} FROM t${at}` : `SELECT ${list('')} FROM t${at}`,
  );
  const size = random.between(1, 12);
  const parts = Array.from({ length: Math.ceil(count / size) }, (_, at) => arms.slice(at * size, (at + 1) * size));
  const condition = (): string => `x.${random.pick(columns)} > 1 AND x.${random.pick(columns)} <> 'x'`;
  return [
    ...arms.map((_, at) => `CREATE TABLE t${at} (${columns.join(', ')})`),
    ...parts.map((some, at) => `CREATE VIEW p${at} AS ${some.join(' UNION ALL ')}`),
    `CREATE VIEW v1 AS ${parts.map((_, at) => `SELECT * FROM p${at}`).join(' UNION ALL ')}`,
    ...Array.from({ length: random.between(0, 4) }, (_, at) => {
      const joined = random.chance(0.15) ? ` JOIN v${at + 1} y USING (c0)` : '';
      const where = random.chance(0.7) ? ` WHERE ${condition()}` : '';
      return `CREATE VIEW v${at + 2} AS SELECT ${random.chance(0.5) ? 'x.*' : list('x.')} FROM v${at + 1} x${joined}${where}`;
    }),
  ];
}
