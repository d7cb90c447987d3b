// Reasons why a server was not reached, in words.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { describeTls } from './tls-error.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'No server responds at this address.',
  ENOTFOUND: 'There is no server with this name, or this computer is not connected to a network.',
  EAI_AGAIN: 'The name of the server could not be looked up. Check the network connection.',
  EHOSTUNREACH: 'The server cannot be reached. Check the network connection.',
  ENETUNREACH: 'The server cannot be reached. Check the network connection.',
  ETIMEDOUT: 'The server did not respond in time.',
  UND_ERR_CONNECT_TIMEOUT: 'The server did not respond in time.',
  SILENT: 'The server has not responded for a long time.',
  ECONNRESET: 'The server ended the connection.',
  EPIPE: 'The server ended the connection.',
  UND_ERR_SOCKET: 'The server ended the connection.',
  HTTPParserError: 'The server at this address does not speak HTTP.',
};

/** @param isSent the server may have received the request; `detail.sent` says so to callers that must find out the outcome of a change */
export function lostConnection(why: string, isSent: boolean): AppError {
  const detail = { kind: 'network', why: why.slice(0, 200), sent: isSent };
  const sentence = Object.hasOwn(SENTENCES, why) ? SENTENCES[why]! : null;
  const tls = describeTls(why, isSent);
  if (tls !== null) return new AppError({ code: 'unavailable', ...inParts(tls.what, tls.last), detail });
  const message = sentence ?? `The server cannot be reached (${detail.why}).`;
  return new AppError({ code: 'unavailable', message, detail });
}

/** Errors seen when a request that is not encrypted goes to a server that expects encryption. */
const OF_PLAIN_REQUESTS: readonly unknown[] = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'HTTPParserError'];

/** Adds advice to errors of the first request to an address without encryption. Other errors are returned as they are. */
export function withAdviceForPlain(thrown: unknown): unknown {
  if (!isLostConnection(thrown) || !OF_PLAIN_REQUESTS.includes(thrown.detail?.['why'])) return thrown;
  const { code, message, detail } = thrown;
  const advice = 'If the server expects encryption, the address begins with “https://”.';
  return new AppError({ code, ...inParts(message, advice), ...(detail && { detail }) });
}

export const isLostConnection = (error: unknown): error is AppError =>
  error instanceof AppError && error.detail?.['kind'] === 'network';

/** Statuses that proxies return while the server behind them does not answer. */
export const GATEWAY_STATUS: readonly number[] = [502, 503, 504];

/** The server does not answer now, and may do so later. */
export const isAway = (error: unknown): boolean =>
  isLostConnection(error) || (error instanceof AppError && GATEWAY_STATUS.includes(Number(error.detail?.['status'])));

/** The request may have reached the server, whatever happened to the answer. */
export const mayHaveActed = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.detail?.['sent'] === true || error.detail?.['kind'] === 'malformed' || error.code === 'stopped');
