// Whether a download that has failed is worth trying again: at once where the network has come back, later where it fails for other reasons.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeStamp } from './stamp.ts';

/** A server that answers, and a download that fails all the same: a firewall, a full disk. */
const AFTER_FAILURE_MS = 10 * 60 * 1000;
/** The question below may be answered wrongly, as by a proxy that only the installer knows. */
const IN_ANY_CASE_MS = 24 * 60 * 60 * 1000;
/** A network that swallows every packet must not delay each start by more. */
const ANSWER_MS = 2_000;

export interface Failure {
  readonly version: string;
  readonly cause: 'unreachable' | 'failed';
  readonly agoMs: number;
}

/** @param answers whether the server can be reached now; only asked when it could not be before, or may have failed for good */
export async function isWorthAnotherTry(
  failure: Failure | null,
  version: string,
  answers: () => Promise<boolean>,
): Promise<boolean> {
  if (failure?.version !== version || failure.agoMs >= IN_ANY_CASE_MS) return true;
  if (failure.cause === 'failed' && failure.agoMs < AFTER_FAILURE_MS) return false;
  return answers();
}

/** Null when the last try did not fail, or what is noted of it cannot be read. */
export function readFailure(file: string): Failure | null {
  if (!existsSync(file)) return null;
  const [version, cause] = readFileSync(file, 'utf8').split(' ');
  if (version === undefined || (cause !== 'unreachable' && cause !== 'failed')) return null;
  return { version, cause, agoMs: Date.now() - statSync(file).mtimeMs };
}

export function noteFailure(file: string, version: string, cause: Failure['cause']): void {
  writeStamp(file, `${version} ${cause}`);
}

/** Whether the file is there to be downloaded, without downloading it. */
export async function isOffered(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ANSWER_MS) });
    return ok;
  } catch {
    return false;
  }
}
