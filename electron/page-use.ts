// Knows when the user last used this page, as verified by the browser: synthetic events do not count. For the preload.

/** A key may have to wait until earlier input is stored. */
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
