// Opens what a unit is measured on: an engine in a worker or process of its own, or the window itself; or says why it cannot be.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { OwnQuery } from '#shared/bench/protocol.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { NotMeasured } from './cells.ts';
import { ConcurrentTarget } from './concurrent-target.ts';
import type { RunControl } from './control.ts';
import { EngineTarget } from './engine-target.ts';
import type { StartedEngines } from './started-engines.ts';
import type { AppSuite, BenchUnit, Target } from './target.ts';

interface TargetContext {
  readonly plan: BenchPlan;
  readonly control: RunControl;
  readonly engines: StartedEngines;
  readonly own: OwnQuery | null;
}

interface ToMeasure {
  readonly unit: BenchUnit;
  /** The suite, if it measures the window. */
  readonly app: AppSuite | null;
  readonly tell: (what: string) => void;
}

export class Targets {
  readonly #context: TargetContext;

  constructor(context: TargetContext) {
    this.#context = context;
  }

  /** Never rejects. */
  async open(engine: EngineId, measured: ToMeasure): Promise<Target | NotMeasured> {
    const { unit, app } = measured;
    const { maxSize, label } = engineOf(engine)!;
    if (this.#context.control.isStopped) return { status: 'stopped', why: 'Stopped before it was measured.' };
    if (maxSize !== undefined && unit.size > maxSize) {
      return { status: 'skipped', why: `${label} is only measured up to a size of ${maxSize}.` };
    }
    try {
      if (!app || app.isOfEngine?.(unit.tests[0]!.id)) return await this.#openEngine(engine, unit);
      return await this.#context.control.wait(this.#openApp(app, engine, measured));
    } catch (error) {
      const { code, message } = toErrorData(error);
      return { status: code === 'stopped' ? 'stopped' : code === 'unavailable' ? 'skipped' : 'failed', why: message };
    }
  }

  async #openEngine(engine: EngineId, unit: BenchUnit): Promise<Target | NotMeasured> {
    const { plan, control, engines, own } = this.#context;
    const started = await engines.start(engine);
    if (!('port' in started)) return started.failure;
    const known = await engines.testsOf(started.port, unit.suite);
    const tests = unit.tests.map((test) => known.find(({ id }) => id === test.id) ?? test);
    const load = { seed: plan.seed, profile: plan.profile, ...(own && { own }) };
    const Kind = unit.tests[0]!.side ? ConcurrentTarget : EngineTarget;
    return new Kind(started.port, { unit: { ...unit, tests }, control, load });
  }

  #openApp(app: AppSuite, engine: EngineId, { unit, tell }: ToMeasure): Promise<Target> {
    const { plan, control } = this.#context;
    if (app.engines.includes(engine)) return app.open(engine, unit, { control, seed: plan.seed, tell });
    throw new AppError({
      code: 'unavailable',
      message: `${engineOf(engine)!.label} has no window of its own: this suite measures what the app does with its two engines.`,
    });
  }
}
