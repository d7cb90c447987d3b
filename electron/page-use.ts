// When a person last used this page, as far as the browser vouches for it: events that a page makes up do not count. For the preload.

/** A key may wait until what was typed before it is stored. */
const RECENT_MS = 30_000;

let usedAtMs = -Infinity;

export function noteUse(): void {
  usedAtMs = performance.now();
}

export const isUsed = (): boolean => performance.now() - usedAtMs < RECENT_MS;

export function followUse(): void {
  for (const type of ['keydown', 'pointerdown', 'pointerup'])
    window.addEventListener(type, ({ isTrusted }) => void (isTrusted && noteUse()), true);
}
