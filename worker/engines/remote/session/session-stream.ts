// The stream of a session: the connection on the server that keeps its transaction from one request to the next.
import type { HranaClient, Pipeline, Request, Stream } from '../hrana/hrana-client.ts';
import { isLostConnection } from '../network/network-error.ts';

export class SessionStream {
  readonly #client: HranaClient;
  #stream: Stream | null = null;

  constructor(client: HranaClient) {
    this.#client = client;
  }

  get isOpen(): boolean {
    return this.#stream !== null;
  }

  /** Request that ends a stream with the request that began it. */
  get closing(): readonly Request[] {
    return this.isOpen ? [] : [{ type: 'close' }];
  }

  /**
   * @param mayRepeat for a read: a connection that the server has closed is only noticed when it is used
   * @param keep whether the stream goes on as the reply says
   */
  send(
    requests: readonly Request[],
    { mayRepeat, keep }: { readonly mayRepeat: boolean; readonly keep: boolean },
  ): Pipeline {
    const reply = this.#sendAgain(requests, mayRepeat);
    if (keep) this.#stream = reply.stream;
    return reply;
  }

  /** Call when a reply is lost: the stream is lost with it, because the reply would have told how to continue the stream. */
  lose(): void {
    this.#stream = null;
  }

  close(): void {
    if (this.#stream !== null) this.#client.close(this.#stream);
    this.#stream = null;
  }

  #sendAgain(requests: readonly Request[], mayRepeat: boolean): Pipeline {
    try {
      return this.#client.pipeline(requests, this.#stream);
    } catch (error) {
      if (!mayRepeat || !isLostConnection(error)) throw error;
      return this.#client.pipeline(requests, this.#stream);
    }
  }
}
