// Checks the status of a reply before any of it is read: web pages, redirects, and refusals are no answers.
import { AppError } from '#shared/protocol/errors.ts';
import { malformed } from '../hrana/malformed.ts';
import type { ServerError } from '../hrana/messages.ts';
import { tokenState, type TokenState } from '../hrana/token.ts';
import { readText, type HttpReply } from './blocking-http.ts';

export interface Server {
  /** Result of `serverAddress`. */
  readonly url: URL;
  /** Read for each request: another one can be entered while the connection is open. */
  readonly token: string | null;
}

interface Sent {
  readonly token: string | null;
  /** The error that the server sends instead of a reply; null when there is no readable one. */
  readonly readError: (text: string) => ServerError | null;
}

/**
 * @param body of the request
 * @throws ServerRefusal, AppError
 */
export function checkStatus(reply: HttpReply, body: string, { token, readError }: Sent): void {
  const { status, contentType } = reply;
  if (status === 200 && !/^text\/html/i.test(contentType)) return;
  if (status === 200) {
    reply.cancel();
    throw malformed('it is a web page');
  }
  if (status >= 300 && status < 400) {
    reply.cancel();
    throw AppError.refused(
      'The server redirected the request to another address, which would have received your token. Connect to the other address itself if you trust it.',
      { detail: { kind: 'redirect' } },
    );
  }
  const text = readText(reply, 1 << 20);
  const error = readError(text) ?? { message: /html/i.test(contentType) ? '' : text.slice(0, 300), code: null };
  throw new ServerRefusal(status, withoutToken(error, token), {
    sentBytes: Buffer.byteLength(body),
    token: tokenState(token),
  });
}

/** Some proxies repeat the headers of a request in their errors, which are shown and logged. */
export function withoutToken(error: ServerError, token: string | null): ServerError {
  // oxlint-disable-next-line sidelite/text-decisions -- the server's own words
  return token === null ? error : { ...error, message: error.message.replaceAll(token, '…') };
}

/** The server did not carry out the request, and says so by its status. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly error: ServerError;
  /** Size of the request. */
  readonly sentBytes: number;
  /** The token that was sent. */
  readonly token: TokenState;

  constructor(
    status: number,
    error: ServerError,
    { sentBytes, token }: { readonly sentBytes: number; readonly token: TokenState },
  ) {
    super(`HTTP ${status}`);
    this.status = status;
    this.error = error;
    this.sentBytes = sentBytes;
    this.token = token;
  }
}
