// Registers the functions that stand in for those of other programs with connections of better-sqlite3.
import type { StandIn, StandInState } from '#shared/stand-ins.ts';
import { defineStandIns, type Definable, type PreparedStandIn } from '../../stand-ins/define.ts';
import type { Database } from '../runtime/load.ts';
import type { Pulse } from '../runtime/pulse.ts';
import { toNative, type NativeValue } from './binding.ts';
import { toValue } from './row.ts';

const NOT_FOR_SCHEMA =
  'The function cannot be offered to views and triggers of this file, because other functions would be, too. Turn off “Views and triggers may call it”, or copy the file into the library.';

/**
 * Functions that SQLite does not declare harmless and schemas may call all the same once `trusted_schema` is on: they read what the file
 * holds, and nothing else. Any other function, such as one of an extension, keeps it off.
 */
const HARMLESS = new Set([
  ...['median', 'percentile', 'percentile_cont', 'percentile_disc', 'rtreecheck', 'rtreenode', 'rtreedepth'],
  ...['bm25', 'optimize', 'fts5', 'matchinfo', 'match', 'highlight', 'snippet', 'fts5_get_locale', 'offsets'],
]);
/** `SQLITE_INNOCUOUS` and `SQLITE_DIRECTONLY` (sqlite.org/c3ref/c_deterministic.html). */
const JUDGED = 0x200000 | 0x80000;

interface ListedFunction {
  readonly name: string;
  readonly flags: number;
}

/** Call once the connection has its own functions. Returns what became of each. */
export function defineInNative(
  db: Database,
  pulse: Pulse,
  standIns: readonly PreparedStandIn[],
): readonly StandInState[] {
  const functions = db.prepare('PRAGMA function_list').all() as readonly ListedFunction[];
  const others = functions.filter(({ name, flags }) => (flags & JUDGED) === 0 && !HARMLESS.has(name));
  const isStopped = (): boolean => pulse.handler?.() ?? false;
  let isForSchema = false;
  const states = defineStandIns(
    standIns,
    functions.map(({ name }) => name),
    ({ standIn, code }) => {
      if (standIn.innocuous && others.length > 0) return NOT_FOR_SCHEMA;
      if (standIn.kind === 'scalar') defineScalar(db, standIn, code, pulse, isStopped);
      else defineAggregate(db, standIn, code, pulse, isStopped);
      isForSchema ||= standIn.innocuous;
      return null;
    },
  );
  // better-sqlite3 cannot declare a function harmless.
  if (isForSchema) db.prepare('PRAGMA trusted_schema = ON').run();
  return states;
}

type Parts = readonly [db: Database, standIn: StandIn, code: Definable['code'], pulse: Pulse, isStopped: () => boolean];

function defineScalar(...[db, standIn, code, pulse, isStopped]: Parts): void {
  const body = (...values: readonly NativeValue[]): NativeValue => {
    // A scan that returns no row is stopped here.
    pulse.beat();
    return toNative(code.call(values.map(toValue), isStopped));
  };
  db.function(standIn.name, optionsOf(standIn), taking(standIn.argumentCount, body));
}

function defineAggregate(...[db, standIn, code, pulse, isStopped]: Parts): void {
  let groups = 0;
  const step = (group: number, ...values: readonly NativeValue[]): void => {
    pulse.beat();
    code.step([group, ...values.map(toValue)], isStopped);
  };
  db.aggregate(standIn.name, {
    ...optionsOf(standIn),
    start: () => ++groups,
    step: taking(standIn.argumentCount + 1, step),
    result(group: number) {
      try {
        return toNative(code.call([group], isStopped));
      } finally {
        code.forget(group);
      }
    },
  });
}

const optionsOf = ({ argumentCount, deterministic, innocuous }: StandIn) => ({
  deterministic,
  directOnly: !innocuous,
  safeIntegers: true,
  varargs: argumentCount < 0,
});

/** better-sqlite3 asks the function how many arguments it takes. */
const taking = <F extends object>(length: number, body: F): F =>
  Object.defineProperty(body, 'length', { value: Math.max(0, length) });
