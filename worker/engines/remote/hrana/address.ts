// Addresses that a database server may have: HTTPS anywhere, plain HTTP only on this computer, where nothing travels over a network.
import { AppError } from '#shared/protocol/errors.ts';
import { trimmedEnd } from '#shared/trimmed.ts';

/** `libsql:` is the scheme of libSQL's own addresses and stands for HTTPS; `ws:` and `wss:` are the same servers. */
const SCHEMES: Readonly<Record<string, 'https:' | 'http:'>> = {
  'https:': 'https:',
  'libsql:': 'https:',
  'wss:': 'https:',
  'http:': 'http:',
  'ws:': 'http:',
};

/**
 * The base of all requests, ending with a slash.
 *
 * @throws AppError `invalid` with a sentence that can be shown next to the address
 */
export function serverAddress(text: string): URL {
  const url = parse(text.trim());
  const scheme = SCHEMES[url.protocol];
  if (scheme === undefined || url.hostname === '')
    throw AppError.invalid(
      `“${url.protocol}” is not the address of a database server. Such an address begins with “libsql:” or “https:”.`,
    );
  if (url.username !== '' || url.password !== '')
    throw AppError.invalid('The address contains a user name or a password. Enter a token instead.');
  // The scheme of a special URL cannot be replaced by assignment.
  const base = new URL(`${scheme}//${url.host}${trimmedEnd(url.pathname, '/')}/`);
  if (scheme === 'http:' && !isLoopback(base.hostname))
    throw AppError.invalid(
      'The connection would not be encrypted. Only a server on this computer may use “http:”; use “https:”.',
    );
  return base;
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw AppError.invalid('This is not an address. An example: libsql://name.example.com');
  }
}

/** Expects host names as the URL standard writes them: IPv4 addresses in four decimal parts, IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
