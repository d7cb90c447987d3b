// Messages between the host page and its worker, apart from the clients' ports: `postMessage` on the Worker itself.
import type { EngineId } from '#shared/bench/engines.ts';
import type { ErrorData } from '#shared/protocol/errors.ts';

/** Messages from the host page to the worker. `init` comes first and once, before any `client`. */
export type HostToWorker =
  | {
      readonly t: 'init';
      /** Buffer of a `WorkStatusBuffer`. */
      readonly workStatus: SharedArrayBuffer;
      /** `FileOperations`, served by main or, in a browser, by the page; transferred. */
      readonly filesPort: MessagePort;
    }
  /** A window's data port, transferred. The worker answers it with `hello`. */
  | { readonly t: 'client'; readonly windowId: string; readonly port: MessagePort }
  /** The app is about to quit: roll back open transactions, checkpoint, close every file, then answer `settled`. */
  | { readonly t: 'settle' };

/** Messages from the worker to the host page. */
export type WorkerToHost =
  /** The engine runs and clients are served. */
  | { readonly t: 'ready' }
  /** The worker cannot serve at all (no OPFS, wasm missing, …). The host refuses every client with this sentence. */
  | { readonly t: 'failed'; readonly error: ErrorData }
  /** Something begins, and the page does not look at the work status buffer at the moment. */
  | { readonly t: 'busy' }
  | { readonly t: 'settled' };

/** Sent to a worker that measures; it replies only on its port. */
export interface StartBench {
  readonly engine: EngineId;
  readonly port: MessagePort;
}
