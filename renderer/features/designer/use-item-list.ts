// The focus in a list of items that buttons add and remove: it is never lost, and moves to an item that was added.
import { useId, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';

interface ItemList<Part extends HTMLElement> {
  readonly keys: readonly number[];
  /** Props for the element that contains the items and the buttons that add some. */
  readonly listProps: {
    readonly ref: RefObject<Part | null>;
    readonly onFocusCapture: (event: FocusEvent) => void;
    readonly onBlurCapture: () => void;
  };
  readonly itemProps: (index: number) => { readonly 'data-item': string };
  readonly addProps: { readonly 'data-add': string };
}

export const REMOVES = { 'data-removes': true } as const;

interface Focused {
  readonly element: Element;
  /** Key of the item with the focus; null for a control that adds one. */
  readonly key: number | null;
}

/**
 * An item that appears while the focus is on a control that adds some gets the focus in its first text field, or its first control, with its
 * text selected. When the item with the focus disappears, the item now in its place gets it, otherwise the control that adds one.
 * @param texts the texts of the items, by which they are recognized
 */
export function useItemList<Part extends HTMLElement>(texts: readonly string[]): ItemList<Part> {
  const id = useId();
  const ref = useRef<Part>(null);
  const [known, setKnown] = useState(() => followItems(NO_ITEMS, texts));
  const items = followItems(known, texts);
  if (items !== known) setKnown(items);
  const focused = useRef<Focused | null>(null);
  const before = useRef(items.keys);
  useLayoutEffect(() => {
    const was = before.current;
    before.current = items.keys;
    const list = ref.current;
    const last = focused.current;
    if (was === items.keys || !list || !last) return;
    const added = items.keys.find((key) => !was.includes(key));
    if (last.key === null && added !== undefined) return focusOn(itemOf(list, id, added));
    // An element that leaves the document takes the focus with it, and React does not report that.
    if (last.element.isConnected) return;
    const at = Math.min(was.indexOf(last.key ?? -1), items.keys.length - 1);
    const next = at < 0 ? null : itemOf(list, id, items.keys[at]!);
    if (next === null) focusOn(list.querySelector(`[data-add="${id}"]`));
    else if (last.element.hasAttribute('data-removes')) focusOn(next.querySelector('[data-removes]') ?? next);
    else focusOn(next);
  }, [id, items.keys]);
  return {
    keys: items.keys,
    listProps: {
      ref,
      onFocusCapture: ({ target }) => {
        const key = keyOf(target, id);
        const adds = target.closest(`[data-add="${id}"]`) !== null;
        focused.current = key !== null || adds ? { element: target, key } : null;
      },
      onBlurCapture: () => void (focused.current = null),
    },
    itemProps: (index) => ({ 'data-item': `${id} ${items.keys[index]!}` }),
    addProps: { 'data-add': id },
  };
}

function itemOf(list: HTMLElement, id: string, key: number): HTMLElement | null {
  return list.querySelector(`[data-item="${id} ${key}"]`);
}

/** An item may contain a list. */
function keyOf(target: Element, id: string): number | null {
  for (let at = target.closest<HTMLElement>('[data-item]'); at; at = at.parentElement?.closest('[data-item]') ?? null) {
    const [list, key] = at.dataset['item']!.split(' ');
    if (list === id) return Number(key);
  }
  return null;
}

function focusOn(part: HTMLElement | null): void {
  if (part === null) return;
  const control = part.matches('button, select, input')
    ? part
    : (part.querySelector<HTMLElement>('input:not([type="checkbox"])') ??
      part.querySelector<HTMLElement>('select, input, button'));
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
}

// Keys that stay with the items of a list, which is read from SQL again with every change.
interface ItemKeys {
  readonly texts: readonly string[];
  readonly keys: readonly number[];
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
