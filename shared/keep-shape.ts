// Keeps the shape of a class whose instances come and go, and whose methods run for each byte of a file.
//
// V8 forgets the shape (hidden class) of objects when a full garbage collection finds none of them. The next instance gets a new shape, and
// code that was optimized for the old one is thrown away; after a few times V8 takes the fields for those of very different objects, and
// every access is slow for as long as the thread lives.

const kept: object[] = [];

/** Call once for a class, with an instance that takes little memory. */
export function keepShape(instance: object): void {
  kept.push(instance);
}
