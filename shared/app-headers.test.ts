import { expect, test } from 'vitest';
import { appHeaders, mimeTypeOf } from '#shared/app-headers.ts';

test('the policy carries the nonce and allows neither inline nor evaluated script', () => {
  const policy = appHeaders({ nonce: 'abc123', embedHost: false })['Content-Security-Policy'];
  expect(policy).toContain("style-src 'self' 'nonce-abc123'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('media-src blob:;');
  expect(policy).not.toContain('object-src');
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types default;");
});

test('the page may be framed only where it embeds its own host', () => {
  expect(appHeaders({ nonce: 'n', embedHost: false })['Content-Security-Policy']).toContain("frame-ancestors 'none'");
  const embedding = appHeaders({ nonce: 'n', embedHost: true })['Content-Security-Policy'];
  expect(embedding).toContain("frame-src 'self'");
  expect(embedding).toContain("frame-ancestors 'self'");
});

test.each([
  ['/index.html', 'text/html; charset=utf-8'],
  ['/assets/worker-1a.js', 'text/javascript; charset=utf-8'],
  ['/assets/sqlite3.WASM', 'application/wasm'],
  ['/folder.js/LICENSE', 'application/octet-stream'],
  ['/constructor', 'application/octet-stream'],
  ['/x.unknown', 'application/octet-stream'],
])('%s is served as %s', (path, type) => {
  expect(mimeTypeOf(path)).toBe(type);
});
