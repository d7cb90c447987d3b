// Whether this is macOS, whose keys differ.

export const isMac = typeof navigator !== 'undefined' && navigator.platform.startsWith('Mac');
