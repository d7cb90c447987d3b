// JSON that keeps 64-bit integers, bytes, infinity and −0: filters may hold any of them.

const INTEGER = '$integer';
const NUMBER = '$number';
const BYTES = '$bytes';
/** An object in which one of these words is a name: of a column, a table, or a parameter, which anyone may have chosen. */
const ENTRIES = '$entries';
const MARKS: readonly string[] = [INTEGER, NUMBER, BYTES, ENTRIES];

/** @see parseState */
export function stringifyState(state: unknown): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { [INTEGER]: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { [NUMBER]: Object.is(value, -0) ? '-0' : String(value) };
    if (value instanceof Uint8Array) return { [BYTES]: [...value] };
    if (typeof value === 'object' && value !== null && MARKS.some((mark) => Object.hasOwn(value, mark)))
      return { [ENTRIES]: Object.entries(value) };
    return value;
  });
}

/** Undefined for text that is not valid state. */
export function parseState(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text, (_key, value: unknown) => valueOf(value)) as unknown;
  } catch {
    return undefined;
  }
}

/** What is marked but is not written as {@link stringifyState} writes it is an object like any other. */
function valueOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [entry, second] = Object.entries(value);
  if (entry === undefined || second !== undefined) return value;
  const [mark, marked] = entry as [string, unknown];
  if (mark === INTEGER && typeof marked === 'string' && /^-?\d{1,19}$/.test(marked)) return BigInt(marked);
  if (mark === NUMBER && typeof marked === 'string' && /^(?:-0|-?Infinity|NaN)$/.test(marked)) return Number(marked);
  if (mark === BYTES && isBytes(marked)) return Uint8Array.from(marked);
  if (mark === ENTRIES && isEntries(marked)) return Object.fromEntries(marked);
  return value;
}

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);

const isEntries = (value: unknown): value is readonly (readonly [string, unknown])[] =>
  Array.isArray(value) &&
  value.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string');
