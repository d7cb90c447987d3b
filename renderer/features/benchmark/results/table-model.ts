// A result as a table: a row for each test at each size, a column for each engine, suites with their geometric means between them.
import { ENGINES, engineOf, referenceOf } from '#shared/bench/engines.ts';
import { PUBLISHED_GEOMEANS, publishedOf } from '#shared/bench/published.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';
import type { BenchCell, BenchResult, EngineCode } from '#shared/bench/result.ts';
import { geometricMean } from '#shared/bench/statistics.ts';
import { groupBy } from '#shared/group-by.ts';
import { SUITES } from '#shared/bench/suites.ts';
import { createRandom } from '#shared/random.ts';
import {
  engineLabel,
  formatInterval,
  formatTime,
  roundsOf,
  shownOf,
  standingText,
  statusWord,
  tailText,
} from './labels.ts';
import type { Ratio, Shown, Timing } from './labels.ts';
import { settingsOfAll } from './facts.tsx';

export interface TableModel {
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** All that has figures in a row of this table. */
  readonly contenders: readonly string[];
}

export interface Column {
  readonly engine: string;
  readonly label: string;
  /** SQLite or engine version; differs from the reference's when it is another engine. */
  readonly version: string | null;
  /** Null: unknown, or it has no code of its own. */
  readonly code: EngineCode | null;
  readonly isReference: boolean;
  /** Settings that differ from the profile in all of its cells. */
  readonly settings: readonly string[];
}

export type TableRow = SuiteRow | TestRow;

export interface SuiteRow {
  readonly kind: 'suite';
  readonly key: string;
  readonly suite: string;
  readonly means: Readonly<Record<string, Mean>>;
  readonly published: readonly Omit<PublishedFigure, 'test' | 'size'>[];
}

export interface Mean extends Ratio {
  readonly cells: number;
}

export interface TestRow {
  readonly kind: 'test';
  readonly key: string;
  readonly suite: string;
  readonly test: string;
  readonly size: number;
  readonly cells: Readonly<Record<string, ShownCell>>;
  readonly published: readonly PublishedFigure[];
}

export interface ShownCell {
  readonly cell: BenchCell;
  readonly shown: Shown;
}

interface TableOptions {
  readonly timing: Timing;
  /** Null: all. */
  readonly suite: string | null;
}

export const rowKey = ({ suite, test, size }: Pick<BenchCell, 'suite' | 'test' | 'size'>): string =>
  `${suite}/${test}/${size}`;

export const cellKey = (cell: Pick<BenchCell, 'suite' | 'test' | 'size' | 'engine'>): string =>
  `${rowKey(cell)}/${cell.engine}`;

export function tableModel(result: BenchResult, { timing, suite: only }: TableOptions): TableModel {
  const cells = only === null ? result.cells : result.cells.filter(({ suite }) => suite === only);
  const columns = columnsOf(result, cells);
  const byTest = groupBy(cells, rowKey);
  const rows: TableRow[] = [];
  for (const suite of suitesOf(cells)) {
    const tests = [...byTest.values()]
      .filter(([first]) => first!.suite === suite)
      .map((row) => testRow(result, row, timing));
    rows.push({
      kind: 'suite',
      key: suite,
      suite,
      means: meansOf(result, suite, tests, timing),
      published: PUBLISHED_GEOMEANS.filter((figure) => figure.suite === suite),
    });
    rows.push(...tests);
  }
  const contenders = new Set(rows.flatMap((row) => row.published.map(({ contender }) => contender)));
  return { columns, rows, contenders: [...contenders] };
}

export function suitesOf(cells: readonly Pick<BenchCell, 'suite'>[]): readonly string[] {
  const found = new Set<string>(cells.map(({ suite }) => suite));
  const known = SUITES.map(({ id }) => id as string).filter((id) => found.delete(id));
  return [...known, ...found];
}

/** The cell that a ratio of 1 stands for. */
export function referenceCell(result: BenchResult, cell: BenchCell): BenchCell | null {
  const engine = engineOf(cell.engine);
  if (!engine || cell.scope === 'app') return null;
  return indexOf(result).get(`${rowKey(cell)}/${referenceOf(engine, result.profile.name)}`) ?? null;
}

const indexes = new WeakMap<BenchResult, Map<string, BenchCell>>();

export function indexOf(result: BenchResult): ReadonlyMap<string, BenchCell> {
  const known = indexes.get(result);
  if (known) return known;
  const index = new Map(result.cells.map((cell) => [cellKey(cell), cell]));
  indexes.set(result, index);
  return index;
}

function columnsOf(result: BenchResult, cells: readonly BenchCell[]): readonly Column[] {
  const found = new Set<string>(cells.map(({ engine }) => engine));
  const references = new Set<string>();
  for (const id of found) {
    const engine = engineOf(id);
    if (engine) references.add(referenceOf(engine, result.profile.name));
  }
  const known = ENGINES.map(({ id }) => id as string).filter((id) => found.delete(id));
  return [...known, ...found].map((engine) => {
    const facts = result.env.engines.find((each) => each.engine === engine);
    const own = cells.filter((cell) => cell.engine === engine);
    return {
      engine,
      label: engineLabel(engine),
      version: facts?.version ?? null,
      code: facts?.code ?? null,
      isReference: references.has(engine),
      settings: settingsOfAll(result, own),
    };
  });
}

function testRow(result: BenchResult, cells: readonly BenchCell[], timing: Timing): TestRow {
  const { suite, test, size } = cells[0]!;
  return {
    kind: 'test',
    key: rowKey(cells[0]!),
    suite,
    test,
    size,
    cells: Object.fromEntries(
      cells.map((cell) => [cell.engine, { cell, shown: shownOf(cell, timing, referenceCell(result, cell)) }]),
    ),
    published: publishedOf(suite, test, size),
  };
}

function meansOf(
  result: BenchResult,
  suite: string,
  tests: readonly TestRow[],
  timing: Timing,
): Readonly<Record<string, Mean>> {
  if (timing === 'engine') {
    const own = result.geomeans.filter((mean) => mean.suite === suite);
    return Object.fromEntries(
      own.map(({ engine, ratio, ratioLow, ratioHigh, cells }) => [
        engine,
        { value: ratio, low: ratioLow, high: ratioHigh, cells },
      ]),
    );
  }
  const engines = new Set(tests.flatMap(({ cells }) => Object.keys(cells)));
  const means: Record<string, Mean> = {};
  for (const engine of engines) {
    const ratios = tests.flatMap(({ cells }) => {
      const shown = cells[engine];
      return shown?.shown.ratio && shown.cell.unit !== 'bytes' ? [shown] : [];
    });
    if (ratios.length === 0) continue;
    if (timing === 'first') {
      const value = Math.exp(ratios.reduce((sum, { shown }) => sum + Math.log(shown.ratio!.value), 0) / ratios.length);
      means[engine] = { value, low: null, high: null, cells: ratios.length };
      continue;
    }
    const pairs = ratios.flatMap(({ cell }) => {
      const reference = referenceCell(result, cell);
      return reference ? [{ ours: roundsOf(cell, timing), theirs: roundsOf(reference, timing) }] : [];
    });
    const mean = geometricMean(pairs, createRandom(result.env.seed));
    if (mean) means[engine] = { ...mean, cells: pairs.length };
  }
  return means;
}

/** A cell in words, for screen readers. */
export function cellLabel(row: string, engine: string, shown: ShownCell | undefined): string {
  const name = `${row}, ${engine}`;
  if (!shown) return `${name}: not part of the run`;
  const { cell } = shown;
  if (cell.status !== 'ok') return `${name}: ${statusWord(cell.status)}. ${cell.why ?? ''}`.trim();
  const { median, ratio } = shown.shown;
  if (median === null) return `${name}: not measured`;
  const said = [formatTime(median, cell.unit), tailText(shown), ratio && formatInterval(ratio)];
  return `${name}: ${[...said, standingText(ratio, cell.unit)].filter(Boolean).join(', ')}`;
}

// Arrow keys: suites have no cells, so they are passed over.

export interface TablePosition {
  readonly row: number;
  readonly column: number;
}

interface TableShape {
  readonly rows: readonly Pick<TableRow, 'kind'>[];
  readonly width: number;
  /** Rows on screen. */
  readonly page: number;
}

/** Null for keys that the table does not use. */
export function moveInTable(key: string, { row, column }: TablePosition, shape: TableShape): TablePosition | null {
  const { rows, width, page } = shape;
  const last = rows.length - 1;
  switch (key) {
    case 'ArrowRight':
      return { row, column: Math.min(width - 1, column + 1) };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowDown':
      return { row: testFrom(rows, row + 1, 1) ?? row, column };
    case 'ArrowUp':
      return { row: testFrom(rows, row - 1, -1) ?? row, column };
    case 'PageDown':
      return { row: testFrom(rows, Math.min(last, row + page), 1) ?? testFrom(rows, last, -1) ?? row, column };
    case 'PageUp':
      return { row: testFrom(rows, Math.max(0, row - page), -1) ?? firstTest(rows), column };
    case 'Home':
      return { row: firstTest(rows), column };
    case 'End':
      return { row: testFrom(rows, last, -1) ?? row, column };
    default:
      return null;
  }
}

export const firstTest = (rows: TableShape['rows']): number => Math.max(0, testFrom(rows, 0, 1) ?? 0);

function testFrom(rows: TableShape['rows'], at: number, step: 1 | -1): number | null {
  for (let row = at; row >= 0 && row < rows.length; row += step) if (rows[row]!.kind === 'test') return row;
  return null;
}
