import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { isD1, nameOfAddress, readAddress } from './remote.ts';

const D1 = 'https://api.cloudflare.com/client/v4/accounts/a1/d1/database/0123456789-abc';

describe('the address of a server', () => {
  it.each([
    ['libsql://shop-acme.turso.io', 'https://shop-acme.turso.io'],
    ['shop-acme.turso.io', 'https://shop-acme.turso.io'],
    [' https://db.example.com:8443/shop/ ', 'https://db.example.com:8443/shop'],
    ['wss://db.example.com', 'https://db.example.com'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['libsql://localhost:8080?tls=0', 'http://localhost:8080'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    [`${D1}/`, D1],
  ])('%s is %s', (typed, address) => {
    expect(readAddress(typed)).toEqual({ address });
    // A stored address is read again as the same.
    expect(readAddress(address)).toEqual({ address });
  });

  it.each([
    ['', /Enter the address/],
    ['http://db.example.com', /only to this computer/],
    ['libsql://db.example.com?tls=0', /only to this computer/],
    ['http://localhost.example.com', /only to this computer/],
    ['https://127.0.0.1.example.com?authToken=x', /Token/],
    ['https://ann:secret@db.example.com', /user name/],
    ['https://db.example.com#x', /“#”/],
    ['ftp://db.example.com', /begins with/],
    ['file:///etc/passwd', /begins with/],
    ['javascript://x', /begins with/],
    ['https://', /not an address/],
    ['https://api.cloudflare.com/client/v4/accounts/a1/d1/database', /has this form: .*accounts/],
  ])('%s is rejected', (typed, why) => {
    const read = readAddress(typed);
    expect('why' in read && read.why).toMatch(why);
  });

  it('nothing but encrypted connections leaves this computer, whatever is typed', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.webUrl().map((url) => url.replace('http', 'ws')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const read = readAddress(typed);
        if ('why' in read) return;
        const url = new URL(read.address);
        expect(url.protocol === 'https:' || /^(localhost|127[.\d]*|\[::1\])$/.test(url.hostname)).toBe(true);
        expect([url.username, url.password, url.search, url.hash].join('')).toBe('');
      }),
      { seed: 31, numRuns: seedCount(40) },
    );
  });

  it('names a connection whose name was left empty', () => {
    expect(nameOfAddress('https://shop-acme.turso.io')).toBe('shop-acme');
    expect(nameOfAddress('http://127.0.0.1:8080')).toBe('127.0.0.1:8080');
    expect(nameOfAddress(D1)).toBe('D1 01234567');
  });

  it('tells databases of D1 from those of other servers', () => {
    expect(isD1(D1)).toBe(true);
    expect(isD1('http://127.0.0.1:8787/client/v4/accounts/a/d1/database/b')).toBe(true);
    expect(isD1('https://shop-acme.turso.io/d1/database/b')).toBe(false);
    expect(isD1('https://shop-acme.turso.io')).toBe(false);
  });
});
