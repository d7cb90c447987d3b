// The loaded runs as a list: how it changes, and which runs a click or a key chooses. Pure.
import type { LoggedRun } from '#shared/protocol/index.ts';

/** @param run in its current state; null: it is deleted, or does not pass the filter @param next before which nothing has been read yet */
export function withRun(
  runs: readonly LoggedRun[],
  id: number,
  run: LoggedRun | null,
  next: number | null,
): readonly LoggedRun[] {
  const at = runs.findIndex((other) => other.id <= id);
  const isThere = runs[at]?.id === id;
  if (!run) return isThere ? runs.filter((other) => other.id !== id) : runs;
  if (at >= 0) return [...runs.slice(0, at), run, ...runs.slice(isThere ? at + 1 : at)];
  return next !== null && id < next ? runs : [...runs, run];
}

type Reach = 'only' | 'toggle' | 'range';

/** @returns the chosen IDs: the keyboard continues at the last one, and a range begins at the first */
export function choice(ids: readonly number[], chosen: readonly number[], id: number, reach: Reach): readonly number[] {
  if (reach === 'toggle' && chosen.length > 0)
    return chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
  const [anchor] = chosen;
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)];
  if (reach !== 'range' || from < 0) return [id];
  return from <= to ? ids.slice(from, to + 1) : ids.slice(to, from + 1).reverse();
}
