// Reads stored values of whichever version or hand: an invalid field costs only itself.
import * as v from 'valibot';

/** Null for what is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An object of fields that all have a fallback; anything else stands for one without fields. */
export function forgiving<E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries);
  return v.fallback(schema, v.parse(schema, {}));
}

/** Reads a field that earlier versions stored under another name as if it had its present one. */
export const renamedField = <T extends v.GenericSchema>(before: string, now: string, schema: T) =>
  v.pipe(
    v.unknown(),
    v.transform((stored): unknown =>
      v.is(v.object({ [before]: v.unknown() }), stored) ? { [now]: stored[before], ...stored } : stored,
    ),
    schema,
  );

/** The items that are as they should be; none of what is no list. */
export const each = <T extends v.GenericSchema>(item: T) =>
  v.pipe(
    v.fallback(v.array(v.unknown()), []),
    v.transform((items): readonly v.InferOutput<T>[] =>
      items.filter((one) => v.is(item, one)).map((one) => v.parse(item, one)),
    ),
  );

/** `v.record` leaves out `constructor`, `prototype`, and `__proto__`, which tables and columns may be called. */
const entries = v.custom<Readonly<Record<string, unknown>>>((stored) => typeof stored === 'object' && stored !== null);

/** The entries whose values are as they should be; none of what is no object. */
export const eachEntry = <T extends v.GenericSchema>(value: T) =>
  v.pipe(
    v.fallback(entries, {}),
    v.transform(
      (stored) =>
        Object.fromEntries(
          Object.entries(stored).flatMap(([key, one]) => (v.is(value, one) ? [[key, v.parse(value, one)]] : [])),
        ) as Readonly<Record<string, v.InferOutput<T>>>,
    ),
  );

export const text = v.fallback(v.string(), '');
export const textOrNull = v.fallback(v.nullable(v.string()), null);
export const flag = (fallback: boolean) => v.fallback(v.boolean(), fallback);
export const oneOf = <const W extends readonly string[]>(words: W, fallback: W[number]) =>
  v.fallback(v.picklist(words), fallback);
/** A number of at least 0. */
export const size = (fallback: number) => v.fallback(v.pipe(v.number(), v.minValue(0)), fallback);
export const above0 = v.pipe(
  v.number(),
  v.check((value) => value > 0),
);
/** A number strictly between 0 and 1. */
export const share = (fallback: number) =>
  v.fallback(
    v.pipe(
      above0,
      v.check((value) => value < 1),
    ),
    fallback,
  );
