// Databases that a process of their own serves, on a server or encrypted: how the numbers which that process gives out are kept apart from
// those of others.

/** Processes that can be distinguished by their numbers; a later one takes over the numbers of the first. */
const SLOTS = 64;
const READERS_FROM = 2 ** 51;
const READERS_EACH = 2 ** 45;
const WORKS_FROM = 2 ** 29;
const WORKS_EACH = 2 ** 23;

/** First work id of the `slot`th process. Below the ids of the native engine, above those of the library. */
export const ownWorksFrom = (slot: number): number => WORKS_FROM + (slot % SLOTS) * WORKS_EACH;

/** Four ids a millisecond: the ids of a process that is started again are above those of the one before. */
export const ownReadersFrom = (slot: number, nowMs: number): number =>
  READERS_FROM + (slot % SLOTS) * READERS_EACH + nowMs * 4;

/** Null for a reader of another process. */
export const slotOfReader = (reader: number): number | null => slotOf(reader, READERS_FROM, READERS_EACH);
export const slotOfWork = (work: number): number | null => slotOf(work, WORKS_FROM, WORKS_EACH);

function slotOf(number: number, from: number, each: number): number | null {
  const slot = Math.floor((number - from) / each);
  return slot >= 0 && slot < SLOTS ? slot : null;
}
export const sameSlot = (a: number, b: number): boolean => a % SLOTS === b % SLOTS;
