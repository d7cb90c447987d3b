// Work that does not react to Stop. When its engine is ended for it, it is not started again automatically.
import type { Work } from '#shared/protocol/index.ts';

/** Work that calls SQLite's progress handler has ended long before. */
const STUBBORN_AFTER_MS = 1000;

/** What only waits for its turn ends when it gets it: not it is to blame, but the one among `works` that holds up all others. */
export function isUnresponsive(work: Work, works: readonly Work[], nowMs: number): boolean {
  const isAsked = work.stopAskedAtMs !== null && nowMs - work.stopAskedAtMs >= STUBBORN_AFTER_MS;
  return isAsked && works.every((other) => other === work || other.holdsSinceMs === null);
}

let ended: readonly Work[] = [];

/**
 * Notes that an engine ended together with this work, whether the user ended it or it ended by itself. Work that did not react to Stop is
 * not started again. Remembered until all listeners have heard that the engine is back.
 */
export function noteEnded(works: readonly Work[]): void {
  const nowMs = Date.now();
  ended = [...ended, ...works.filter((work) => isUnresponsive(work, works, nowMs))];
}

export function forgetEnded(): void {
  ended = [];
}

/** Whether the engine was ended for such work. To be asked while the reconnection is told. */
export const wasEndedFor = (isMeant: (work: Work) => boolean): boolean => ended.some(isMeant);
