// The variant of better-sqlite3 with ciphers, whose types cannot be found through its “exports”. Used only as far as `load.ts` describes.
declare module 'better-sqlite3-multiple-ciphers' {
  const constructor: unknown;
  export default constructor;
}
