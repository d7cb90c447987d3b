// Makes the rows of a plan. A row depends on the seed, its number, the rows that are in the database before, and nothing else.
import type { SampleColumn, SamplePlan } from '../protocol/sample-rows.ts';
import { CellRandom, hashName } from './cell-random.ts';
import { sourceProblem, valuesOf } from './source-values.ts';
import type { ReferenceFacts, TableFacts } from './table-facts.ts';
import type { SampleValue, Values } from './values.ts';

/** Data that has to be read from the database. */
export interface SampleContext {
  /** Keys of the rows that each of {@link TableFacts.references} may refer to, in the order of its columns. */
  readonly parents: readonly (readonly (readonly SampleValue[])[])[];
  /** The largest whole number of each column that has a sequence without a start, by its place; 0 where there is none. */
  readonly largest: ReadonlyMap<number, number>;
}

/** Columns that get their values together: one, or those of a foreign key. */
interface Part {
  /** Column positions in the row. */
  readonly places: readonly number[];
  readonly hash: number;
  readonly values: Values | Keys | Matching;
  /** Percentage of NULLs, by column. */
  readonly nullPercents: readonly number[];
  readonly hasNulls: boolean;
  /** Place of the part in the unique key that decides its values; null: they are drawn. */
  key: { readonly of: UniqueParts; readonly at: number } | null;
}

/** Keys of rows of another table, each with a value for each place. */
interface Keys {
  readonly kind: 'keys';
  readonly size: number;
  readonly keys: readonly (readonly SampleValue[])[];
}

/** Keys that agree with what another foreign key has decided. */
interface Matching {
  readonly kind: 'matching';
  choose(random: CellRandom, made: SampleValue[]): void;
}

/** Parts whose values together are different in every row. */
interface UniqueParts {
  readonly sizes: readonly number[];
  readonly size: number;
  readonly hash: number;
}

const isCounted = (values: Part['values']): values is Keys | Extract<Values, { readonly kind: 'counted' }> =>
  values.kind === 'counted' || values.kind === 'keys';

export class SampleRows {
  /** Columns that get a value, by their places in the facts. */
  readonly columns: readonly number[];
  /** Problem that keeps the plan from working, as a whole sentence; null if none is known. */
  readonly problem: string | null;
  readonly #plan: SamplePlan;
  readonly #parts: readonly Part[];
  readonly #random = new CellRandom();
  /** Random numbers for a key as a whole. */
  readonly #drawn = new CellRandom();
  readonly #row: SampleValue[];

  constructor(plan: SamplePlan, facts: TableFacts, context: SampleContext) {
    this.#plan = plan;
    const chosen = chosenColumns(plan, facts);
    this.columns = [...chosen.keys()].filter((place) => chosen.get(place)!.source.kind !== 'default');
    this.problem = planProblem(plan, facts, chosen);
    this.#row = this.columns.map(() => null);
    this.#parts = this.problem === null ? this.#partsOf(facts, context, chosen) : [];
    this.problem ??= this.#makeUnique(facts);
  }

  /** The values of {@link columns}; the array is reused. @param attempt from 0 on, after the row was rejected */
  row(row: number, attempt: number): readonly SampleValue[] {
    const made = this.#row;
    const { seed } = this.#plan;
    for (const part of this.#parts) {
      const random = this.#random.start(seed, part.hash, row, attempt);
      this.#fill(part, random, row, attempt);
      if (!part.hasNulls) continue;
      for (let at = 0; at < part.places.length; at++)
        if (random.below(100) < part.nullPercents[at]!) made[part.places[at]!] = null;
    }
    return made;
  }

  #fill({ places, values, key }: Part, random: CellRandom, row: number, attempt: number): void {
    const made = this.#row;
    if (values.kind === 'matching') return values.choose(random, made);
    if (values.kind === 'open') return void (made[places[0]!] = values.make(random, row));
    const index = key === null ? random.below(values.size) : this.#digit(key.of, key.at, row, attempt);
    if (values.kind === 'counted') return void (made[places[0]!] = values.at(index));
    const found = values.keys[index];
    for (let at = 0; at < places.length; at++) made[places[at]!] = found?.[at] ?? null;
  }

  /**
   * Digit of a number that no other row has, in the number system of the key's parts. If a row that was there before has it, any
   * other number may be free.
   */
  #digit({ sizes, size, hash }: UniqueParts, at: number, row: number, attempt: number): number {
    const { seed } = this.#plan;
    let rest =
      attempt === 0 ? shuffled(row, size, hash ^ seed) : this.#drawn.start(seed, hash, row, attempt).below(size);
    for (let before = 0; before < at; before++) rest = Math.floor(rest / sizes[before]!);
    return rest % sizes[at]!;
  }

  #partsOf(facts: TableFacts, context: SampleContext, chosen: ReadonlyMap<number, SampleColumn>): readonly Part[] {
    const parts: Part[] = [];
    const placeOf = (column: number): number => this.columns.indexOf(column);
    for (const column of this.columns) {
      const { source, nullPercent } = chosen.get(column)!;
      if (source.kind === 'reference' || source.kind === 'default') continue;
      parts.push({
        places: [placeOf(column)],
        hash: hashName(facts.columns[column]!.name),
        values: cut(valuesOf(source, context.largest.get(column)), facts.columns[column]!.allowed.longest),
        nullPercents: [nullPercent],
        hasNulls: nullPercent > 0,
        key: null,
      });
    }
    const filled = new Set<number>();
    for (const { reference, at } of usedReferences(facts, chosen)) {
      if (reference.columns.every((column) => filled.has(column))) continue;
      const places = reference.columns.map(placeOf);
      const known = reference.columns.map((column) => filled.has(column));
      for (const column of reference.columns) filled.add(column);
      parts.push({
        places,
        hash: hashName(facts.columns[reference.columns[0]!]!.name),
        values: parentValues({ places, known, keys: context.parents[at]!, own: this.#ownKeys(reference, facts, chosen, context) }), // prettier-ignore
        nullPercents: reference.columns.map((column) => chosen.get(column)!.nullPercent),
        hasNulls: reference.columns.some((column) => chosen.get(column)!.nullPercent > 0),
        key: null,
      });
    }
    return parts;
  }

  /** Rows of this table that were made before can be referred to where their keys are a sequence. */
  #ownKeys(
    { isOwn, columns, parentColumns }: ReferenceFacts,
    facts: TableFacts,
    chosen: ReadonlyMap<number, SampleColumn>,
    { largest }: SampleContext,
  ): ((row: number) => number) | null {
    const target = facts.columns.findIndex(({ name }) => name === parentColumns[0]);
    const source = chosen.get(target)?.source;
    if (!isOwn || columns.length !== 1 || source?.kind !== 'sequence') return null;
    const start = source.start ?? (largest.get(target) ?? 0) + source.step;
    return (row) => start + row * source.step;
  }

  /** Lets unique keys decide the values of their parts. Returns why that cannot be. */
  #makeUnique(facts: TableFacts): string | null {
    for (const unique of facts.unique) {
      const places = unique.map((column) => this.columns.indexOf(column));
      const parts = this.#parts.filter((part) => part.places.some((place) => places.includes(place)));
      const free = parts.filter(({ key }) => key === null);
      // Defaults, sequences, or what another key has decided tell the rows apart as far as they do.
      if (places.includes(-1) || free.length < parts.length || !parts.every(({ values }) => isCounted(values)))
        continue;
      const sizes = parts.map(({ values }) => (isCounted(values) ? values.size : 0));
      const size = sizes.reduce((product, one) => product * one, 1);
      const names = unique.map((column) => `“${facts.columns[column]!.name}”`).join(' and ');
      if (size < this.#plan.rows && !parts.some(({ hasNulls }) => hasNulls))
        return `${names} must be different in every row, but ${size === 1 ? 'there is only one value' : `there are only ${size} values`} for ${this.#plan.rows} rows. Choose fewer rows or other values.`;
      if (size > 2 ** 52 || size === 0) continue;
      const of = { sizes, size, hash: hashName(names) };
      for (const [at, part] of parts.entries()) part.key = { of, at };
    }
    return null;
  }
}

function chosenColumns(plan: SamplePlan, facts: TableFacts): ReadonlyMap<number, SampleColumn> {
  const byName = new Map(plan.columns.map((column) => [column.name, column]));
  return new Map(facts.columns.flatMap(({ name }, place) => (byName.has(name) ? [[place, byName.get(name)!]] : [])));
}

function planProblem(plan: SamplePlan, facts: TableFacts, chosen: ReadonlyMap<number, SampleColumn>): string | null {
  if (!Number.isSafeInteger(plan.rows) || plan.rows < 1) return 'The number of rows must be a whole number above 0.';
  for (const [place, { name, source }] of chosen) {
    const problem = sourceProblem(source);
    if (problem !== null) return `“${name}”: ${problem}`;
    if (source.kind !== 'reference') continue;
    const of = facts.references.filter(({ columns }) => columns.includes(place));
    if (of.length === 0) return `“${name}” has no foreign key.`;
    const empty = of.find(({ hasRows, isOwn }) => !hasRows && !isOwn);
    if (empty && !facts.columns[place]!.canBeNull)
      return `“${name}” refers to “${empty.table}”, which has no rows. Fill that table first.`;
    if (!of.some(({ columns }) => columns.every((column) => chosen.get(column)?.source.kind === 'reference')))
      return `“${name}” is part of a foreign key of several columns: choose rows of “${of[0]!.table}” for all of them.`;
  }
  if ([...chosen.values()].every(({ source }) => source.kind === 'default'))
    return 'Every column gets its default. Choose values for at least one.';
  return null;
}

/** Keys of more columns first: a single column that is part of one is decided by it. */
function usedReferences(
  { references }: TableFacts,
  chosen: ReadonlyMap<number, SampleColumn>,
): readonly { readonly reference: ReferenceFacts; readonly at: number }[] {
  return references
    .map((reference, at) => ({ reference, at }))
    .filter(({ reference }) => reference.columns.every((column) => chosen.get(column)?.source.kind === 'reference'))
    .sort((one, other) => other.reference.columns.length - one.reference.columns.length);
}

interface Parents {
  readonly places: readonly number[];
  /** Whether another foreign key has decided each column. */
  readonly known: readonly boolean[];
  readonly keys: readonly (readonly SampleValue[])[];
  readonly own: ((row: number) => number) | null;
}

function parentValues({ places, known, keys, own }: Parents): Part['values'] {
  if (own)
    return {
      kind: 'open',
      make(random, row) {
        const at = random.below(Math.max(1, keys.length + row));
        return at < keys.length ? keys[at]![0]! : own(at - keys.length);
      },
    };
  if (!known.includes(true)) return { kind: 'keys', size: keys.length, keys };
  const matching = byKnown(keys, known);
  return {
    kind: 'matching',
    choose(random, made) {
      const decided = places.flatMap((place, at) => (known[at] ? [made[place]!] : []));
      const rows = matching.get(keyText(decided)) ?? [];
      const key = rows[random.below(rows.length)];
      for (const [at, place] of places.entries()) if (!known[at]) made[place] = key?.[at] ?? null;
    },
  };
}

function byKnown(
  keys: Parents['keys'],
  known: readonly boolean[],
): ReadonlyMap<string, readonly (readonly SampleValue[])[]> {
  const found = new Map<string, (readonly SampleValue[])[]>();
  for (const key of keys) {
    const text = keyText(key.filter((_, at) => known[at]));
    const rows = found.get(text);
    if (rows) rows.push(key);
    else found.set(text, [key]);
  }
  return found;
}

const keyText = (values: readonly SampleValue[]): string =>
  values.map((value) => `${typeof value}${String(value)}`).join('\0');

/** Texts that are longer are cut, by characters as SQLite counts them. */
function cut(values: Values, longest: number | null): Values {
  if (longest === null) return values;
  const shorter = (value: SampleValue): SampleValue =>
    typeof value === 'string' && value.length > longest
      ? Array.from(value).slice(0, longest).join('').trimEnd()
      : value;
  return values.kind === 'counted'
    ? { ...values, at: (index) => shorter(values.at(index)) }
    : { ...values, make: (random, row) => shorter(values.make(random, row)) };
}

// The numbers below a limit in an order that looks random and repeats none: what is unique is not drawn but looked up.

const ROUNDS = 4;

/**
 * The place of `index` in a shuffled list of all whole numbers below `size`, without making that list: a Feistel network over the next even
 * number of bits, walked until it comes out below `size`.
 * @param size from 1 to 2^52
 */
export function shuffled(index: number, size: number, key: number): number {
  const half = Math.max(1, Math.ceil(Math.log2(size) / 2));
  const side = 2 ** half;
  let value = index;
  do {
    let left = Math.floor(value / side);
    let right = value % side;
    for (let round = 0; round < ROUNDS; round++) {
      const mixed = (left ^ (scrambled(right, key + round) & (side - 1))) >>> 0;
      left = right;
      right = mixed;
    }
    value = left * side + right;
  } while (value >= size);
  return value;
}

/** The finalizer of MurmurHash3. */
function scrambled(value: number, key: number): number {
  let hash = (value ^ Math.imul(key, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
