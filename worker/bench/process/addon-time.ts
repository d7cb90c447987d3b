// How long native modules take to be loaded. Node calls `process.dlopen` for each of them.

/** Of what `load` loads, in milliseconds; nothing when that is none. */
export async function timedLoading<T>(
  load: () => Promise<T>,
): Promise<{ readonly loaded: T; readonly codeMs?: number }> {
  const { dlopen } = process;
  let codeMs: number | undefined;
  process.dlopen = (...args: Parameters<typeof dlopen>) => {
    const began = performance.now();
    dlopen.apply(process, args);
    codeMs = (codeMs ?? 0) + performance.now() - began;
  };
  try {
    const loaded = await load();
    return codeMs === undefined ? { loaded } : { loaded, codeMs };
  } finally {
    process.dlopen = dlopen;
  }
}
