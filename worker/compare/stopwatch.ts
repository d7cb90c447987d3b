// Adds up the time inside the engine, without what is done between its calls.
export class Stopwatch {
  elapsedMs = 0;

  time<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.elapsedMs += performance.now() - began;
    }
  }
}
