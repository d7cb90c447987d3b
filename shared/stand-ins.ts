// Stand-ins: functions that a database needs and SQLite does not have, written in JavaScript by the user. Each computer keeps them for its
// databases; none in a database, a recipe, or imported settings is ever loaded.
import * as v from 'valibot';
import { foldName } from './ddl/names.ts';

/** So many fit a database; all of them are sent to the engine when it is opened. */
export const MOST_STAND_INS = 50;
export const MOST_CODE_CHARACTERS = 65_536;
/** SQLite takes 255 bytes of UTF-8. */
const MOST_NAME_CHARACTERS = 60;
const MOST_ARGUMENTS = 100;

export const STAND_IN = v.object({
  kind: v.picklist(['scalar', 'aggregate']),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_NAME_CHARACTERS)),
  /** -1: any number. */
  argumentCount: v.pipe(v.number(), v.integer(), v.minValue(-1), v.maxValue(MOST_ARGUMENTS)),
  /** Equal arguments have equal results (sqlite.org/deterministic.html), so that SQLite may call it once for many rows, or in an index. */
  deterministic: v.boolean(),
  /** The schema may call it too: views, triggers, CHECK, generated columns, and indexes (`SQLITE_INNOCUOUS`). */
  innocuous: v.boolean(),
  /** An expression: a function, or for an aggregate an object with `start`, `step`, and `result`. */
  code: v.pipe(v.string(), v.maxLength(MOST_CODE_CHARACTERS)),
});
export type StandIn = v.InferOutput<typeof STAND_IN>;

/** A stand-in as it is in a connection. */
export interface StandInState extends Pick<StandIn, 'kind' | 'name' | 'argumentCount'> {
  /** Why it is not defined, in a sentence or two; null: it is. */
  readonly why: string | null;
}

/** Two of the same key cannot be defined together. SQLite compares names without regard to the case of ASCII letters. */
export const standInKey = ({ name, argumentCount }: Pick<StandIn, 'name' | 'argumentCount'>): string =>
  `${foldName(name)}/${argumentCount}`;
