// What is said of an engine whose package is not there: comparisons are not worth many megabytes of every installation.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/errors.ts';

export function notInstalled(engine: EngineDefinition, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new AppError({
    code: 'unavailable',
    message: `${engine.label} is not part of this installation: it serves comparisons only. Run Sidelite from its sources (npm start) to measure it. (${reason})`,
  });
}
