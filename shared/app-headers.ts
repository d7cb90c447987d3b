// The response headers and media types for the app's own files, used by Electron's scheme and by `npm run web`.

import { POLICIES } from '#shared/trusted-scripts.ts';

/** Placeholder in the HTML files; the server replaces it with the nonce of the response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

interface AppHeaderOptions {
  /** New for every document; base64 or hex, at least 128 random bits. */
  readonly nonce: string;
  /** True in a plain browser, where the app page holds the database host in a hidden iframe instead of a hidden window. */
  readonly embedHost: boolean;
}

/** Headers for every response, whatever its type. COOP and COEP make pages and workers cross-origin isolated. */
export function appHeaders(options: AppHeaderOptions): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(options),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}

function contentSecurityPolicy({ nonce, embedHost }: AppHeaderOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // Sounds of a database, from memory only: nothing is fetched.
    'media-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    ...(embedHost ? ["frame-src 'self'"] : []),
    `frame-ancestors ${embedHost ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${POLICIES}`,
    "form-action 'none'",
  ].join('; ');
}

// Chromium compiles wasm while it streams in, and runs module workers at all, only with exactly these types.
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['map', 'application/json; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['svg', 'image/svg+xml; charset=utf-8'],
  ['png', 'image/png'],
  ['ico', 'image/x-icon'],
  ['woff2', 'font/woff2'],
  ['txt', 'text/plain; charset=utf-8'],
]);

/** The media type of a file by its name; unknown types are never guessed from the bytes. */
export function mimeTypeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const type = dot < 0 ? undefined : MIME_TYPES.get(name.slice(dot + 1).toLowerCase());
  return type ?? 'application/octet-stream';
}
