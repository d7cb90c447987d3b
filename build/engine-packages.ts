// The packages of the native engine: each brings a binary for every system and processor, of which the one of the target is shipped.

/** better-sqlite3, and its variant that opens encrypted files. */
export const ENGINE_PACKAGES = ['better-sqlite3', 'better-sqlite3-multiple-ciphers'] as const;

export type EnginePackage = (typeof ENGINE_PACKAGES)[number];

/** What of them is shipped, apart from the binary. */
export const ENGINE_FILES = ['package.json', 'LICENSE', 'lib/**'];
