// The layers over the window, of which the top one gets the keys: modal dialogs, the newest on top.
import { createContext, useContext, useLayoutEffect, useState, type ReactNode } from 'react';

/** Identity of a modal dialog; null is the window itself. */
export type Layer = symbol | null;

const LayerContext = createContext<Layer>(null);
const listeners = new Set<() => void>();
let open: readonly symbol[] = [];

/** The layer that has the keys now. */
export const topLayer = (): Layer => open.at(-1) ?? null;

export const useLayer = (): Layer => useContext(LayerContext);

export function onTopLayerChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Puts a layer on top of all others. Returns a function that removes it. */
export function openLayer(layer: symbol): () => void {
  setOpen([...open, layer]);
  return () => setOpen(open.filter((other) => other !== layer));
}

function setOpen(now: readonly symbol[]): void {
  open = now;
  for (const listener of listeners) listener();
}

interface ModalLayerProps {
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

/** Goes around a modal dialog: while it is open, only commands of components inside it have keys and menu entries. */
export function ModalLayer({ isOpen = true, children }: ModalLayerProps): ReactNode {
  const [layer] = useState(() => Symbol('modal dialog'));
  useLayoutEffect(() => (isOpen ? openLayer(layer) : undefined), [layer, isOpen]);
  return <LayerContext.Provider value={layer}>{children}</LayerContext.Provider>;
}
