import { expect, it } from 'vitest';
import { isServedToDocuments } from './document-requests.ts';
import { documentAddress } from './document-scheme.ts';

it('serves an open document and the viewer, and refuses everything else', () => {
  const open = documentAddress('file · Row 1 · bytes');
  const documents = new Map([[open, new Uint8Array(1)]]);
  const served = [
    open,
    'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html',
    'chrome://resources/js/assert.js',
    'data:image/png;base64,AA==',
  ];
  const refused = [
    documentAddress('another'),
    `${open}?x`,
    'http://127.0.0.1/',
    'https://example.com/',
    'wss://example.com/',
    'file:///etc/passwd',
    'app://shell/index.html',
    'chrome://settings/',
    'chrome://resources.example/',
    'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjaj/index.html',
    'mailto:a@example.com',
    '',
  ];
  expect([...served, ...refused].filter((url) => isServedToDocuments(url, documents))).toEqual(served);
});

it('gives each document an address of its own, whatever its title is', () => {
  const titles = ['a/b', '../..', '\ud800', '100 %', '', 'é\u202e'];
  const addresses = titles.map(documentAddress);
  expect(new Set(addresses.map((address) => new URL(address).host)).size).toBe(titles.length);
  expect(addresses.map((address) => decodeURIComponent(new URL(address).pathname))).toEqual([
    '/a/b.pdf',
    '/../...pdf',
    '/\ufffd.pdf',
    '/100 %.pdf',
    '/.pdf',
    '/é\u202e.pdf',
  ]);
});
