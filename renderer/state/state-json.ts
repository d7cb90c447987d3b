// JSON that keeps 64-bit integers, bytes, infinity and −0: filters may hold any of them.

/** @see parseState */
export function stringifyState(state: unknown): string {
  return JSON.stringify(state, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $integer: String(value) };
    if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
      return { $number: Object.is(value, -0) ? '-0' : String(value) };
    if (value instanceof Uint8Array) return { $bytes: [...value] };
    return value;
  });
}

/** Undefined for text that is not valid state. */
export function parseState(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text, (_key, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value;
      if ('$integer' in value) return BigInt(value.$integer as string);
      if ('$number' in value) return Number(value.$number);
      if ('$bytes' in value) return Uint8Array.from(value.$bytes as number[]);
      return value;
    }) as unknown;
  } catch {
    return undefined;
  }
}
