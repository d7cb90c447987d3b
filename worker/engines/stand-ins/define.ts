// Which of the stand-ins that were compiled are defined in a new connection.
import { foldName } from '#shared/ddl/names.ts';
import { standInKey, type StandIn, type StandInState } from '#shared/stand-ins.ts';
import type { CompiledStandIn } from './sandbox.ts';

/** One that did not compile says why. */
export type PreparedStandIn = { readonly standIn: StandIn } & (
  | { readonly code: CompiledStandIn }
  | { readonly why: string }
);

/** One that can be defined. */
export type Definable = Extract<PreparedStandIn, { readonly code: unknown }>;

/**
 * Defines those whose names are free. What SQLite has itself keeps its meaning, which statements of Sidelite rely on, too.
 * @param functions names that the connection has
 * @param define returns why it cannot be defined, or null
 */
export function defineStandIns(
  all: readonly PreparedStandIn[],
  functions: readonly string[],
  define: (one: Definable) => string | null,
): readonly StandInState[] {
  const taken = new Set(functions.map(foldName));
  const defined = new Set<string>();
  return all.map((one) => {
    const { kind, name, argumentCount } = one.standIn;
    const state = (why: string | null): StandInState => ({ kind, name, argumentCount, why });
    if ('why' in one) return state(one.why);
    if (taken.has(foldName(name))) return state(`There is a function “${name}” already, which is not replaced.`);
    if (defined.has(standInKey(one.standIn))) return state(`The function “${name}” is defined twice.`);
    defined.add(standInKey(one.standIn));
    return state(define(one));
  });
}
