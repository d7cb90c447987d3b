// Where the user has moved tables, as it is stored: of any version, or damaged.
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import type { MovedTables } from './placement.ts';

const coordinate = v.pipe(v.number(), v.finite(), v.minValue(-1e6), v.maxValue(1e6));
/** By table. */
const PLACES = eachEntry(v.object({ x: coordinate, y: coordinate }));
const DIAGRAMS = v.fallback(v.record(v.string(), v.unknown()), {});

/** By diagram, which the key of `diagramKey` names. */
export function readMoved(stored: unknown): Readonly<Record<string, MovedTables>> {
  const diagrams = Object.entries(v.parse(DIAGRAMS, stored)).map(
    ([key, places]) => [key, v.parse(PLACES, places)] as const,
  );
  return Object.fromEntries(diagrams.filter(([, places]) => Object.keys(places).length > 0));
}
