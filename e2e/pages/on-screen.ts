// Reports of the walk through the screens to whoever looks at them.

/** Told of each screen when it is there and at rest. */
export type OnScreen = (name: string) => Promise<void>;
