// Work that does not react to Stop. If the engine was ended because of such work, the work is not started again automatically.
import type { Work } from '#shared/protocol/index.ts';

/** Work that calls SQLite's progress handler ends long before this. */
const UNRESPONSIVE_AFTER_MS = 1000;

/** Work that only waits for its turn ends when its turn comes: the unresponsive work is the one among `works` that blocks all others. */
export function isUnresponsive(work: Work, works: readonly Work[], nowMs: number): boolean {
  const isAsked = work.stopAskedAtMs !== null && nowMs - work.stopAskedAtMs >= UNRESPONSIVE_AFTER_MS;
  return isAsked && works.every((other) => other === work || other.holdsSinceMs === null);
}

let ended: readonly Work[] = [];

/**
 * Notes that an engine ended together with this work, whether the user ended it or it ended on its own. Work that did not react to Stop is
 * not started again. Remembered until all listeners have heard that the engine is back.
 */
export function noteEnded(works: readonly Work[]): void {
  const nowMs = Date.now();
  ended = [...ended, ...works.filter((work) => isUnresponsive(work, works, nowMs))];
}

export function forgetEnded(): void {
  ended = [];
}

/** Whether the engine was ended because of such work. Call while listeners are notified of the reconnection. */
export const wasEndedFor = (isMeant: (work: Work) => boolean): boolean => ended.some(isMeant);
