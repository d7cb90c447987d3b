// Reasons why a server was not reached, in words.
import { AppError, inParts } from '#shared/protocol/errors.ts';

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
  if (tls !== null) return AppError.unavailable(inParts(tls.what, tls.last), { detail });
  const message = sentence ?? `The server cannot be reached (${detail.why}).`;
  return AppError.unavailable(message, { detail });
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

// Reasons why no encrypted connection was made, in words. The codes are those of Node's `tls`, of OpenSSL, and of BoringSSL, which
// Electron has instead.

interface Told {
  readonly what: string;
  /** Last part of the message: what was kept, and what to do. */
  readonly last: string;
}

const NOTHING_SENT = 'Nothing was sent, not even the token, and nothing was changed.';
const ASK_FOR_VALID = 'Ask whoever runs the server for a valid certificate.';

const UNTRUSTED: Told = {
  what: 'The certificate of the server is not signed by an authority that this computer trusts, so another computer may be answering in its place.',
  last: 'Ask whoever runs the server for a certificate of a public authority, or add its authority to the certificates of this computer.',
};
const INCOMPLETE: Told = {
  what: 'The server does not send the certificates that lead from its own to an authority that this computer trusts.',
  last: 'Ask whoever runs the server to send the whole chain of certificates.',
};
const DAMAGED: Told = { what: 'The certificate of the server is not valid.', last: ASK_FOR_VALID };
const WRONG_NAME: Told = {
  what: 'The certificate of the server was issued for a different name.',
  last: 'Check the address, or ask whoever runs the server for a certificate with this name.',
};
const NOT_ENCRYPTED: Told = {
  what: 'The server at this address does not speak TLS, the encryption of “https://” and “libsql://”.',
  last: 'Check the address and its port. A server on this computer without encryption has an address that begins with “http://”.',
};
const NO_COMMON_VERSION: Told = {
  what: 'The server and Sidelite support no common version or cipher of TLS.',
  last: 'Ask whoever runs the server for TLS 1.2 or newer.',
};
const BROKEN_OFF: Told = {
  what: 'The server ended the connection before it was encrypted.',
  last: 'Check the address and its port, or try again in a moment.',
};

const CERTIFICATES: Readonly<Record<string, Told>> = {
  CERT_HAS_EXPIRED: {
    what: 'The certificate of the server has expired.',
    last: 'Check the clock of this computer, or ask whoever runs the server for a new certificate.',
  },
  CERT_NOT_YET_VALID: {
    what: 'The certificate of the server is not valid yet.',
    last: 'Check the clock of this computer, or ask whoever runs the server.',
  },
  CERT_REVOKED: {
    what: 'The certificate of the server was revoked by the authority that issued it.',
    last: ASK_FOR_VALID,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: 'The server signed its certificate itself, so Sidelite can’t tell whether another computer answers in its place.',
    last: UNTRUSTED.last,
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  CERT_REJECTED: UNTRUSTED,
  INVALID_CA: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_CHAIN_TOO_LONG: DAMAGED,
  CERT_SIGNATURE_FAILURE: DAMAGED,
  PATH_LENGTH_EXCEEDED: DAMAGED,
  INVALID_PURPOSE: DAMAGED,
  HOSTNAME_MISMATCH: WRONG_NAME,
  ERR_TLS_CERT_ALTNAME_INVALID: WRONG_NAME,
  ERR_TLS_CERT_ALTNAME_FORMAT: WRONG_NAME,
};

/** Ends of OpenSSL's and BoringSSL's codes, which name the same thing in several ways. */
const HANDSHAKES: readonly (readonly [RegExp, Told])[] = [
  [/(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST|UNKNOWN_PROTOCOL)$/, NOT_ENCRYPTED],
  [
    /(?:PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|HANDSHAKE_FAILURE|NO_SHARED_CIPHER|INSUFFICIENT_SECURITY)$/,
    NO_COMMON_VERSION,
  ],
  [
    /UNRECOGNIZED_NAME$/,
    { what: 'The server does not recognize the name in the address.', last: 'Check the address for typing errors.' },
  ],
  [
    /(?:CERTIFICATE_REQUIRED|PEER_DID_NOT_RETURN_A_CERTIFICATE)$/,
    {
      what: 'The server asks for a certificate of its client, which Sidelite does not support.',
      last: 'Ask whoever runs the server for access with a token.',
    },
  ],
];
const OTHER_HANDSHAKE: Told = {
  what: 'The encrypted connection to the server could not be set up',
  last: 'Try again, and if that does not help, ask whoever runs the server.',
};

/** Null for failures that have nothing to do with encryption. @param isSent the connection had been set up */
export function describeTls(code: string, isSent: boolean): Told | null {
  const told = Object.hasOwn(CERTIFICATES, code) ? CERTIFICATES[code]! : describeHandshake(code, isSent);
  return told === null || isSent ? told : { what: told.what, last: `${NOTHING_SENT} ${told.last}` };
}

function describeHandshake(code: string, isSent: boolean): Told | null {
  // This happens while an encrypted connection is set up; a plain one is not reset before something was sent.
  if (code === 'ECONNRESET' && !isSent) return BROKEN_OFF;
  if (!/^(?:ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO$)/.test(code)) return null;
  const known = HANDSHAKES.find(([pattern]) => pattern.test(code))?.[1];
  if (known) return known;
  if (isSent)
    return { what: `The encrypted connection to the server failed (${code}).`, last: 'Try again in a moment.' };
  return { ...OTHER_HANDSHAKE, what: `${OTHER_HANDSHAKE.what} (${code}).` };
}
