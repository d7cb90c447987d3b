// Whole runs, from a plan to a result, on both engines of memory: they are real, only that they share this thread instead of having a worker
// or process of their own. What befalls them on the way is made up.
import { beforeEach, expect, test, vi } from 'vitest';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import type { BenchElsewhere, BenchMachine, BenchPlan } from '#shared/bench/shell.ts';
import { domPort } from '#shared/rpc/port.ts';
import type { Port } from '#shared/rpc/port.ts';
import { serveEngine } from '../../../../worker/bench/serve-engine.ts';
import { startBenchRun } from './run.ts';
import type { BenchProgress, BenchServices } from './run.ts';

/** What befalls an engine that is asked for something: it never answers, or it dies. Null: it does as it is told. */
type Fate = (engine: EngineId, op: string) => 'silent' | 'dead' | null;

const fake = vi.hoisted(() => ({
  elsewhere: null as unknown,
  missing: null as string | null,
  fate: ((): null => null) as unknown,
  asked: [] as string[],
  open: new Map<string, MessagePort>(),
}));

vi.mock('../../../connection/shell.ts', () => ({
  shell: {
    bench: {
      begin: async () => fake.elsewhere as BenchElsewhere | null,
      machine: async () => ({ os: 'Plan 9', cpu: 'A processor', cores: 2 }) as BenchMachine,
      open: async (engine: EngineId) => (fake.missing === engine ? 'It is not here.' : open(engine)),
      close: async (engine: EngineId) => {
        fake.asked.push(`close ${engine}`);
        fake.open.get(engine)?.close();
      },
      end: async () => {
        fake.asked.push('end');
        for (const port of fake.open.values()) port.close();
      },
    },
  },
}));

/** As main does it: a port in a message, then the answer. */
function open(engine: EngineId): null {
  const { port1, port2 } = new MessageChannel();
  fake.open.get(engine)?.close();
  fake.open.set(engine, port1);
  serveEngine(endangered(engine, port1), {
    engine: engineOf(engine)!,
    drivers: {
      product: () => import('../../../../worker/bench/drivers/product.ts'),
      'better-sqlite': () => import('../../../../worker/bench/process/better-sqlite.ts'),
    },
    directory: '',
    runtime: engine.startsWith('native') ? 'Node' : 'Chromium',
    code: () => ({ files: ['code'], bytes: 3, gzipBytes: 2, compileMs: null, instantiateMs: 1 }),
    end: () => port1.close(),
  });
  const data = { tag: BENCH_PORT_TAG, engine };
  window.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2], source: window }));
  return null;
}

function endangered(engine: EngineId, own: MessagePort): Port {
  const port = domPort(own as never);
  return {
    ...port,
    onMessage: (listener) =>
      port.onMessage((message) => {
        const { op } = message as { readonly op?: string };
        const fate = op === undefined ? null : (fake.fate as Fate)(engine, op);
        if (fate === 'dead') own.close();
        else if (fate === null) listener(message);
        // The time that it is waited for.
        else vi.advanceTimersByTime(TIMEOUT_SECONDS * 1_000);
      }),
  };
}

const TIMEOUT_SECONDS = 500;
const PLAN: BenchPlan = {
  suites: ['rtt'],
  engines: ['memory'],
  sizes: [100],
  rounds: 3,
  profile: 'balanced',
  quick: true,
  seed: 1,
  tests: ['insert-number', 'select-number'],
  timeoutSeconds: TIMEOUT_SECONDS,
};

beforeEach(() => {
  Object.assign(fake, { elsewhere: null, missing: null, fate: () => null, asked: [] });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('crossOriginIsolated', true);
});

interface Watched {
  readonly services?: Partial<BenchServices>;
  readonly onProgress?: (progress: BenchProgress, run: ReturnType<typeof startBenchRun>) => void;
}

async function measured(plan: BenchPlan, { services, onProgress }: Watched = {}): Promise<BenchResult> {
  const run = startBenchRun(plan, { appSuites: {}, own: null, ...services }, (progress) => onProgress?.(progress, run));
  return run.result;
}

const outcomes = (cells: readonly BenchCell[]) => cells.map(({ test: name, engine, status }) => [name, engine, status]);
const cellOf = ({ cells }: BenchResult, name: string, engine: EngineId): BenchCell =>
  cells.find((cell) => cell.test === name && cell.engine === engine)!;
/** Whether a round is slow is up to the machine. */
const eventsOf = ({ env }: BenchResult): readonly string[] =>
  env.events.filter(({ kind }) => kind !== 'slow-round').map(({ kind, what }) => `${kind}: ${what}`);

test('every test is measured on the engines of the plan and on those they are compared with, which read the same', async () => {
  const shares: number[] = [];
  const result = await measured(PLAN, { onProgress: ({ share }) => shares.push(share) });
  const { cells, env, geomeans, profile } = result;
  expect(outcomes(cells)).toEqual(
    ['insert-number', 'select-number'].flatMap((name) => [
      [name, 'memory', 'ok'],
      [name, 'native-memory', 'ok'],
    ]),
  );
  for (const { samples, delivered, why, checksum, test: name, engine, ratio, ratioLow, ratioHigh } of cells) {
    expect(why).toBeNull();
    expect(samples.length).toBeGreaterThan(0);
    expect(delivered.length).toBeGreaterThan(0);
    expect(checksum).toBe(cellOf(result, name, 'native-memory').checksum);
    if (engine !== 'memory') expect(ratio).toBeNull();
    else expect(ratioLow! <= ratio! && ratio! <= ratioHigh!).toBe(true);
  }
  expect(geomeans).toMatchObject([{ suite: 'rtt', engine: 'memory', cells: 2 }]);
  expect(profile).toMatchObject({ name: 'balanced' });
  expect(env).toMatchObject({ os: 'Plan 9', node: 'Node', seed: 1 });
  expect(eventsOf(result)).toEqual([]);
  expect(env.engines.map(({ engine, code }) => [engine, code?.files])).toEqual([
    ['memory', ['code']],
    ['native-memory', ['code']],
  ]);
  expect(env.engines[0]!.sourceId).toBe(env.engines[1]!.sourceId);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
  // Its turn is over.
  expect(fake.asked).toEqual(['end']);
});

test('an engine that cannot be started has no numbers and says why; the others are measured', async () => {
  fake.missing = 'memory';
  const { cells } = await measured({ ...PLAN, tests: ['insert-number'] });
  expect(cells).toMatchObject([
    { engine: 'memory', status: 'skipped', why: 'It is not here.', engineIsMissing: true },
    { engine: 'native-memory', status: 'ok' },
  ]);
});

test.each(['memory', 'native-memory'] as const)(
  'an engine that never answers (%s) is given up, says so, and is there for the next test; the others go on',
  async (silent) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    let silences = 0;
    fake.fate = (engine: EngineId, op: string) =>
      engine === silent && op === 'test.run' && silences++ === 0 ? 'silent' : null;
    const result = await measured(PLAN).finally(() => vi.useRealTimers());
    const { label, runsIn } = engineOf(silent)!;
    expect(cellOf(result, 'insert-number', silent)).toMatchObject({
      status: 'failed',
      samples: [],
      why: expect.stringContaining(
        `${label} did not respond for ${TIMEOUT_SECONDS} seconds, so it was stopped and its ${runsIn} ended.`,
      ),
    });
    expect(result.cells.filter(({ status }) => status !== 'ok')).toHaveLength(1);
    expect(eventsOf(result)).toEqual([`engine-died: ${label} did not respond and was restarted.`]);
    expect(fake.asked).toContain(`close ${silent}`);
  },
);

test('an engine that dies in the middle says so in its cell, and is there for the next test', async () => {
  let runs = 0;
  fake.fate = (engine: EngineId, op: string) =>
    engine === 'native-memory' && op === 'test.run' && ++runs === 4 ? 'dead' : null;
  const result = await measured(PLAN);
  expect(cellOf(result, 'insert-number', 'native-memory')).toMatchObject({
    status: 'failed',
    why: 'better-sqlite3, memory crashed: its worker or process ended. It is restarted for the next test.',
  });
  // There is nobody to compare it with.
  expect(cellOf(result, 'insert-number', 'memory')).toMatchObject({ status: 'ok', ratio: null });
  expect(cellOf(result, 'select-number', 'memory').ratio).not.toBeNull();
  expect(result.cells.filter(({ status }) => status !== 'ok')).toHaveLength(1);
  expect(eventsOf(result)).toEqual(['engine-died: better-sqlite3, memory crashed and was restarted.']);
});

test('cells say when the window was hidden in their rounds, and the run says when that was', async () => {
  const show = (isShown: boolean): void => {
    Object.assign(document, { hidden: !isShown });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const result = await measured(PLAN, {
    onProgress: ({ text }) => {
      if (text.startsWith('rtt, select-number') && text.endsWith('round 1 of 3')) show(false);
      if (text.startsWith('rtt, select-number') && text.endsWith('round 3 of 3')) show(true);
    },
  });
  const notes = result.cells.map(
    ({ why }) => /^The window was hidden in (\d of 3) rounds/.exec(why ?? '')?.[1] ?? null,
  );
  expect(notes).toEqual([null, null, '2 of 3', '2 of 3']);
  expect(eventsOf(result)).toEqual([
    'hidden: The window was hidden: its timers may be slowed down.',
    'shown: The window is shown again.',
  ]);
});

test('Stop keeps what was measured until then, and ends engines inside a long call', async () => {
  const plan = { ...PLAN, tests: ['insert-number', 'select-number', 'update-number'] };
  const endsBefore: number[] = [];
  const result = await measured(plan, {
    onProgress: ({ text }, run) => {
      if (!text.endsWith('select-number, 100: round 2 of 3')) return;
      run.stop();
      endsBefore.push(fake.asked.length);
    },
  });
  expect(outcomes(result.cells)).toEqual([
    ['insert-number', 'memory', 'ok'],
    ['insert-number', 'native-memory', 'ok'],
    ['select-number', 'memory', 'stopped'],
    ['select-number', 'native-memory', 'stopped'],
    ['update-number', 'memory', 'stopped'],
    ['update-number', 'native-memory', 'stopped'],
  ]);
  expect(cellOf(result, 'select-number', 'memory').samples.length).toBeGreaterThan(0);
  expect(cellOf(result, 'update-number', 'memory')).toMatchObject({
    why: 'Stopped before it was measured.',
    samples: [],
  });
  // At once, and not only when the run is over.
  expect(endsBefore).toEqual([1]);
  expect(fake.asked).toEqual(['end', 'end']);
});

test('what has been measured is kept from time to time, as that of a run that is not finished', async () => {
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  const kept: BenchResult[] = [];
  const result = await measured(PLAN, {
    onProgress: ({ text }) => {
      // The first test takes long.
      if (text.endsWith('insert-number, 100: first use')) aheadMs += 11_000;
    },
    services: { keep: async (unfinished) => void kept.push(unfinished) },
  });
  expect(kept).toHaveLength(1);
  expect(kept[0]!.env.unfinished).toBe(true);
  expect(outcomes(kept[0]!.cells)).toEqual([
    ['insert-number', 'memory', 'ok'],
    ['insert-number', 'native-memory', 'ok'],
  ]);
  expect(kept[0]!.cells[0]!.ratio).not.toBeNull();
  expect(result.env.unfinished).toBeUndefined();
});

test('a run that cannot be kept meanwhile goes on', async () => {
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  const keep = vi.fn(async () => {
    throw new Error('The disk is full.');
  });
  const result = await measured(PLAN, {
    onProgress: ({ text }) => {
      if (text.endsWith('first use')) aheadMs += 11_000;
    },
    services: { keep },
  });
  expect(keep).toHaveBeenCalled();
  expect(result.cells.filter(({ status }) => status !== 'ok')).toEqual([]);
});

test('nothing is measured while another window measures, which is named', async () => {
  fake.elsewhere = { windowTitle: 'Window 2', progress: null } satisfies BenchElsewhere;
  await expect(measured(PLAN)).rejects.toMatchObject({
    code: 'measuring-elsewhere',
    message: expect.stringMatching(/^Window 2 is running a benchmark/),
  });
  // The turn of the other one goes on.
  expect(fake.asked).toEqual([]);
});

test('a plan of which nothing can be measured says so, and gives its turn back', async () => {
  await expect(measured({ ...PLAN, tests: ['no-such-test'] })).rejects.toMatchObject({ code: 'unavailable' });
  await expect(measured({ ...PLAN, suites: ['browse'] })).rejects.toMatchObject({ code: 'unavailable' });
  expect(fake.asked).toEqual(['end', 'end']);
});
