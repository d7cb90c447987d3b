// Serves one engine on one port: starts its driver when asked, describes it, ends with it.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { benchTransfers, type BenchOperations } from '#shared/bench/protocol.ts';
import type { EngineCode, EngineFacts } from '#shared/bench/result.ts';
import { timerStepMs } from '#shared/bench/statistics.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Port } from '#shared/rpc/port.ts';
import { serve, type Handlers } from '#shared/rpc/server.ts';
import type { ReaderThreads } from './concurrent/run.ts';
import type { BenchDriver, DriverLocation, DriverRegistry } from './driver.ts';
import { BenchSession } from './session.ts';

interface ServedEngine extends DriverLocation {
  readonly engine: EngineDefinition;
  readonly drivers: DriverRegistry;
  /** “Chromium 108.0”. */
  readonly runtime: string;
  /** Threads in which readers have their own connections; missing: not available here. */
  readonly threads?: ReaderThreads;
  code(): EngineCode | null | Promise<EngineCode | null>;
  /** Called after everything is closed and removed. */
  end(): void;
}

export function serveEngine(port: Port, options: ServedEngine): void {
  const { engine } = options;
  let driver: BenchDriver | null = null;
  let session: BenchSession | null = null;

  const start = async (): Promise<EngineFacts> => {
    const started = performance.now();
    const load = options.drivers[engine.driver];
    if (!load) throw AppError.unavailable(`${engine.label} is not part of this installation.`);
    driver = await (await load()).startDriver(engine, { directory: options.directory });
    const startMs = performance.now() - started;
    session = new BenchSession(engine, driver, options.threads);
    return { engine: engine.id, ...driver.facts, startMs, timerStepMs: timerStepMs(), runtime: options.runtime };
  };
  const started = (): BenchSession => {
    if (session) return session;
    throw AppError.invalid('The engine was not started.');
  };
  /** Attributes errors to the engine, not to a defect of ours. */
  const ask = async <Reply>(run: (own: BenchSession['handlers']) => Reply | Promise<Reply>): Promise<Reply> => {
    try {
      return await run(started().handlers);
    } catch (error) {
      if (error instanceof AppError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw AppError.sql(`${engine.label} failed: ${reason}`);
    }
  };
  const handlers: Handlers<BenchOperations, null> = {
    'driver.start': start,
    'driver.code': () => options.code(),
    'suite.tests': (params, context) => ask((own) => own['suite.tests'](params, context)),
    'test.load': (params, context) => ask((own) => own['test.load'](params, context)),
    'test.prepare': (params, context) => ask((own) => own['test.prepare'](params, context)),
    'test.run': (params, context) => ask((own) => own['test.run'](params, context)),
    'test.deliver': (params, context) => ask((own) => own['test.deliver'](params, context)),
    'test.execute': (params, context) => ask((own) => own['test.execute'](params, context)),
    'test.concurrent': (params, context) => ask((own) => own['test.concurrent'](params, context)),
    'test.check': (params, context) => ask((own) => own['test.check'](params, context)),
    'database.close': (params, context) => ask((own) => own['database.close'](params, context)),
    async 'driver.end'() {
      await session?.close();
      await driver?.end();
      // Let the answer leave first.
      setTimeout(() => options.end(), 50);
      return null;
    },
  };
  serve(port, handlers, { info: null, session: null, transfers: benchTransfers });
}
