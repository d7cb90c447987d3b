import { expect, test } from 'vitest';
import { madeCell, madeResult } from '#shared/bench/made-result.test-suite.ts';
import { parseResult } from '#shared/bench/result.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import { boxPlot } from '../charts/charts.ts';
import { stackScenes } from '../charts/scene.ts';
import type { Scene, Shape } from '../charts/scene.ts';
import { tableModel } from '../results/table-model.ts';
import { RESULT_FORMATS, resultCsv, resultMarkdown, tableScene } from './formats.ts';

const MADE = madeResult([
  { suite: 'wasm-run', test: 'insert', size: 1_000, times: { 'native-balanced': 20, 'opfs-balanced': 40 } },
]);
const HOSTILE = { status: 'failed', why: '=HYPERLINK("x"), "it" said\n<img src=x> | [a](b)' } as const;
const RESULT = { ...MADE, cells: [...MADE.cells, madeCell({ ...HOSTILE, engine: 'libsql' })] };

const textsOf = (shapes: readonly Shape[]): string[] =>
  shapes.flatMap(({ text, parts = [] }) => [...(text === undefined ? [] : [text]), ...textsOf(parts)]);
const texts = ({ marks }: Scene): string[] => textsOf(marks);

test('what a result can be saved as: every text format names its tests', async () => {
  const view = { result: RESULT, title: 'A run', timing: 'engine', picture: () => ({}) as Scene } as const;
  const files = RESULT_FORMATS.map(({ extension }) => extension);
  expect(files).toEqual(['json', 'csv', 'md', 'png']);
  for (const { contents } of RESULT_FORMATS.filter(({ extension }) => extension !== 'png')) {
    const text = await contents(view);
    expect(text).toContain('insert');
  }
  expect(parseResult(String(RESULT_FORMATS[0]!.contents(view)))).toEqual(parseResult(JSON.stringify(RESULT)));
});

test('CSV has a line for each cell, and no text in it becomes a formula', () => {
  const lines = resultCsv(RESULT).split('\r\n');
  expect(lines[0]).toMatch(/^suite,test,size,engine,/);
  expect(lines[1]).toMatch(
    /^wasm-run,insert,1000,native-balanced,"better-sqlite3, file, balanced",SQLite 3\.54\.1,balanced,ok,ms,20,/,
  );
  const [, ratio] = /,ok,ms,20,[\d.]+,[\d.]+,[\d.]+,([\d.]+)/.exec(lines[2]!)!;
  expect(Number(ratio)).toBeCloseTo(2, 1);
  expect(resultCsv(RESULT)).toContain(`"'=HYPERLINK(""x""), ""it"" said`);
});

test('Markdown has a table for each suite, what was published apart, and no markup of others', () => {
  const text = resultMarkdown(RESULT, 'A *run*', 'engine');
  expect(text).toContain('# A \\*run\\*');
  expect(text).toMatch(/\| insert \| 1,000 rows \| [\d.]+ ms; 2\.\d+× \(\d.\d+ to \d.\d+\) \|/);
  expect(text).toContain('- insert, 1,000 rows: 6.20×, SQLite in wasmtime (S0)');
  expect(text).toContain('- Processor: A processor');
  expect(text).not.toMatch(/(?<!\\)<img/);
  expect(
    text
      .split('\n')
      .filter((line) => line.startsWith('| insert'))[0]!
      .split(/(?<!\\)\|/),
  ).toHaveLength(7);
});

test('single waits have their tail in Markdown', () => {
  const waits = madeResult([{ suite: 'rtt', test: 'wait', size: 100, times: { memory: 2 }, kind: 'latency' }]);
  const samples = Array.from({ length: 101 }, (_, at) => at);
  const cells = waits.cells.map((cell) => ({ ...cell, samples, median: 50, p95: 95 }));
  expect(resultMarkdown({ ...waits, cells }, 'A run', 'engine')).toMatch(/50\.0 ms, p95 95\.0 ms, p99 99\.0 ms/);
});

test('a figure of the whole app is compared with none in Markdown', () => {
  const app = { ...MADE, cells: MADE.cells.map((cell) => ({ ...cell, scope: 'app' as const, ratio: null })) };
  expect(resultMarkdown(app, 'A run', 'engine')).toMatch(/\| insert \| 1,000 rows \| [\d.]+ ms of the whole app \|/);
});

test('the picture of the table says what the table says', () => {
  const scene = tableScene(tableModel(RESULT, { timing: 'engine', suite: null }), 'A run', 'on a machine', [
    'SQLite in wasmtime',
  ]);
  const shown = texts(scene);
  expect(shown.slice(0, 2)).toEqual(['A run', 'on a machine']);
  expect(shown).toContain('insert');
  expect(shown.some((text) => /^2\.\d+× {2}/.test(text))).toBe(true);
  expect(shown).toContain('failed');
  expect(shown).toContain('6.20×');
  expect(scene.width).toBeGreaterThan(700);
});

test('how large engines are, and how long they take to compile, is in every form', () => {
  const codeOf = ({ env }: BenchResult) => env.engines.map(({ code }) => code);
  expect(codeOf(parseResult(JSON.stringify(RESULT)))).toEqual(codeOf(RESULT));
  expect(() => parseResult(JSON.stringify(RESULT).replace('"bytes":881234', '"bytes":-1'))).toThrow('code.bytes');
  const [head, reference, ours] = resultCsv(RESULT).split('\r\n');
  expect(head).toMatch(/,code_bytes,code_gzip_bytes,compile_ms,instantiate_ms$/);
  expect(reference).toMatch(/,881234,412345,,0\.42$/);
  expect(ours).toMatch(/,881234,412345,9\.1,0\.42$/);
  const markdown = resultMarkdown(RESULT, 'A run', 'engine');
  const row = 'SQLite 3.54.1 | engine.wasm | 881 KB | 412 KB | 9.10 ms | 420 µs | 90.0 ms |';
  expect(markdown).toContain(`| Sidelite, OPFS, balanced | ${row}`);
  expect(markdown).toMatch(/\| addon\.node \| 881 KB \| 412 KB \| {2}\| 420 µs \|/);
  const shown = texts(tableScene(tableModel(RESULT, { timing: 'engine', suite: null }), 'A run', '', []));
  expect(shown).toEqual(
    expect.arrayContaining(['881 KB, gzip 412 KB', 'load 420 µs', 'compile 9.10 ms', 'instantiate 420 µs']),
  );
});

test('charts below one another keep their places', () => {
  const scene = boxPlot({
    title: 't',
    unit: 'ms',
    rows: [{ label: 'e', samples: [1, 2, 3, 4, 50], perRound: 1, isReference: false }],
    width: 400,
  });
  const stacked = stackScenes('All', [
    { title: 'one', scene },
    { title: 'two', scene },
  ]);
  const groups = stacked.marks.filter(({ parts }) => parts);
  expect(groups.map(({ parts }) => parts)).toEqual([scene.marks, scene.marks]);
  const lows = groups.map(({ at }) => Number(/ (\d+)\)$/.exec(String(at['transform']))![1]));
  expect(lows[1]! - lows[0]!).toBe(scene.height + 34);
  expect(texts(stacked)).toEqual(expect.arrayContaining(['All', 'one', 'two']));
});
