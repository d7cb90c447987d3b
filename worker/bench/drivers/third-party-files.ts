// Engines that are only compared with, loaded from the folder their packages were copied into (`build/third-party.ts`).
import type { EngineDefinition } from '#shared/bench/engines.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { notInstalled } from './not-installed.ts';

/** The address of a file in `third-party/`. */
export function thirdPartyAddress(path: string): string {
  return new URL(`/third-party/${path}`, self.location.origin === 'null' ? self.location.href : self.location.origin)
    .href;
}

/** @throws AppError `unavailable` when it is not part of this installation, or does not start here */
export async function importThirdParty<Module>(engine: EngineDefinition, path: string): Promise<Module> {
  const address = thirdPartyAddress(path);
  try {
    return (await import(/* @vite-ignore */ address)) as Module;
  } catch (error) {
    const isThere = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere) return notInstalled(engine, error);
    const reason = error instanceof Error ? error.message : String(error);
    throw AppError.unavailable(`${engine.label} did not start here: ${reason}`);
  }
}

/** SHA-256 of a file in `third-party/`; null when it cannot be read. */
export const thirdPartyHash = (path: string): Promise<string | null> => hashAt(thirdPartyAddress(path));

/** SHA-256 of the file at an address; null when it cannot be read. */
export async function hashAt(address: string): Promise<string | null> {
  try {
    const hash = await crypto.subtle.digest('SHA-256', await (await fetch(address)).arrayBuffer());
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
