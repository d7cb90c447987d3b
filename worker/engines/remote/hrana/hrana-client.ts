// A client of Hrana over HTTP, version 3 or else 2 (github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md). It knows requests and
// streams; what the statements mean is the connection's business.
import { AppError } from '#shared/protocol/errors.ts';
import { readText, type HttpOptions, type HttpReply, type Listening, GatheredBytes } from '../network/blocking-http.ts';
import { checkStatus, withoutToken, type Server } from '../network/checked-reply.ts';
import { withAdviceForPlain } from '../network/network-error.ts';
import type { HttpRequest } from '../network/network-messages.ts';
import { malformed } from './malformed.ts';
import { encodeBatch, readCursorEntry, readCursorHead, readPipelineReply, readServerError } from './messages.ts';
import type { CursorEntry, ReplicationIndex, Response, ServerError, Step } from './messages.ts';

/** Servers refuse to send more than 10 MB in one reply; JSON may make up to six bytes of one. */
const MAX_REPLY_BYTES = 64 << 20;
const HURRIED_MS = 3_000;

/** Sends requests and gives their replies; tests put a server of their own in its place. */
export interface Http {
  send(request: HttpRequest, options: HttpOptions): HttpReply;
  post(request: HttpRequest): void;
  listen(request: HttpRequest): Listening;
}

/** A stream that stays open between requests: SQLite's connection on the server. */
export interface Stream {
  readonly baton: string;
  readonly base: URL;
}

export type Request =
  | { readonly type: 'batch'; readonly steps: readonly Step[]; readonly atLeast: ReplicationIndex | null }
  | { readonly type: 'describe'; readonly sql: string }
  | { readonly type: 'get_autocommit' }
  | { readonly type: 'close' };

export type Outcome =
  | { readonly ok: true; readonly response: Response }
  | { readonly ok: false; readonly error: ServerError };

export interface Pipeline {
  readonly stream: Stream | null;
  readonly outcomes: readonly Outcome[];
}

export class HranaClient {
  readonly #http: Http;
  readonly #server: Server;
  readonly #look: () => void;
  #version: 2 | 3 = 3;
  /** A version that has answered once stays: a proxy that says 404 for a moment changes nothing. */
  #isSettled = false;
  #endMs: number | null = null;

  /** @param look called every few milliseconds while waiting; what it throws ends the request */
  constructor(http: Http, server: Server, look: () => void) {
    this.#http = http;
    this.#server = server;
    this.#look = look;
  }

  /** Version 2 has no cursors and does not say whether a transaction is open. */
  get version(): 2 | 3 {
    return this.#version;
  }

  /** Requests of `body` are given up soon: no user started them, so no user can stop them. */
  hurriedly(body: () => void): void {
    this.within(HURRIED_MS, body);
  }

  /** Gives up requests of `body` that are not answered in time. */
  within<T>(ms: number, body: () => T): T {
    this.#endMs = performance.now() + ms;
    try {
      return body();
    } finally {
      this.#endMs = null;
    }
  }

  /** @throws AppError when there is no reply for every request */
  pipeline(requests: readonly Request[], stream: Stream | null): Pipeline {
    const body = `{"baton":${JSON.stringify(stream?.baton ?? null)},"requests":[${requests.map(encodeRequest).join(',')}]}`;
    const reply = this.#sendVersioned('pipeline', body, stream);
    const { baton, base_url: base, results } = readPipelineReply(readText(reply, MAX_REPLY_BYTES));
    if (results.length !== requests.length) throw malformed('it answers another number of requests');
    return {
      stream: this.#streamOf(baton, base, stream),
      outcomes: results.map((result, index) => {
        if (result.type === 'error') return { ok: false, error: this.#withoutToken(result.error) };
        if (result.response.type !== requests[index]!.type) throw malformed('it answers another request');
        return { ok: true, response: result.response };
      }),
    };
  }

  /** Entries as they arrive, so that a result may be of any size. The stream is closed with the reply. */
  cursor(steps: readonly Step[], atLeast: ReplicationIndex | null): CursorReply {
    const body = `{"baton":null,"batch":${encodeBatch(steps, atLeast)}}`;
    const lines = new Lines(this.#sendVersioned('cursor', body, null));
    const head = lines.next();
    if (head === null) throw malformed('it is empty');
    this.#streamOf(readCursorHead(head).baton, readCursorHead(head).base_url, null);
    return {
      next: () => {
        const line = lines.next();
        const entry = line === null ? null : readCursorEntry(line);
        return entry !== null && 'error' in entry ? { ...entry, error: this.#withoutToken(entry.error) } : entry;
      },
      cancel: () => lines.cancel(),
    };
  }

  /** The server frees the stream, and rolls back what is open in it. The answer is not awaited. */
  close({ baton, base }: Stream): void {
    this.#http.post(
      this.#request(base, 'pipeline', `{"baton":${JSON.stringify(baton)},"requests":[{"type":"close"}]}`),
    );
  }

  /** Listens to changes of the rows of a table, by its exact name. This is not part of Hrana: `sqld` offers it, on primaries. */
  listen(table: string): Listening {
    const { href: url } = new URL(`beta/listen?table=${encodeURIComponent(table)}`, this.#server.url);
    const headers = { accept: 'text/event-stream', ...this.#authorization };
    return this.#http.listen({ url, method: 'GET', headers, body: null });
  }

  #sendVersioned(endpoint: 'pipeline' | 'cursor', body: string, stream: Stream | null): HttpReply {
    const reply = this.#send(this.#request(stream?.base ?? this.#server.url, endpoint, body));
    // A server of version 2 answers version 3 with this. It has not read the request.
    if (reply.status === 404 && !this.#isSettled && stream === null && endpoint === 'pipeline') {
      reply.cancel();
      this.#version = 2;
      return this.#checked(this.#send(this.#request(this.#server.url, endpoint, body)), body);
    }
    return this.#checked(reply, body);
  }

  #checked(reply: HttpReply, body: string): HttpReply {
    checkStatus(reply, body, { token: this.#server.token, readError: readServerError });
    this.#isSettled = true;
    return reply;
  }

  #withoutToken(error: ServerError): ServerError {
    return withoutToken(error, this.#server.token);
  }

  #send(request: HttpRequest): HttpReply {
    const endMs = this.#endMs;
    try {
      return this.#http.send(request, { look: this.#look, ...(endMs !== null && { endMs }) });
    } catch (error) {
      throw this.#isSettled || this.#server.url.protocol !== 'http:' ? error : withAdviceForPlain(error);
    }
  }

  #request(base: URL, endpoint: string, body: string): HttpRequest {
    const url = new URL(`v${this.#version}/${endpoint}`, base).href;
    const headers = { 'content-type': 'application/json', ...this.#authorization };
    return { url, method: 'POST', headers, body };
  }

  get #authorization(): { readonly authorization?: string } {
    const { token } = this.#server;
    return token === null ? {} : { authorization: `Bearer ${token}` };
  }

  /** The next request of a stream goes where the server says, but the token goes nowhere else. */
  #streamOf(baton: string | null | undefined, base: string | null | undefined, before: Stream | null): Stream | null {
    if (baton === null || baton === undefined) return null;
    if (base === null || base === undefined) return { baton, base: before?.base ?? this.#server.url };
    const url = parse(base);
    if (url?.origin !== this.#server.url.origin)
      throw AppError.refused(
        'The server redirected to another server, which would have received your token. Connect to the other address itself if you trust it.',
        { detail: { kind: 'redirect' } },
      );
    return { baton, base: url.pathname.endsWith('/') ? url : new URL(`${url.href}/`) };
  }
}

export interface CursorReply {
  /** Null at the end. */
  next(): CursorEntry | null;
  cancel(): void;
}

function parse(address: string): URL | null {
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

function encodeRequest(request: Request): string {
  switch (request.type) {
    case 'batch':
      return `{"type":"batch","batch":${encodeBatch(request.steps, request.atLeast)}}`;
    case 'describe':
      return `{"type":"describe","sql":${JSON.stringify(request.sql)}}`;
    default:
      return `{"type":"${request.type}"}`;
  }
}

// Lines of a reply of any size.

/** One row of a cursor. */
const MAX_LINE_BYTES = 64 << 20;
const NEW_LINE = 0x0a;

/** Splits a reply into lines, reading each byte once. */
class Lines {
  readonly #reply: HttpReply;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #isDone = false;

  constructor(reply: HttpReply) {
    this.#reply = reply;
  }

  next(): string | null {
    const line = new GatheredBytes();
    for (;;) {
      const end = this.#bytes.indexOf(NEW_LINE, this.#at);
      const piece = this.#bytes.subarray(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#bytes.length : end + 1;
      if (line.length + piece.length > MAX_LINE_BYTES) {
        this.cancel();
        throw malformed('one row is longer than 64 MB');
      }
      if (end >= 0) {
        if (line.length === 0 && piece.length > 0) return this.#decoder.decode(piece);
        line.add(piece);
        if (line.length > 0) return this.#decoder.decode(line.bytes);
        continue;
      }
      line.add(piece);
      const next = this.#isDone ? null : this.#reply.next();
      if (next === null) {
        this.#isDone = true;
        return line.length === 0 ? null : this.#decoder.decode(line.bytes);
      }
      this.#bytes = next;
      this.#at = 0;
    }
  }

  cancel(): void {
    if (!this.#isDone) this.#reply.cancel();
    this.#isDone = true;
  }
}
