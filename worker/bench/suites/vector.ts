// The nearest of many vectors, found by looking at each: a distance function written in JavaScript, the same on every engine.
import type { Random } from '#shared/random.ts';
import { exec, inTransaction, read, run, type Param, type ParamRow, type Step } from '../program.ts';
import type { BenchTest, ScalarFunction } from '../suite.ts';

const DIMENSIONS = 128;
const NEAREST = 10;
const PROBES = 10;
const TAGS = 100;
const TAG = 42;

const distance: ScalarFunction = {
  name: 'vector_distance',
  arity: 2,
  call: (left, right) => euclidean(floats(left), floats(right)),
};

const shared = {
  kind: 'throughput',
  unit: 'ms',
  sizes: [5_000],
  unavailable: ({ dialect, label }) => (dialect === 'postgres' ? `${label} calls no function of JavaScript.` : null),
} as const satisfies Partial<BenchTest>;

export const vectorTests: readonly BenchTest[] = [
  {
    ...shared,
    id: 'vector-insert',
    title: 'Insert vectors and their metadata',
    database: 'fresh',
    transaction: 'One transaction around all statements.',
    program: ({ size, random }) => ({
      prepare: tables,
      timed: fill(size, random),
      check: [read('SELECT count(*), sum(length(vector)) FROM vectors'), read('SELECT count(*), sum(tag) FROM meta')],
      rows: 2 * size,
    }),
  },
  nearest(
    'vector-nearest',
    `The ${NEAREST} nearest of all, ${PROBES} probes`,
    (limit) => `SELECT id FROM vectors\n ${limit}`,
  ),
  nearest(
    'vector-nearest-filtered',
    `The ${NEAREST} nearest of one tag, ${PROBES} probes`,
    (limit) => `SELECT vectors.id FROM vectors JOIN meta ON meta.id = vectors.id AND meta.tag = ${TAG}\n ${limit}`,
  ),
];

function nearest(id: string, title: string, sql: (limit: string) => string): BenchTest {
  return {
    ...shared,
    id,
    title,
    database: 'kept',
    transaction: 'Implicit: one for each query.',
    program: ({ size, random }) => ({
      functions: [distance],
      prepare: [...tables, ...fill(size, random)],
      timed: [
        read(
          sql(`ORDER BY vector_distance(vector, ?), vectors.id LIMIT ${NEAREST}`),
          Array.from({ length: PROBES }, () => [vector(random)]),
        ),
      ],
      check: [],
      rows: PROBES * NEAREST,
    }),
  };
}

const tables = [
  exec('CREATE TABLE vectors(id INTEGER PRIMARY KEY, vector BLOB NOT NULL)'),
  exec('CREATE TABLE meta(id INTEGER PRIMARY KEY, tag INTEGER NOT NULL, value TEXT NOT NULL)'),
];

function fill(size: number, random: Random): readonly Step[] {
  const ids = Array.from({ length: size }, (_, index) => index + 1);
  return inTransaction(
    run(
      'INSERT INTO vectors VALUES (?, ?)',
      ids.map((id): ParamRow => [id, vector(random)]),
    ),
    // Every tag as often as any other: the filtered query always has enough to choose from.
    run(
      'INSERT INTO meta VALUES (?, ?, ?)',
      ids.map((id): ParamRow => [id, id % TAGS, `value ${id}`]),
    ),
  );
}

function vector(random: Random): Uint8Array {
  return new Uint8Array(Float32Array.from({ length: DIMENSIONS }, () => random.next()).buffer);
}

function floats(value: Param): Float32Array {
  const bytes = value as Uint8Array;
  // A view needs an address that four divides, and engines lend their memory as it lies.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

function euclidean(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) {
    const difference = left[at]! - right[at]!;
    sum += difference * difference;
  }
  return Math.sqrt(sum);
}
