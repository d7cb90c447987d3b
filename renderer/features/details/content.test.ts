import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesPerLine, contentOf, hexDump, imageType, prettyJson } from './content.ts';

const seeded = { seed: 20_261 };

test('JSON is indented and its numbers keep their digits', () => {
  expect(prettyJson('{"id":9007199254740993,"list":[1.0,{}],"text":"a,b:{\\"}"}')).toBe(
    '{\n  "id": 9007199254740993,\n  "list": [\n    1.0,\n    {}\n  ],\n  "text": "a,b:{\\"}"\n}',
  );
});

test('only objects and arrays count as JSON', () => {
  for (const text of ['12', '"text"', 'null', '{broken', '', '[1,', '<a>']) expect(prettyJson(text)).toBeNull();
});

test('indenting changes nothing but white space', () => {
  fc.assert(
    fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), (value) => {
      const json = JSON.stringify(value);
      const pretty = prettyJson(json);
      expect(pretty).not.toBeNull();
      expect(JSON.stringify(JSON.parse(pretty!))).toBe(json);
    }),
    seeded,
  );
});

test('images are known by their first bytes, whatever the column says', () => {
  const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
  expect(imageType(bytes('\x89PNG\r\n\x1a\n...'))).toBe('image/png');
  expect(imageType(bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
  expect(imageType(bytes('GIF89a'))).toBe('image/gif');
  expect(imageType(bytes('RIFF....WEBPVP8 '))).toBe('image/webp');
  expect(imageType(bytes('RIFF....WAVE'))).toBeNull();
  expect(imageType(bytes('<svg onload=alert(1)>'))).toBeNull();
  expect(imageType(new Uint8Array(0))).toBeNull();
});

test('values show as SQLite spells them', () => {
  expect(contentOf(null)).toEqual({ kind: 'null' });
  expect(contentOf(2n ** 62n)).toMatchObject({ text: '4611686018427387904' });
  expect(contentOf({ real: 2 })).toMatchObject({ text: '2.0' });
  expect(contentOf('a\0b')).toMatchObject({ kind: 'text', note: 'contains NUL characters' });
  expect(contentOf({ textBytes: Uint8Array.of(0x61, 0xff) })).toMatchObject({
    text: 'a\ufffd',
    note: 'not valid UTF-8',
  });
});

test('a dump shows offsets, bytes and characters', () => {
  expect(
    hexDump(
      Uint8Array.from('Hello, world\n', (char) => char.charCodeAt(0)),
      100,
      8,
    ),
  ).toBe('000000  48 65 6c 6c 6f 2c 20 77  Hello, w\n000008  6f 72 6c 64 0a           orld.');
});

test('a dump shows each byte up to its limit once', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(64), (bytes, limit) => {
      const shown = hexDump(bytes, limit, 8)
        .split('\n')
        .flatMap((line) => line.slice(8, 31).trim().split(' ').filter(Boolean));
      expect(shown.map((hex) => parseInt(hex, 16))).toEqual([...bytes.subarray(0, limit)]);
    }),
    seeded,
  );
});

test('a line holds as many bytes as its width allows', () => {
  expect([10, 40, 41, 72, 73, 500].map(bytesPerLine)).toEqual([4, 4, 8, 8, 16, 16]);
});
