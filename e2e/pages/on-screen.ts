// What the walk through the screens tells whoever looks at them.

/** Told of each screen when it is there and at rest. */
export type OnScreen = (name: string) => Promise<void>;
