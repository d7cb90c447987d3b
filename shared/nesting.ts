// How deep parsed JSON is. The parser takes any depth; whatever writes it, sends it to another process, or compares it, calls itself for each level.

/** Whether lists and objects are in each other more than `most` times. */
export function isDeeperThan(most: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeperThan(most - 1, inner));
}
