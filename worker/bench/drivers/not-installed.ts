// The error for an engine whose package is missing: comparisons are not worth many megabytes of every installation.
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/errors.ts';

export function notInstalled(engine: EngineDefinition, error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw AppError.unavailable(
    `${engine.label} is not part of this installation: what only serves comparison weighs more than the app. To add it, run “npm run package -- thirdParty” in Sidelite’s sources and copy what is then in out/thirdParty into the folder “resources” of the installation; or measure from the sources (npm start) and import the result here. (${reason})`,
  );
}
