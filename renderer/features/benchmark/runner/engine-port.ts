// Connects the window to one measured engine, and tracks how long messages from it kept the window's thread busy.
import type { EngineId } from '#shared/bench/engines.ts';
import { BENCH_PORT_TAG } from '#shared/bench/shell.ts';
import { engineOf } from '#shared/bench/engines.ts';
import type { BenchOperations } from '#shared/bench/protocol.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Port } from '#shared/rpc/port.ts';
import { shell } from '../../../connection/shell.ts';
import { durationText, TIMEOUT_SECONDS, withTimeout } from './started-engines.ts';
import type { EngineCalls, EnginePort } from './started-engines.ts';

/**
 * @param timeoutSeconds how long it may be silent
 * @throws AppError `unavailable`
 */
export async function openEnginePort(engine: EngineId, timeoutSeconds = TIMEOUT_SECONDS): Promise<EnginePort> {
  // The main process sends it before it answers.
  const arriving = arrivingPort((data) => data.tag === BENCH_PORT_TAG && data.engine === engine);
  const why = await shell.bench.open(engine);
  if (why !== null) {
    arriving.cancel();
    throw AppError.unavailable(why);
  }
  const busy = { ms: 0 };
  const client = createClient<BenchOperations>(watched(await arriving.port, busy));
  let isGone = false;
  let silence: string | null = null;
  client.onClose(() => (isGone = true));
  const giveUp = (): void => {
    silence = silenceOf(engine, timeoutSeconds);
    isGone = true;
    void shell.bench.close(engine).catch(() => undefined); // the end of the run ends it too
    // Rejects the calls that are still waiting.
    client.close();
  };
  return {
    engine,
    client: withTimeout({ call: client.call.bind(client) as EngineCalls['call'] }, timeoutSeconds, giveUp),
    get isGone() {
      return isGone;
    },
    get silence() {
      return silence;
    },
    takeBusyMs() {
      const { ms } = busy;
      busy.ms = 0;
      return ms;
    },
  };
}

function silenceOf(engine: EngineId, seconds: number): string {
  const { label, runsIn } = engineOf(engine)!;
  return `${label} did not respond for ${durationText(seconds)}, so it was stopped and its ${runsIn} ended.`;
}

/** Resolves with the port of the next window message for which `isMeant` is true; starts listening at once. */
export function arrivingPort(isMeant: (data: { readonly tag?: unknown; readonly engine?: unknown }) => boolean): {
  readonly port: Promise<MessagePort>;
  cancel(): void;
} {
  let cancel = (): void => undefined;
  const port = new Promise<MessagePort>((resolve) => {
    const hear = ({ source, data, ports: [first] }: MessageEvent<object | null>): void => {
      // The main process sends it only to the page that has asked.
      if (source !== window || data === null || !isMeant(data) || !first) return;
      cancel();
      resolve(first);
    };
    cancel = () => window.removeEventListener('message', hear);
    window.addEventListener('message', hear);
  });
  return { port, cancel: () => cancel() };
}

/** Measures unpacking and handling a message: Chromium deserializes when `data` is read. */
function watched(port: MessagePort, busy: { ms: number }): Port {
  return {
    postMessage: (message, transfer = []) => port.postMessage(message, transfer as never),
    onMessage(listener) {
      port.addEventListener('message', (event) => {
        const from = performance.now();
        listener(event.data);
        busy.ms += performance.now() - from;
      });
      port.start();
    },
    onClose: (listener) => port.addEventListener('close', () => listener()),
    close: () => port.close(),
  };
}
