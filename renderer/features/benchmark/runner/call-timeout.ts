// How long an engine may be silent before it is given up, so that a run always ends.
import type { BenchOperations } from '#shared/bench/protocol.ts';
import type { Client } from '#shared/rpc/client.ts';
import { plural } from '../../../ui/format.ts';

/** Default, unless a plan sets another. Far longer than a step takes on any engine that works. */
export const TIMEOUT_SECONDS = 120;

export type EngineCalls = Pick<Client<BenchOperations, Record<string, never>>, 'call'>;

/** Each call has its own timeout, which restarts with each chunk. The `onSilence` callback must end the process that was called. */
export function withTimeout({ call }: EngineCalls, seconds: number, onSilence: () => void): EngineCalls {
  return {
    async call(op, params, options) {
      const wait = () => setTimeout(onSilence, seconds * 1_000);
      let timer = wait();
      try {
        return await call(op, params, {
          ...options,
          onChunk(chunk) {
            clearTimeout(timer);
            timer = wait();
            return options?.onChunk?.(chunk);
          },
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** “2 minutes” */
export const durationText = (seconds: number): string =>
  seconds % 60 === 0 ? plural(seconds / 60, 'minute') : plural(seconds, 'second');
