// How long work will still take, judged by its speed so far.
import { useState } from 'react';

/** An earlier guess would jump about. */
const WATCHED_MS = 1_000;
/** Less is not worth showing. */
const LEAST_MS = 1_000;

interface Advance {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
}

interface Seen {
  readonly phase: string;
  readonly done: number;
  readonly atMs: number;
}

/** Milliseconds, or null while no estimate is possible. Each phase is timed separately because their speeds differ. */
export function useTimeLeft(progress: Advance | null, nowMs: number): number | null {
  const [first, setFirst] = useState<Seen | null>(null);
  if (!progress) return null;
  if (first?.phase !== progress.phase || first.done > progress.done)
    setFirst({ phase: progress.phase, done: progress.done, atMs: nowMs });
  return first && timeLeft(first, progress, nowMs);
}

export function timeLeft(first: Seen, { phase, done, total }: Advance, nowMs: number): number | null {
  const [spentMs, came] = [nowMs - first.atMs, done - first.done];
  if (total === null || phase !== first.phase || spentMs < WATCHED_MS || came <= 0) return null;
  const leftMs = ((total - done) * spentMs) / came;
  return leftMs >= LEAST_MS ? leftMs : null;
}
