// The result of a request that is repeated while its component is shown.
import { useEffect, useState } from 'react';

/** Null until the first answer. While the worker is away, the last answer stays. `ask` must keep its identity. */
export function usePolled<T>(ask: () => Promise<T>, everyMs: number): T | null {
  const [answer, setAnswer] = useState<T | null>(null);
  useEffect(() => {
    let isCurrent = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      const reply = await ask().catch(() => null);
      if (!isCurrent) return;
      if (reply !== null) setAnswer(reply);
      timer = setTimeout(() => void poll(), everyMs);
    };
    void poll();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [ask, everyMs]);
  return answer;
}
