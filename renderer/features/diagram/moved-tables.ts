// Where the user has moved tables. The stored data may be from any version, or damaged.
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import type { MovedTables } from './placement.ts';

const coordinate = v.pipe(v.number(), v.finite(), v.minValue(-1e6), v.maxValue(1e6));
const PLACES = eachEntry(v.object({ x: coordinate, y: coordinate }));

/** Positions by table. */
export const readMoved = (stored: unknown): MovedTables => v.parse(PLACES, stored);
