// Logs messages that main drops, with the reason, so that lost messages can be explained.
import { log } from './crash.ts';

const counts = new Map<string, number>();

/** Another app begins, with a log of its own. */
export function forgetDropped(): void {
  counts.clear();
}

/** Logs the first message of a kind and then ever fewer: a page that repeats itself endlessly must not fill the log. */
export function logDropped(what: string, why: string): void {
  const line = `dropped ${what}: ${why}`;
  const count = (counts.get(line) ?? 0) + 1;
  counts.set(line, count);
  if (Number.isInteger(Math.log10(count))) log(count === 1 ? line : `${line} (${count} times by now)`);
}
