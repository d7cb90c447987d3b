// Which system this is: the keys of macOS differ, and Windows draws the buttons of its windows.

export const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');
export const isWindows = typeof navigator !== 'undefined' && navigator.platform.startsWith('Win');
