import fc from 'fast-check';
import { sep } from 'node:path';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { resolveAppPath, resolveThirdPartyPath } from './resolve-path.ts';

const ROOT = '/opt/sidelite/app';

test.each([
  ['app://shell/index.html', `${ROOT}/index.html`],
  ['app://shell/assets/a%20b.js?x#y', `${ROOT}/assets/a b.js`],
  ['app://shell/a/../index.html', `${ROOT}/index.html`],
])('%s is served', (address, file) => {
  expect(resolveAppPath(ROOT, address)).toBe(file);
});

test.each([
  'app://shell/',
  'app://other/index.html',
  'app://shell.evil/index.html',
  'app://shell:1/index.html',
  'https://shell/index.html',
  'file:///etc/passwd',
  'app://shell/%2e%2e%2f%2e%2e%2fetc/passwd',
  'app://shell/..%2f..%2fetc/passwd',
  'app://shell/..%5c..%5cwindows',
  'app://shell/..%2fapp-secret/x',
  'app://shell/a%00.html',
  'app://shell/%E0%A4%A',
  'not an address',
])('%s is refused', (address) => {
  expect(resolveAppPath(ROOT, address)).toBeNull();
});

test('of another folder only thirdParty are served', () => {
  const resources = '/opt/sidelite/resources';
  expect(resolveThirdPartyPath(resources, 'app://shell/third-party/turso-wasm/index.js')).toBe(
    `${resources}/third-party/turso-wasm/index.js`,
  );
  const others = [
    'app.asar',
    'third-party/../app.asar',
    'third-party/..%2fapp.asar',
    'native/native.mjs',
    'peersx/a.js',
  ];
  expect(others.filter((path) => resolveThirdPartyPath(resources, `app://shell/${path}`) !== null)).toEqual([]);
});

test('no address leaves the root', () => {
  const piece = fc.constantFrom(
    '..',
    '.',
    '%2e',
    '%2E%2e',
    '/',
    '%2f',
    '%5c',
    '\\',
    'a',
    '%00',
    '%25',
    '%252e',
    '//',
    ':',
    '@',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const file = resolveAppPath(ROOT, `app://shell/${pieces.join('')}`);
      expect(file === null || file.startsWith(ROOT + sep)).toBe(true);
      expect((file ?? '').split(sep)).not.toContain('..');
    }),
    { seed: 22, numRuns: seedCount(100) },
  );
});
