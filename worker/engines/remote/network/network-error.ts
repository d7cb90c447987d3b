// Why a server was not reached, in words.
import { AppError } from '#shared/protocol/errors.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server answers at this address.',
  ENOTFOUND: 'There is no server with this name, or this computer is not connected to a network.',
  EAI_AGAIN: 'The name of the server could not be looked up. Check the network connection.',
  EHOSTUNREACH: 'The server cannot be reached. Check the network connection.',
  ENETUNREACH: 'The server cannot be reached. Check the network connection.',
  ETIMEDOUT: 'The server did not answer in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not answer in time.',
  SILENT: 'The server has not answered for a long time.',
  ECONNRESET: 'The server ended the connection.',
  EPIPE: 'The server ended the connection.',
  UND_ERR_SOCKET: 'The server ended the connection.',
  CERT_HAS_EXPIRED: 'The certificate of the server has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the server is not signed by an authority that this computer trusts.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the server is not signed by an authority that this computer trusts.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate of the server is not signed by an authority that this computer trusts.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the server was made out for another name.',
};

/** @param isSent the server may have received the request; `detail.sent` says so to whoever has to find out what became of a change */
export function lostConnection(why: string, isSent: boolean): AppError {
  const sentence = SENTENCES[why] ?? `The server cannot be reached (${why.slice(0, 200)}).`;
  return new AppError({ code: 'unavailable', message: sentence, detail: { kind: 'network', sent: isSent } });
}

export const isLostConnection = (error: unknown): error is AppError =>
  error instanceof AppError && error.detail?.['kind'] === 'network';

/** The request may have reached the server, whatever became of the answer. */
export const mayHaveActed = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.detail?.['sent'] === true ||
    error.detail?.['kind'] === 'malformed' ||
    error.code === 'stopped' ||
    error.code === 'too-big');
