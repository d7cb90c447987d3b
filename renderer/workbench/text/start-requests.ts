// Tabs that start to run or compare their text as soon as they are shown: the code that opens one need not load the editor.
const requested = new Set<string>();

export const requestStart = (tabId: string): void => void requested.add(tabId);

/** True once. */
export const takeStart = (tabId: string): boolean => requested.delete(tabId);
