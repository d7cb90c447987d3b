// The hot loops: parties that take turns in one thread, or each with its own request in flight. Whoever has an answer asks again at
// once, and the time from asking to the answer is what is measured, so a turn that others have first counts.
import type { Party } from './parties.ts';
import { TimeList } from '../lap-times.ts';

export interface Done {
  /** Waits in order of completion: milliseconds since each item was requested. */
  readonly waits: Float64Array;
  readonly elapsedMs: number;
}

/** Returns what each party did. Engines that answer at once never pay for a promise. */
export async function takeTurns(parties: readonly Party[], windowMs: number): Promise<readonly Done[]> {
  const lists = parties.map(() => new TimeList());
  const began = performance.now();
  const asked = new Float64Array(parties.length).fill(began);
  let now = began;
  while (now - began < windowMs) {
    for (let at = 0; at < parties.length; at++) {
      const pending = parties[at]!.act();
      if (pending) await pending;
      now = performance.now();
      lists[at]!.push(now - asked[at]!);
      asked[at] = now;
    }
  }
  return lists.map((list) => ({ waits: list.values(), elapsedMs: now - began }));
}

/** Runs connections that work independently: each party continues as soon as it has its own answer. */
export async function allAtOnce(parties: readonly Party[], windowMs: number): Promise<readonly Done[]> {
  const ended = await Promise.allSettled(parties.map((party) => takeTurns([party], windowMs)));
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value[0]!;
  });
}

/** Works until the other party ends it; at least once, so that a party that hardly gets any processor time shows a long wait. */
export async function workWhile(party: Party, goesOn: () => boolean): Promise<Done> {
  const list = new TimeList();
  const began = performance.now();
  let asked = began;
  do {
    const pending = party.act();
    if (pending) await pending;
    const now = performance.now();
    list.push(now - asked);
    asked = now;
  } while (goesOn());
  return { waits: list.values(), elapsedMs: asked - began };
}
