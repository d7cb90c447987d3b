// Keys that stay with the items of a list, which is read from SQL again with every change.

export interface ItemKeys {
  readonly texts: readonly string[];
  readonly keys: readonly number[];
  /** Key for the next new item. */
  readonly next: number;
}

export const NO_ITEMS: ItemKeys = { texts: [], keys: [], next: 0 };

/** An item with the same text is the same item at any position; of the others, the first replaces the first that is gone. */
export function followItems(known: ItemKeys, texts: readonly string[]): ItemKeys {
  if (known.texts.length === texts.length && known.texts.every((text, at) => text === texts[at])) return known;
  const gone = known.texts.map((text, at) => ({ text, key: known.keys[at]! }));
  const found = texts.map((text) => {
    const at = gone.findIndex((one) => one.text === text);
    return at < 0 ? null : gone.splice(at, 1)[0]!.key;
  });
  let { next } = known;
  const keys = found.map((key) => key ?? gone.shift()?.key ?? next++);
  return { texts, keys, next };
}
