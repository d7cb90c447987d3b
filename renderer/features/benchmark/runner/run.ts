// One run of the benchmark, from a plan to a result: starts engines and runs the units; can be paused, stopped and followed.
import { formatCount } from '../../../ui/format.ts';
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILES } from '#shared/bench/profile.ts';
import type { OwnQuery, TestFacts } from '#shared/bench/protocol.ts';
import { RESULT_SCHEMA } from '#shared/bench/result.ts';
import type { BenchCell, BenchEnvironment, BenchEvent, BenchGeomean, BenchResult } from '#shared/bench/result.ts';
import type { BenchMachine, BenchPlan } from '#shared/bench/shell.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import { timerStepMs } from '#shared/bench/statistics.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import { shell } from '../../../connection/shell.ts';
import { cellsOf, cellWithout, geomeansOf, withRatios } from './cells.ts';
import type { NotMeasured } from './cells.ts';
import { RunControl } from './target.ts';
import type { AppSuite, BenchUnit, Target } from './target.ts';
import { openEnginePort } from './engine-port.ts';
import { StartedEngines } from './started-engines.ts';
import { ConcurrentTarget, EngineTarget } from './engine-target.ts';
import { measureUnit, enginesOf, enginesOfUnit, unitsOf } from './measure-unit.ts';

const MOST_EVENTS = 200;
const KEPT_EVERY_MS = 10_000;

export interface BenchProgress {
  readonly text: string;
  /** 0 to 1. */
  readonly share: number;
  readonly secondsLeft: number | null;
  readonly isPaused: boolean;
  /** Cells so far, including ratios. */
  readonly cells: readonly BenchCell[];
}

export interface BenchServices {
  /** The suites of the window: `live`, `browse`, `sql-tab`, `startup`. */
  readonly appSuites: Readonly<Partial<Record<SuiteId, () => Promise<AppSuite>>>>;
  readonly own: OwnQuery | null;
  /** Saves what has been measured so far, between two units and outside all timing, so that little is lost with the window. */
  readonly keep?: (unfinished: BenchResult) => Promise<void>;
}

export interface BenchRun {
  /** Always resolves, even after Stop; cells say what happened. @throws AppError when nothing at all could be measured */
  readonly result: Promise<BenchResult>;
  pause(): void;
  resume(): void;
  stop(): void;
}

export function startBenchRun(
  plan: BenchPlan,
  services: BenchServices,
  onProgress: (progress: BenchProgress) => void,
): BenchRun {
  const control = new RunControl();
  const runner = new Runner(plan, services, control, onProgress);
  return {
    result: runner.run(),
    pause: () => control.pause(),
    resume: () => control.resume(),
    stop() {
      control.stop();
      // Also ends engines that are inside a long call.
      void endEngines();
    },
  };
}

/** Runs a benchmark for the command line: the same run as in the tab, its result sent to the main process. */
export async function runCommandLineJob(appSuites: BenchServices['appSuites']): Promise<void> {
  const job = await shell.bench.job();
  if (!job) return;
  const own = job.sql === null ? null : { sql: job.sql, file: job.file ?? new Uint8Array(0) };
  try {
    const run = startBenchRun(
      job.plan,
      { appSuites, own },
      ({ text, share, secondsLeft }) => void shell.bench.tell({ text, share, secondsLeft }).catch(() => undefined),
    );
    await shell.bench.done({ json: JSON.stringify(await run.result) });
  } catch (error) {
    await shell.bench.done({ failure: toErrorData(error).message });
  }
}

/** Failing to end engines must not lose a result: the main process ends them with the window, and logs why they did not end before. */
const endEngines = (): Promise<void> => shell.bench.end().catch(() => undefined);

interface UnitOfSuite {
  readonly unit: BenchUnit;
  readonly app: AppSuite | null;
  readonly sequences: number;
}

class Runner {
  readonly #plan: BenchPlan;
  readonly #services: BenchServices;
  readonly #control: RunControl;
  readonly #onProgress: (progress: BenchProgress) => void;
  readonly #engines: StartedEngines;
  readonly #apps: AppSuite[] = [];
  readonly #events: BenchEvent[] = [];
  readonly #began = performance.now();
  readonly #startedAt = new Date().toISOString();
  readonly #stepMs = timerStepMs();
  readonly #geomeans = new Map<SuiteId, readonly BenchGeomean[]>();
  #cells: readonly BenchCell[] = [];
  #needsScreen = true;
  #isKnownHidden = false;
  #keptAtMs = 0;

  constructor(
    plan: BenchPlan,
    services: BenchServices,
    control: RunControl,
    onProgress: (progress: BenchProgress) => void,
  ) {
    this.#plan = plan;
    this.#services = services;
    this.#control = control;
    this.#onProgress = onProgress;
    this.#engines = new StartedEngines(
      control,
      (what) => this.#note('engine-died', what),
      (engine) => openEnginePort(engine, plan.timeoutSeconds),
    );
  }

  async run(): Promise<BenchResult> {
    const other = await shell.bench.begin();
    if (other) throw elsewhere(other.windowTitle);
    const noteHidden = (): void => this.#noteHidden();
    document.addEventListener('visibilitychange', noteHidden);
    noteHidden();
    try {
      const machine = await shell.bench.machine();
      const units = await this.#plans();
      for (const [index, unit] of units.entries()) {
        await this.#measure(unit, index, units.length);
        if (index + 1 < units.length) await this.#keep(machine);
      }
      if (!this.#control.isStopped) {
        await this.#describeAppEngines(units);
        await this.#engines.describeCode((what) => this.#tell(what, 1));
        await this.#engines.end();
      }
      return this.#result(machine);
    } finally {
      document.removeEventListener('visibilitychange', noteHidden);
      for (const app of this.#apps) await app.end();
      await endEngines();
    }
  }

  async #plans(): Promise<readonly UnitOfSuite[]> {
    const units: UnitOfSuite[] = [];
    for (const id of this.#plan.suites) {
      const suite = suiteOf(id)!;
      const app = suite.where === 'app' ? ((await this.#services.appSuites[id]?.()) ?? null) : null;
      if (suite.where === 'app' && !app) throw AppError.unavailable(`The suite “${id}” cannot be measured here.`);
      if (app) this.#apps.push(app);
      const tests = app ? app.tests : await this.#testsOfAny(id);
      const ofSuite = unitsOf(suite, tests, this.#plan);
      const sequences = new Set(tests.flatMap(({ sequence }) => sequence ?? [])).size;
      units.push(...ofSuite.map((unit) => ({ unit, app, sequences })));
    }
    if (units.length === 0)
      throw AppError.unavailable('There is nothing to measure: no test of these suites has one of these sizes.');
    return units;
  }

  /** Tests of the suite, taken from the first engine that runs. */
  async #testsOfAny(suite: SuiteId): Promise<readonly TestFacts[]> {
    let why = 'No engine was chosen.';
    for (const engine of enginesOf(this.#plan)) {
      const started = await this.#engines.start(engine);
      if ('port' in started) return this.#engines.testsOf(started.port, suite);
      why = started.failure.why ?? why;
    }
    throw AppError.unavailable(why);
  }

  async #measure({ unit, app, sequences }: UnitOfSuite, index: number, count: number): Promise<void> {
    const without: BenchCell[] = [];
    const targets: Target[] = [];
    for (const engine of enginesOfUnit(this.#plan, unit, app)) {
      const tell = (what: string): void => this.#tell(`${nameOf(unit)}: ${what}`, index / count);
      const target = await this.#open(engine, unit, app, tell);
      if ('round' in target) targets.push(target);
      else without.push(...unit.tests.map((test) => cellWithout(unit, test, engine, target)));
    }
    this.#needsScreen = targets.some(({ needsScreen }) => needsScreen !== false);
    this.#noteHidden();
    const run = await measureUnit(unit, targets, {
      plan: this.#plan,
      control: this.#control,
      timerStepMs: Math.max(this.#stepMs, ...this.#engines.facts.map((facts) => facts.timerStepMs)),
      units: count,
      clock: () => performance.now() - this.#began,
      tell: (what, share) => this.#tell(`${nameOf(unit)}: ${what}`, (index + share) / count),
    });
    const cells = cellsOf({ unit, run, targets, plan: this.#plan, sequences });
    for (const { slowRounds } of run.records) this.#events.push(...slowRounds);
    for (const target of targets) if (!this.#control.isStopped) await target.close();
    this.#cells = [...this.#cells, ...withRatios([...without, ...cells], this.#plan)];
    this.#geomeans.delete(unit.suite);
    this.#tell(nameOf(unit), (index + 1) / count);
  }

  /** Opens what a unit is measured on: an engine in a worker or process of its own, or the window itself. Never rejects. */
  async #open(
    engine: EngineId,
    unit: BenchUnit,
    app: AppSuite | null,
    tell: (what: string) => void,
  ): Promise<Target | NotMeasured> {
    const { maxSize, label } = engineOf(engine)!;
    if (this.#control.isStopped) return { status: 'stopped', why: 'Stopped before it was measured.' };
    if (maxSize !== undefined && unit.size > maxSize) {
      return { status: 'skipped', why: `${label} is only measured up to a size of ${maxSize}.` };
    }
    try {
      if (!app || app.isOfEngine?.(unit.tests[0]!.id)) return await this.#openEngine(engine, unit);
      if (!app.engines.includes(engine))
        throw AppError.unavailable(
          `${label} has no window of its own: this suite measures what the app does with its two engines.`,
        );
      const opening = app.open(engine, unit, { control: this.#control, seed: this.#plan.seed, tell });
      return await this.#control.wait(opening);
    } catch (error) {
      const { code, message } = toErrorData(error);
      return { status: code === 'stopped' ? 'stopped' : code === 'unavailable' ? 'skipped' : 'failed', why: message };
    }
  }

  async #openEngine(engine: EngineId, unit: BenchUnit): Promise<Target | NotMeasured> {
    const started = await this.#engines.start(engine);
    if (!('port' in started)) return started.failure;
    const known = await this.#engines.testsOf(started.port, unit.suite);
    const tests = unit.tests.map((test) => known.find(({ id }) => id === test.id) ?? test);
    const { own } = this.#services;
    const load = { seed: this.#plan.seed, profile: this.#plan.profile, ...(own && { own }) };
    const Kind = unit.tests[0]!.side ? ConcurrentTarget : EngineTarget;
    return new Kind(started.port, { unit: { ...unit, tests }, control: this.#control, load });
  }

  /** A suite of the window measures the product's own connections. A driver of the same build reports their facts, outside all timing. */
  async #describeAppEngines(units: readonly UnitOfSuite[]): Promise<void> {
    const apps = units.flatMap(({ app }) => app ?? []);
    for (const engine of enginesOf(this.#plan))
      if (apps.some(({ engines }) => engines.includes(engine))) await this.#engines.start(engine);
  }

  #tell(text: string, share: number): void {
    const seconds = (performance.now() - this.#began - this.#control.pausedMs) / 1000;
    this.#onProgress({
      text,
      share,
      secondsLeft: share > 0.02 ? (seconds / share) * (1 - share) : null,
      isPaused: this.#control.isPaused,
      cells: this.#cells,
    });
  }

  async #keep(machine: BenchMachine): Promise<void> {
    const now = performance.now() - this.#began;
    if (!this.#services.keep || this.#control.isStopped || now - this.#keptAtMs < KEPT_EVERY_MS) return;
    const result = this.#result(machine);
    // If saving fails now, that is reported at the end.
    await this.#services.keep({ ...result, env: { ...result.env, unfinished: true } }).catch(() => undefined);
    this.#keptAtMs = performance.now() - this.#began;
  }

  /** Recomputed only for suites with new cells, because it takes a while. */
  #allGeomeans(): readonly BenchGeomean[] {
    return [...new Set(this.#cells.map(({ suite }) => suite))].flatMap((suite) => {
      const own = this.#cells.filter((cell) => cell.suite === suite);
      const means = this.#geomeans.get(suite) ?? geomeansOf(own, this.#plan);
      this.#geomeans.set(suite, means);
      return means;
    });
  }

  /** Being covered by the window whose start is measured does not disturb anything. */
  #noteHidden(): void {
    if (document.hidden === this.#isKnownHidden || (document.hidden && !this.#needsScreen)) return;
    this.#isKnownHidden = document.hidden;
    this.#control.setHidden(document.hidden);
    const what = document.hidden
      ? 'The window was hidden: its timers may be slowed down.'
      : 'The window is shown again.';
    this.#note(document.hidden ? 'hidden' : 'shown', what);
  }

  #note(kind: BenchEvent['kind'] & string, what: string): void {
    if (this.#events.length < MOST_EVENTS) this.#events.push({ kind, atMs: performance.now() - this.#began, what });
  }

  #result(machine: BenchMachine): BenchResult {
    const env: BenchEnvironment = {
      ...machine,
      chromium: /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? '',
      node: this.#engines.facts.find(({ runtime }) => runtime.startsWith('Node'))?.runtime ?? null,
      crossOriginIsolated,
      timerStepMs: this.#stepMs,
      seed: this.#plan.seed,
      startedAt: this.#startedAt,
      seconds: (performance.now() - this.#began) / 1000,
      events: this.#events.slice(0, MOST_EVENTS),
      engines: this.#engines.facts,
    };
    const profile = { name: this.#plan.profile, ...PROFILES[this.#plan.profile] };
    return { schema: RESULT_SCHEMA, env, profile, cells: this.#cells, geomeans: this.#allGeomeans() };
  }
}

const nameOf = ({ suite, size, tests, sequence }: BenchUnit): string =>
  `${suite}, ${sequence ?? tests[0]!.id}, ${formatCount(size)}`;

function elsewhere(windowTitle: string): AppError {
  return new AppError({
    code: 'measuring-elsewhere',
    message: `${windowTitle} is running a benchmark. Two at once would disturb each other: wait for it to finish, or stop it.`,
    detail: { windowTitle },
  });
}
