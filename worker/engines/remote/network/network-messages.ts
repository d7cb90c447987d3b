// Messages between the engine's thread and the thread that talks to servers.

export interface HttpRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export type ToNetwork =
  /** The first message: the shared word that is counted up and woken with each message of the network's. */
  | { readonly t: 'init'; readonly bell: Int32Array; readonly port: unknown }
  | { readonly t: 'send'; readonly id: number; readonly request: HttpRequest }
  /** Events of a server, until it is aborted. The shared words hold its state (`EAR_WORD`); there is no other answer. */
  | { readonly t: 'listen'; readonly id: number; readonly request: HttpRequest; readonly ear: Int32Array }
  /** The answer is not awaited. */
  | { readonly t: 'forget'; readonly request: HttpRequest }
  /** The pieces sent so far have been used. */
  | { readonly t: 'more'; readonly id: number }
  | { readonly t: 'abort'; readonly id: number };

export type FromNetwork =
  | { readonly t: 'head'; readonly id: number; readonly status: number; readonly contentType: string }
  | { readonly t: 'piece'; readonly id: number; readonly bytes: Uint8Array }
  | { readonly t: 'end'; readonly id: number }
  /** `isSent`: the server may have received the request and acted on it. */
  | { readonly t: 'failed'; readonly id: number; readonly why: string; readonly isSent: boolean };
