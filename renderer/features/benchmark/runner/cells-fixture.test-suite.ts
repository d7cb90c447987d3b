// For tests of what a run measures: fake engines, and the cells of a whole run of two of them.
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { BenchCell } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { cellsOf, withRatios } from './cells.ts';
import { RunControl } from './target.ts';
import type { BenchUnit, Target, PartFacts, PartSample, RoundKind, RoundOutcome } from './target.ts';
import { measureUnit } from './measure-unit.ts';

export const PLAN: BenchPlan = {
  suites: ['wasm-run'],
  engines: ['opfs-balanced'],
  sizes: null,
  rounds: 5,
  profile: 'balanced',
  quick: false,
  seed: 1,
  tests: null,
};

const FACTS: PartFacts = { statements: [], rows: 3, pragmas: {}, differences: [], fileBytes: null, heapBytes: null };

export function testFacts(id: string, sequence: string | null = null): TestFacts {
  return {
    id,
    title: id,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'None.',
    database: 'fresh',
    sequence,
    sizes: null,
    pragmas: {},
    measures: 'engine',
    unavailable: null,
  };
}

export const unitOf = (...ids: readonly string[]): BenchUnit => {
  const sequence = ids.length > 1 ? 'all' : null;
  return { suite: 'wasm-run', size: 1_000, tests: ids.map((id) => testFacts(id, sequence)), sequence };
};

export interface Made {
  readonly ms: number;
  /** Sample of `test` in call number `call`. */
  readonly sample?: (test: string, kind: RoundKind, call: number) => Partial<PartSample>;
  readonly fails?: { readonly test: string; readonly fromCall: number };
  readonly facts?: Partial<PartFacts>;
}

function made(
  engine: EngineId,
  unit: BenchUnit,
  { ms, sample, fails, facts }: Made,
): Target & { readonly kinds: RoundKind[] } {
  const known = new Map<string, PartFacts>();
  const kinds: RoundKind[] = [];
  return {
    engine,
    facts: known,
    kinds,
    async round(kind): Promise<RoundOutcome> {
      kinds.push(kind);
      const parts: PartSample[] = [];
      for (const { id } of unit.tests) {
        if (fails?.test === id && kinds.length >= fails.fromCall) {
          return { parts, failure: { test: id, status: 'failed', why: 'It broke.' } };
        }
        known.set(id, { ...FACTS, ...facts });
        parts.push({
          test: id,
          samples: [ms],
          timedMs: ms,
          delivered: [ms * 2],
          windowBusyMs: [],
          rows: 3,
          read: kind === 'deep' ? 'deep' : 'shallow',
          left: 'left',
          wrong: null,
          ...sample?.(id, kind, kinds.length),
        });
      }
      return { parts, failure: null };
    },
    close: async () => undefined,
  };
}

export async function measured(
  unit: BenchUnit,
  ours: Made,
  theirs: Made = { ms: 2 },
  control = new RunControl(),
): Promise<readonly BenchCell[]> {
  const targets = [made('opfs-balanced', unit, ours), made('native-balanced', unit, theirs)];
  const run = await measureUnit(unit, targets, {
    plan: PLAN,
    control,
    timerStepMs: 0.001,
    units: 1,
    clock: () => 0,
    tell: () => undefined,
  });
  return withRatios(cellsOf({ unit, run, targets, plan: PLAN, sequences: 1 }), PLAN);
}

export const ofUs = (cells: readonly BenchCell[], id = 'insert'): BenchCell =>
  cells.find(({ engine, test: name }) => engine === 'opfs-balanced' && name === id)!;
