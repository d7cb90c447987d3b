// How much SQLite prepares for a SELECT: it reads the columns of a view or subquery, with all that they are made of, in place of their names.
import type { Core, Expression, From, Select, SelectTree } from './select-tree.ts';

/** What an expression is made of. */
export interface Weight {
  /** Names, operators, and other tokens. */
  readonly nodes: number;
  /** Tables that its subqueries read from. */
  readonly sources: number;
  /** Operators in each other. */
  readonly depth: number;
}

interface ColumnWeights {
  /** Those that weigh more than their name. */
  readonly columns: ReadonlyMap<string, Weight>;
  /** By position; null where `*` stands for columns of a table, whose weights only {@link columns} has. */
  readonly list: readonly Weight[] | null;
  /** Any column may have so much. */
  readonly least: Weight;
}

export interface SelectWeight extends ColumnWeights {
  /**
   * The columns in WHERE of what reads from them: SQLite moves such conditions inside, also into what it computes by itself. Null: as
   * everywhere else.
   */
  readonly inside: ColumnWeights | null;
  readonly columnCount: number;
  /** All columns together, in all copies. */
  readonly whole: Weight;
  /** What stays when columns are read in place of their names: conditions, and what SQLite computes by itself. */
  readonly other: Weight;
  /** Tables that are read from, also for columns that are not needed. */
  readonly named: number;
  /** The same in that SELECT of those that UNION joins which reads from most. */
  readonly mostNamed: number;
  /** Views and common table expressions that read from each other. */
  readonly levels: number;
  /** SELECTs that UNION joins: the conditions of what reads from them are copied for each. */
  readonly copies: number;
  /** Those of them with which SQLite merges what reads from them, so that all of that is copied for each. */
  readonly arms: number;
  /** Nodes of {@link whole} and {@link other}, of those SELECTs that SQLite prepares one after the other in the one that has most. */
  readonly mostWhole: number;
  readonly mostOther: number;
  /** Finding names and types of columns, through all levels. */
  readonly work: number;
  /** The same for each level again, when it is read for the first time. */
  readonly firstWork: number;
}

const LIGHT: Weight = { nodes: 1, sources: 0, depth: 0 };
const NOTHING: Weight = { nodes: 0, sources: 0, depth: 0 };
/** So many comparisons of names take the time of one node (measured: 25 to 50 ns each). */
const NAMES_AT_ONCE = 4;
/** Finding a column that `*` stands for takes the time of so many nodes (measured: about 2 µs, for 200 to 2,000 columns). */
const STARRED = 8;
/** Deeper ones need more of the stack than there is. */
const MOST_DEEP = 100;

export function tableWeight(columns: ReadonlyMap<string, Weight>, columnCount: number): SelectWeight {
  let whole: Weight = { ...NOTHING, nodes: columnCount };
  for (const weight of columns.values()) whole = plus(whole, weight);
  const other: Weight = { ...NOTHING, sources: 1 };
  return {
    columns,
    list: null,
    least: LIGHT,
    inside: null,
    columnCount,
    whole,
    other,
    named: 1,
    mostNamed: 1,
    levels: 0,
    copies: 1,
    arms: 1,
    mostWhole: whole.nodes,
    mostOther: 0,
    work: 0,
    firstWork: 0,
  };
}

const EMPTY: SelectWeight = { ...tableWeight(new Map(), 0), list: [], other: NOTHING, named: 0, mostNamed: 0 };
const TOO_DEEP: SelectWeight = { ...EMPTY, other: { ...LIGHT, nodes: Infinity } };

/** @param weightOf of a table or view, by folded name */
export function weighTree(tree: SelectTree, weightOf: (name: string) => SelectWeight): SelectWeight {
  const weigher = new Weigher(weightOf);
  let total: SelectWeight | null = null;
  // A trigger can have many.
  for (const select of tree.selects) {
    const weight = weigher.select(select, null);
    total = total === null ? weight : withOther(total, weight);
  }
  const named = renamed(total ?? EMPTY, tree.columns);
  return { ...named, levels: named.levels + 1 };
}

const withOther = (a: SelectWeight, b: SelectWeight): SelectWeight => ({
  ...a,
  other: plus(plus(a.other, b.other), b.whole),
  mostOther: Math.max(a.mostOther, b.mostOther + b.mostWhole),
  named: a.named + b.named,
  mostNamed: a.mostNamed + b.mostNamed,
  levels: Math.max(a.levels, b.levels),
  work: a.work + b.work,
  firstWork: a.firstWork + b.firstWork,
});

const plus = (a: Weight, b: Weight, times = 1): Weight => ({
  nodes: a.nodes + b.nodes * times,
  sources: a.sources + b.sources * times,
  depth: Math.max(a.depth, b.depth),
});

const heavier = (a: Weight, b: Weight): Weight =>
  a === b
    ? a
    : {
        nodes: Math.max(a.nodes, b.nodes),
        sources: Math.max(a.sources, b.sources),
        depth: Math.max(a.depth, b.depth),
      };

/** Columns get the names of a list. */
function renamed(weight: SelectWeight, names: readonly string[]): SelectWeight {
  if (names.length === 0) return weight;
  return { ...weight, ...named(weight, names), inside: weight.inside && named(weight.inside, names) };
}

function named({ columns, list, least }: ColumnWeights, names: readonly string[]): ColumnWeights {
  if (list === null) return { columns, list, least: heaviestOf({ columns, list, least }) };
  return { columns: new Map(names.map((name, at) => [name, list[at] ?? LIGHT])), list, least };
}

function heaviestOf({ columns, least }: ColumnWeights): Weight {
  let heaviest = least;
  for (const weight of columns.values()) heaviest = heavier(heaviest, weight);
  return heaviest;
}

/** SQLite reads its columns from what it has computed. */
const fenced = (weight: SelectWeight): SelectWeight => ({
  ...weight,
  columns: new Map(),
  list: weight.list?.map(() => LIGHT) ?? null,
  least: LIGHT,
  inside: insideOf(weight),
  whole: { ...NOTHING, nodes: weight.columnCount },
  other: plus(weight.other, weight.whole),
  mostWhole: weight.columnCount,
  mostOther: weight.mostOther + weight.mostWhole,
  arms: 1,
});

/** SQLite merges SELECTs that UNION ALL joins only if each has a FROM clause, and neither DISTINCT, nor GROUP BY, nor windows. */
const isMerged = ({ cores, isFenced }: Select): boolean =>
  !isFenced && (cores.length === 1 || cores.every((core) => !core.isFenced && core.sources.length > 0));

const weightsOf = ({ columns, list, least }: ColumnWeights): ColumnWeights => ({ columns, list, least });
const insideOf = (weight: SelectWeight): ColumnWeights => weight.inside ?? weightsOf(weight);

function unitedColumns(a: ColumnWeights, b: ColumnWeights): ColumnWeights {
  const isListed = a.list !== null && b.list !== null;
  const list = isListed ? a.list.map((weight, at) => heavier(weight, b.list![at] ?? LIGHT)) : null;
  // Which column of the other one belongs to which name is not worth finding out: hardly any weighs more than its name.
  return { columns: a.columns, list, least: heavier(a.least, heaviestOf(b)) };
}

function united(a: SelectWeight, b: SelectWeight): SelectWeight {
  return {
    ...unitedColumns(a, b),
    inside: a.inside === null && b.inside === null ? null : unitedColumns(insideOf(a), insideOf(b)),
    columnCount: Math.max(a.columnCount, a.columns.size),
    whole: plus(a.whole, b.whole),
    other: plus(a.other, b.other),
    named: a.named + b.named,
    mostNamed: Math.max(a.mostNamed, b.mostNamed),
    levels: Math.max(a.levels, b.levels),
    copies: a.copies + b.copies,
    arms: a.arms + b.arms,
    mostWhole: Math.max(a.mostWhole, b.mostWhole),
    mostOther: Math.max(a.mostOther, b.mostOther),
    work: a.work + b.work,
    firstWork: a.firstWork + b.firstWork,
  };
}

/** A common table expression, weighed when something reads from it. */
interface Named {
  weight: SelectWeight | null;
  readonly weigh: () => SelectWeight;
}

/** What names mean at a place of the text. */
interface Scope {
  readonly outer: Scope | null;
  readonly selects: ReadonlyMap<string, Named>;
  readonly sources: ReadonlyMap<string, SelectWeight>;
  /** Columns of the SELECT itself, which its conditions can name, or count. */
  readonly own: ReadonlyMap<string, Weight>;
}

class Weigher {
  readonly #weightOf: (name: string) => SelectWeight;
  #deep = 0;
  /** With the subqueries in the expressions of the SELECT so far. */
  #inner = { named: 0, levels: 0, work: 0, firstWork: 0 };

  constructor(weightOf: (name: string) => SelectWeight) {
    this.#weightOf = weightOf;
  }

  select(select: Select, outer: Scope | null): SelectWeight {
    if (this.#deep >= MOST_DEEP) return TOO_DEEP;
    this.#deep++;
    const selects = new Map<string, Named>();
    const scope: Scope = { outer, selects, sources: new Map(), own: new Map() };
    for (const { name, columns, select: inner, isMaterialized } of select.expressions) {
      const weigh = (): SelectWeight => {
        const named = renamed(this.select(inner, scope), columns);
        const weight = { ...named, levels: named.levels + 1 };
        return isMaterialized ? { ...fenced(weight), inside: null } : weight;
      };
      selects.set(name, { weight: null, weigh });
    }
    // One that is short of levels here would be so where it is read.
    for (const named of selects.values()) weightOfNamed(named);
    let total: SelectWeight | null = null;
    for (const core of select.cores) {
      const weight = this.#core(core, select.tail, scope);
      total = total === null ? weight : united(total, weight);
    }
    this.#deep--;
    total ??= EMPTY;
    return isMerged(select) ? total : fenced(total);
  }

  #core(core: Core, tail: Expression, outer: Scope): SelectWeight {
    const sources = new Map<string, SelectWeight>();
    let [copies, arms, mostOther, named, levels, work, firstWork, columnCount] = [1, 1, 0, 0, 0, 0, 0, 0];
    let inner = NOTHING;
    core.sources.forEach((from, at) => {
      const read = this.#from(from, outer);
      // DISTINCT, GROUP BY, and windows apply to all rows of a UNION.
      const weight = core.isFenced && read.copies > 1 ? fenced(read) : read;
      // The same alias twice is an error for SQLite, but the same name is not.
      sources.set(
        sources.has(from.alias ?? from.name ?? '') ? ` ${at}` : (from.alias ?? from.name ?? ` ${at}`),
        weight,
      );
      copies = Math.max(copies, weight.copies);
      arms = Math.max(arms, weight.arms);
      mostOther += weight.mostOther;
      named += weight.named;
      levels = Math.max(levels, weight.levels);
      work += weight.work;
      firstWork += weight.firstWork;
      columnCount += weight.columnCount;
      // Columns that nothing needs are prepared once.
      inner = plus(plus(inner, weight.other), { ...NOTHING, sources: weight.whole.sources });
    });
    const before = this.#inner;
    this.#inner = { named, levels, work: 0, firstWork: 0 };
    const scope: Scope = { outer, selects: new Map(), sources, own: new Map() };
    const columns = this.#columns(core, scope);
    const inCore: Scope = { ...scope, own: columns.own };
    const inWhere = insideScope(inCore);
    const where = this.#expression(core.where, inWhere);
    const rest = plus(where, plus(this.#expression(core.rest, inCore), this.#expression(tail, inCore)));
    const inside = inWhere === inCore ? null : weightsOf(this.#columns(withoutSelects(core), inWhere));
    work +=
      (nameCount(core) * columnCount) / NAMES_AT_ONCE +
      columns.whole.nodes +
      columns.starred * STARRED +
      rest.nodes +
      this.#inner.work;
    firstWork += work + this.#inner.firstWork;
    ({ named, levels } = this.#inner);
    this.#inner = before;
    const whole = plus(NOTHING, columns.whole, arms);
    mostOther += rest.nodes;
    const other = plus(inner, rest, copies);
    const weight = {
      ...weightsOf(columns),
      inside,
      columnCount: columns.count,
      whole,
      other,
      named,
      mostNamed: named,
      levels,
      copies,
      arms,
      mostWhole: columns.most,
      mostOther,
      work,
      firstWork,
    };
    return core.isFenced ? { ...fenced(weight), copies: 1 } : weight;
  }

  #columns(core: Core, scope: Scope) {
    const weights = new Map<string, Weight>();
    const own = new Map<string, Weight>();
    let [whole, least, most, count, starred] = [NOTHING, LIGHT, 0, 0, 0];
    let list: Weight[] | null = [];
    const name = (key: string, weight: Weight): void => {
      if (weight.nodes > 1) weights.set(key, heavier(weight, weights.get(key) ?? LIGHT));
    };
    for (const { name: key, star, expression } of core.columns) {
      if (star === false) {
        const weight = this.#expression(expression, scope);
        name(key, weight);
        list?.push(weight);
        own.set(String(++count), weight);
        if (weight.nodes > 1) own.set(key, heavier(weight, own.get(key) ?? LIGHT));
        whole = plus(whole, weight);
        most += weight.nodes;
        continue;
      }
      for (const [source, all] of scope.sources) {
        if (star !== true && star !== source) continue;
        for (const [column, weight] of all.columns) name(column, weight);
        if (all.list === null) list = null;
        else list?.push(...all.list);
        count += all.columnCount;
        starred += all.columnCount;
        least = heavier(least, all.least);
        whole = plus(whole, all.whole, 1 / all.arms);
        most += all.mostWhole;
      }
    }
    return { columns: weights, own, list, least, whole, most, count, starred };
  }

  #from({ name, isInSchema, select }: From, scope: Scope): SelectWeight {
    if (select !== null) return this.select(select, scope);
    for (let at: Scope | null = isInSchema ? null : scope; at !== null; at = at.outer) {
      const named = at.selects.get(name!);
      if (named !== undefined) return weightOfNamed(named);
    }
    return this.#weightOf(name!);
  }

  #expression({ size, depth, names, selects }: Expression, scope: Scope): Weight {
    let weight: Weight = { ...NOTHING, nodes: size };
    for (const { qualifier, name, times } of names) weight = plus(weight, columnOf(qualifier, name, scope), times);
    for (const { select, times } of selects) {
      const inner = this.select(select, scope);
      weight = plus(weight, plus(inner.whole, inner.other), times);
      this.#inner = {
        named: this.#inner.named + inner.named,
        levels: Math.max(this.#inner.levels, inner.levels),
        work: this.#inner.work + inner.work,
        firstWork: this.#inner.firstWork + inner.firstWork,
      };
    }
    return { ...weight, depth: weight.depth + depth };
  }
}

const nameCount = ({ columns, where, rest }: Core): number =>
  columns.reduce((sum, { expression }) => sum + expression.names.length, where.names.length + rest.names.length);

/** What the names of a WHERE clause weigh, at the place of which SQLite may read what is inside of its sources. */
function insideScope(scope: Scope): Scope {
  if ([...scope.sources.values()].every(({ inside }) => inside === null)) return scope;
  const sources = [...scope.sources].map(([name, source]) => [name, { ...source, ...source.inside }] as const);
  return { ...scope, sources: new Map(sources) };
}

/** Subqueries were weighed already; to weigh each twice would double the time with each level. */
const withoutSelects = (core: Core): Core => ({
  ...core,
  columns: core.columns.map((column) => ({ ...column, expression: { ...column.expression, selects: [] } })),
});

/** One that reads from itself adds nothing to itself. */
function weightOfNamed(named: Named): SelectWeight {
  if (named.weight === null) {
    named.weight = EMPTY;
    named.weight = named.weigh();
  }
  return named.weight;
}

/** The heaviest that the name may mean. */
function columnOf(qualifier: string | null, name: string, scope: Scope): Weight {
  let weight = LIGHT;
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    if (qualifier === null) {
      weight = heavier(weight, at.own.get(name) ?? LIGHT);
      for (const source of at.sources.values()) weight = heavier(weight, inSource(source, name));
    } else {
      const source = at.sources.get(qualifier);
      if (source !== undefined) return inSource(source, name);
    }
  }
  return weight;
}

/** A column that was not named has a name such as `a + 1` or `a:1`. */
function inSource(source: SelectWeight, name: string): Weight {
  const found = source.columns.get(name);
  if (found !== undefined) return heavier(found, source.least);
  return source.columns.size > 0 && /[^\w$\u0080-\uffff]/.test(name) ? heaviestOf(source) : source.least;
}
