// A session of the lab: the candidates of a statement with what each of them would change.
import { freeName } from '#shared/free-name.ts';
import { foldName, writeName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { IndexCandidate, IndexLabReport, RedundantIndex } from '#shared/protocol/index-lab.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { trimmed } from '#shared/trimmed.ts';
import type { Connection } from '../engines/engine.ts';
import { readIndexes, type TableIndexes, redundantIndexes } from '../health/index-shapes.ts';
import { Scan } from '../readers/scan.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';
import { quoteName } from '../sql/quote.ts';
import { readIndexSql, indexSql, type LabIndex, type IndexPart } from './index-parts.ts';
import { Lab, copySchema, planWith, usesIndex, type TriedPlan } from './lab.ts';
import type { LabMaterial, LabTable } from './material.ts';

/** @param open returns the empty private database; a second call opens the same one again, after the first connection is closed */
export function* runLab(
  open: () => Connection,
  material: LabMaterial,
  indexes: readonly string[] | null,
): Generator<void, IndexLabReport> {
  const own = indexes?.map(readIndexSql) ?? null;
  let connection = open();
  try {
    copySchema(connection, material);
    const asIs = connection.all('SELECT * FROM main.sqlite_stat1');
    const lab = new Lab(connection, material);
    const { lines, cost } = lab.plan;
    const { found, tried } = own === null ? yield* findIndexes(lab) : tryOwn(lab, own);
    const known = shapesIn(connection);
    const sized = found.map((each) => ({
      ...each,
      bytes: lab.bytesOf(each.index),
      servedBy: own === null ? null : servedBy(connection, each.index),
    }));
    // A connection keeps what its planner knew of table sizes: only a new one plans with the statistics as they were.
    restore(connection, asIs);
    connection.close();
    connection = open();
    const candidates: IndexCandidate[] = [];
    for (const each of sized) {
      candidates.push(candidateOf(connection, material.sql, each));
      yield;
    }
    return { plan: { lines, cost }, candidates, tried, redundant: redundantOf(known) };
  } finally {
    connection.close();
  }
}

function tryOwn(lab: Lab, own: readonly LabIndex[]): { readonly found: readonly Found[]; readonly tried: number } {
  return { found: own.map((index) => ({ ...lab.try(index), index })), tried: own.length };
}

function restore(connection: Connection, stat1: ReturnType<Connection['all']>): void {
  connection.run('DELETE FROM main.sqlite_stat1');
  for (const row of stat1) connection.run('INSERT INTO main.sqlite_stat1 VALUES (?, ?, ?)', row);
}

type Sized = Found & Pick<IndexCandidate, 'bytes' | 'servedBy'>;

function candidateOf(
  connection: Connection,
  sql: string,
  { index, lines, cost, isUsed, bytes, servedBy: by }: Sized,
): IndexCandidate {
  return {
    sql: index.sql,
    name: index.name,
    table: index.table,
    plan: { lines, cost },
    isUsed,
    isUsedNow: usesIndex(planWith(connection, sql, index), index.name),
    bytes,
    servedBy: by,
  };
}

function servedBy(connection: Connection, index: LabIndex): string | null {
  connection.run(index.sql);
  try {
    const redundant = redundantOf(shapesIn(connection)).find((each) => each.index === index.name);
    return redundant ? (redundant.covering ?? redundant.table) : null;
  } finally {
    connection.run(`DROP INDEX main.${quoteName(index.name)}`);
  }
}

function redundantOf(tables: ReadonlyMap<string, TableIndexes>): readonly RedundantIndex[] {
  return [...tables].flatMap(([table, { shapes, rowidKey }]) => [
    ...redundantIndexes(shapes).map(({ index, covering }) => ({ table, index: index.name, covering: covering.name })),
    ...shapes
      .filter(
        ({ isAutomatic, columns, where }) =>
          !isAutomatic && where === null && columns.length === 1 && columns[0]!.key === rowidKey,
      )
      .map(({ name }) => ({ table, index: name, covering: null })),
  ]);
}

/** Reads a private database, where nothing waits. */
function shapesIn(connection: Connection): ReadonlyMap<string, TableIndexes> {
  const reading = readIndexes(new Scan(undisturbedTurn(connection), () => undefined));
  for (let step = reading.next(); ; step = reading.next()) if (step.done) return step.value;
}

// Looks for indexes that make a statement cheaper: SQLite is asked with each, one column first, then more of them after those it would use.

/** Each takes about a millisecond. */
const MOST_TRIED = 400;
const MOST_COLUMNS = 4;
/** Most columns of a covering index: with more, it is about as large as its table. */
const MOST_COVERED = 8;
/** Number of indexes per table that are tried with more columns. */
const SEEDS = 3;
/** Pairs are tried in tables of so few columns although neither column helps alone. */
const FEW_COLUMNS = 5;
const MOST_FOUND = 6;
/** An index that saves less is not worth having. */
const WORTHWHILE = 0.9;
/** A longer index has to be that much cheaper than the shorter one. */
const CHEAPER = 0.98;
/**
 * An index of twice the size has to make a statement 1.6 times as cheap. Measured on 150,000 rows: one that covers all columns of a few rows is
 * no faster than one of a single column and takes three times the space, while one that spares a sort or thousands of rows is.
 */
const SIZE_WEIGHT = 0.7;
const LONGEST_EXPRESSION = 120;

interface Found extends TriedPlan {
  readonly index: LabIndex;
}

interface Search {
  readonly lab: Lab;
  readonly base: TriedPlan;
  readonly tried: Map<string, Found | null>;
  readonly names: Set<string>;
}

/** Pauses after each try. Best first: by what it saves, weighed against its size. */
function* findIndexes(lab: Lab): Generator<void, { readonly found: readonly Found[]; readonly tried: number }> {
  const search: Search = { lab, base: lab.plan, tried: new Map(), names: new Set(lab.material.names) };
  for (const table of lab.material.tables) yield* ofTable(search, table);
  const all = [...search.tried.values()].filter((found) => found !== null);
  return { found: best(all, search), tried: search.tried.size };
}

function* ofTable(search: Search, table: LabTable): Generator<void> {
  const parts = table.named.map(plainPart);
  const first = [...parts, ...withoutCase(search, parts), ...expressionsIn(search.lab.material.sql)].map((part) => [
    part,
  ]);
  let seeds = yield* tryAll(search, table, first);
  if (seeds.length === 0 && parts.length <= FEW_COLUMNS)
    seeds = parts.map((part) => ({ parts: [part], cost: Infinity }));
  for (let length = 2; length <= MOST_COLUMNS && seeds.length > 0; length++)
    seeds = yield* tryLonger(search, table, seeds, parts);
  yield* tryCovering(search, table);
}

interface Seed {
  readonly parts: readonly IndexPart[];
  readonly cost: number;
}

const seedOf = ({ index, cost }: Found): Seed => ({ parts: index.parts, cost });

function* tryAll(
  search: Search,
  table: LabTable,
  lists: readonly (readonly IndexPart[])[],
): Generator<void, readonly Seed[]> {
  const found: Found[] = [];
  for (const parts of lists) {
    const one = yield* tryOne(search, table, parts);
    if (one?.isUsed) found.push(one);
  }
  return bestOf(found).map(seedOf);
}

const bestOf = (found: readonly Found[]): readonly Found[] =>
  [...found].sort((a, b) => a.cost - b.cost).slice(0, SEEDS);

function* tryLonger(
  search: Search,
  table: LabTable,
  seeds: readonly Seed[],
  parts: readonly IndexPart[],
): Generator<void, readonly Seed[]> {
  const better: Found[] = [];
  for (const seed of seeds) {
    for (const part of parts) {
      if (seed.parts.some(({ expression }) => expression === part.expression)) continue;
      let found = yield* tryOne(search, table, [...seed.parts, part]);
      if (found && sorts(found)) {
        const turned = yield* tryOne(search, table, [...seed.parts, { ...part, descending: true }]);
        if (turned && turned.cost < found.cost * CHEAPER) found = turned;
      }
      if (found?.isUsed && found.cost < seed.cost * CHEAPER) better.push(found);
    }
  }
  return bestOf(better).map(seedOf);
}

const sorts = ({ lines }: TriedPlan): boolean => lines.some(({ detail }) => detail.startsWith('USE TEMP B-TREE'));

/** Extends the best index of the table by everything that the statement reads, so that the table itself is not read. */
function* tryCovering(search: Search, table: LabTable): Generator<void> {
  const [top] = bestOf(
    [...search.tried.values()].filter((found) => found?.isUsed && found.index.table === table.name) as Found[],
  );
  const parts = top?.index.parts ?? [];
  const names = new Set(parts.map(({ expression }) => expression));
  const rest = table.read.filter((column) => column !== table.rowidColumn).map(plainPart);
  const missing = rest.filter(({ expression }) => !names.has(expression));
  if (missing.length === 0 || parts.length + missing.length > MOST_COVERED) return;
  yield* tryOne(search, table, [...parts, ...missing]);
}

/** Null if SQLite does not accept it: a row value, a function that is not deterministic, an expression about another table. */
function* tryOne(search: Search, table: LabTable, parts: readonly IndexPart[]): Generator<void, Found | null> {
  const { lab, tried, names } = search;
  const body = indexSql('', table.name, parts);
  const known = tried.get(body);
  if (known !== undefined || tried.size >= MOST_TRIED) return known ?? null;
  const name = nameFor(table.name, parts, names);
  const index = { name, table: table.name, parts, where: null, sql: indexSql(name, table.name, parts) };
  let found: Found | null = null;
  try {
    found = { ...lab.try(index), index };
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'stopped') throw error;
  }
  tried.set(body, found);
  yield;
  return found;
}

function nameFor(table: string, parts: readonly IndexPart[], taken: ReadonlySet<string>): string {
  const words = parts.map(({ expression }) => trimmed(expression.replaceAll(/[^\p{L}\p{N}_]+/gu, '_'), '_'));
  return freeName([table, ...words].join('_').slice(0, 80), (name) => taken.has(foldName(name)), '_');
}

const plainPart = (column: string): IndexPart => ({
  expression: writeName(column),
  collation: null,
  descending: false,
});

/** LIKE finds its rows only in a case-insensitive index, and so do case-insensitive comparisons. */
function withoutCase({ lab }: Search, parts: readonly IndexPart[]): readonly IndexPart[] {
  return /\b(?:like|nocase)\b/i.test(lab.material.sql) ? parts.map((part) => ({ ...part, collation: 'NOCASE' })) : [];
}

/** Calls of functions in a statement, without the names of tables before those of columns. */
function expressionsIn(sql: string): readonly IndexPart[] {
  const scanner = new SqlScanner(sql);
  const tokens: { readonly text: string; readonly isName: boolean }[] = [];
  while (scanner.next() !== Token.end)
    tokens.push({ text: sql.slice(scanner.from, scanner.to), isName: scanner.kind === Token.word });
  const found = new Set<string>();
  for (const [at, { isName }] of tokens.entries()) {
    if (!isName || tokens[at + 1]?.text !== '(') continue;
    let depth = 0;
    let end = at + 1;
    do {
      if (tokens[end]!.text === '(') depth++;
      if (tokens[end]!.text === ')') depth--;
      end++;
    } while (depth > 0 && end < tokens.length);
    const written = writtenWithout(tokens.slice(at, end).map(({ text }) => text));
    if (depth === 0 && written.length <= LONGEST_EXPRESSION) found.add(written);
  }
  return [...found].map((expression) => ({ expression, collation: null, descending: false }));
}

function writtenWithout(tokens: readonly string[]): string {
  const kept = tokens.filter((text, at) => text !== '.' && tokens[at + 1] !== '.');
  return kept.reduce((all, text, at) => {
    const isTight = at === 0 || text === '(' || text === ')' || text === ',' || kept[at - 1] === '(';
    return all + (isTight ? '' : ' ') + text;
  }, '');
}

/** Drops indexes that another one is as good as. A larger one has to be worth its size. */
function best(all: readonly Found[], { base, lab }: Search): readonly Found[] {
  const worthwhile = all.filter(({ isUsed, cost }) => isUsed && cost < base.cost * WORTHWHILE);
  const kept: Found[] = [];
  // Shorter ones first, so that longer ones that are no better are left out.
  for (const found of [...worthwhile].sort((a, b) => a.index.parts.length - b.index.parts.length || a.cost - b.cost)) {
    const isBettered = kept.some(
      (other) => other.index.table === found.index.table && other.cost <= found.cost / CHEAPER,
    );
    if (!isBettered) kept.push(found);
  }
  const sized = kept.map((found) => ({ found, bytes: lab.bytesOf(found.index) ?? 1 }));
  const weighed = sized.map(({ found, bytes }) => {
    const least = Math.min(
      ...sized.filter((each) => each.found.index.table === found.index.table).map((each) => each.bytes),
    );
    return { found, weight: found.cost * (bytes / least) ** SIZE_WEIGHT };
  });
  const ordered = weighed.sort((a, b) => a.weight - b.weight || a.found.cost - b.found.cost);
  return ordered.map(({ found }) => found).slice(0, MOST_FOUND);
}
