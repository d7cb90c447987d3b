// Says in the log what main does not pass on, and why: a message that is lost must not be a riddle.
import { log } from './crash.ts';

const counts = new Map<string, number>();

/** The first of a kind, and then ever more seldom: a page that goes on for ever must not fill the log. */
export function logDropped(what: string, why: string): void {
  const line = `dropped ${what}: ${why}`;
  const count = (counts.get(line) ?? 0) + 1;
  counts.set(line, count);
  if (Number.isInteger(Math.log10(count))) log(count === 1 ? line : `${line} (${count} times by now)`);
}
