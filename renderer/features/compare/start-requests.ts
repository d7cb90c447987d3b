// Tabs that are to compare as soon as they are shown: who opens one need not load the editor for it.
const requested = new Set<string>();

export const requestStart = (tabId: string): void => void requested.add(tabId);

/** True once. */
export const takeStart = (tabId: string): boolean => requested.delete(tabId);
