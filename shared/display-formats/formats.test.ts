import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { storageClassOf } from '../protocol/values.ts';
import type { Value } from '../protocol/values.ts';
import { seedCount } from '../seed-count.test-suite.ts';
import { likelyFormats } from './detect.ts';
import { DISPLAY_FORMATS, formatOf, isEditedIn } from './formats.ts';
import type { DisplayFormat } from './format.ts';
import { KNOWN_VALUES } from './known-values.test-suite.ts';

const format = (id: string): DisplayFormat => DISPLAY_FORMATS.find((each) => each.id === id)!;
const shown = (id: string, value: Value, zone = 'utc'): string | null => format(id).show(value, zone);
const parsed = (id: string, text: string, stored: Value, zone = 'utc'): unknown => {
  const result = format(id).parse!(text, zone, stored);
  return 'value' in result ? result.value : result.problem;
};

test('each format shows and reads back what Python knows', () => {
  const wrong = KNOWN_VALUES.flatMap(([id, zone, value, text]) => {
    const is = shown(id, value, zone);
    if (is !== text) return [`${id} ${zone} ${String(value)}: ${is}, not ${text}`];
    const back = parsed(id, text, value, zone);
    return same(back, value) ? [] : [`${id} ${zone} ${text}: ${String(back)}, not ${String(value)}`];
  });
  expect(wrong).toEqual([]);
  const tested = new Set(KNOWN_VALUES.map(([id]) => id));
  const others = DISPLAY_FORMATS.map(({ id }) => id).filter((id) => !tested.has(id));
  expect(others).toEqual(['boolean', 'bytes', 'bytes-binary', 'milliseconds', 'money', 'json', 'wkt']);
});

test('geometries are shown as well-known text, and suggested for blobs that are nothing else', () => {
  const point = Uint8Array.of(1, 1, 0, 0, 0, ...new Uint8Array(Float64Array.of(1.5, -2).buffer));
  expect(shown('wkt', point)).toBe('POINT (1.5 -2)');
  expect(shown('wkt', '{"type":"Point","coordinates":[1,2]}')).toBe('POINT (1 2)');
  expect(shown('wkt', point.subarray(1))).toBe(null);
  const column = { name: 'geom', declaredType: 'BLOB' };
  expect(likelyFormats({ ...column, values: [point, null, point] })[0]).toBe('wkt');
  expect(likelyFormats({ ...column, values: [point, point.subarray(1)] })).not.toContain('wkt');
});

function same(a: unknown, b: Value): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return a.join() === b.join();
  return typeof a === 'object' ? JSON.stringify(a) === JSON.stringify(b) : Object.is(a, b);
}

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 1n, 2n ** 53n, -(2n ** 53n)),
);
const integer = int64.map((value): Value => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
});
const real = fc
  .oneof(
    fc.double({ noNaN: true }),
    fc.double({ noNaN: true, min: -1e11, max: 1e11 }),
    fc.integer({ min: -4e9, max: 4e9 }).map((ms) => ms / 1000),
  )
  .map((number): Value => (Number.isSafeInteger(number) || Object.is(number, -0) ? { real: number } : number));
const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.oneof(fc.string(), fc.uuid(), fc.constantFrom('t', 'F', 'TRUE', 'No', 'Yes', '{}', '[1, 2.50]'));
const raw = bytes.map((textBytes): Value => ({ textBytes }));
const anyValue = fc.oneof(integer, real, bytes, text, raw, fc.constant(null as Value));
const ZONES = [
  'utc',
  'local',
  'Europe/Berlin',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Monrovia',
];
const zone = fc.constantFrom(...ZONES);
const runs = { numRuns: seedCount(5000), seed: 1 };

describe.each(DISPLAY_FORMATS.map((each) => [each.id, each] as const))('%s', (_id, of) => {
  const { classes, parse } = of;
  test('shows values of its classes only, and never throws', () => {
    fc.assert(
      fc.property(anyValue, zone, (value, inZone) => {
        const is = of.show(value, inZone);
        if (is !== null) expect(classes).toContain(storageClassOf(value));
      }),
      runs,
    );
  });

  test('a text stands for one value: what is read from it is shown as it, and in the storage class of what it replaces', () => {
    if (!parse) return;
    fc.assert(
      fc.property(anyValue, zone, (value, inZone) => {
        const is = of.show(value, inZone);
        if (is === null) return;
        const back = parse(is, inZone, value);
        // A text that leaves digits out may say so instead; it never becomes another text.
        if ('problem' in back) return expect(storageClassOf(value)).toBe('real');
        expect(of.show(back.value, inZone)).toBe(is);
        expect(storageClassOf(back.value)).toBe(storageClassOf(value));
      }),
      runs,
    );
  });

  test('integers and bytes come back exactly, except where digits are left out', () => {
    if (!parse || /^(bytes|julian|money|boolean)/.test(of.id)) return;
    fc.assert(
      fc.property(fc.oneof(integer, bytes), zone, (value, inZone) => {
        const is = of.show(value, inZone);
        if (is !== null) expect(parse(is, inZone, value)).toEqual({ value });
      }),
      runs,
    );
  });

  test('any text is read as a value or a sentence', () => {
    if (!parse) return;
    fc.assert(
      fc.property(fc.oneof(fc.string(), text), zone, anyValue, (typed, inZone, stored) => {
        if (!isEditedIn(of, inZone, stored)) return;
        const result = parse(typed, inZone, stored);
        if ('problem' in result) expect(result.problem).toMatch(/^(\S.*)?[^ ]\.$/s);
        else expect(result.value).not.toBeNull();
      }),
      runs,
    );
  });
});

test('the hour that is put forward does not exist, and the one that is put back comes twice', () => {
  const berlin = 'Europe/Berlin';
  expect(parsed('unix-s', '2026-03-29 02:30', 0, berlin)).toMatch(
    /^2026-03-29 02:30:00 does not exist in Europe\/Berlin/,
  );
  expect(parsed('unix-s', '2026-03-29 03:00', 0, berlin)).toBe(1774746000);
  expect(parsed('unix-s', '2026-03-29 01:59:59', 0, berlin)).toBe(1774745999);
  expect(parsed('unix-s', '2026-10-25 02:30', 0, berlin)).toMatch(/Add \+02:00 or \+01:00\.$/);
  expect(parsed('unix-s', '2026-10-25 02:30 +02:00', 0, berlin)).toBe(1792888200);
  expect(parsed('unix-s', '2026-10-25 02:30 +01:00', 0, berlin)).toBe(1792891800);
  // The day that Samoa left out.
  expect(parsed('unix-s', '2011-12-30 12:00', 0, 'Pacific/Apia')).toMatch(/does not exist/);
});

test('a date that was changed without its offset is not an hour off', () => {
  expect(parsed('unix-s', '2026-07-01 12:00:00 +01:00', 0, 'Europe/Berlin')).toBe(
    'Europe/Berlin is at +02:00 then, not at +01:00. Change the offset, or leave it out.',
  );
  expect(parsed('unix-s', '2026-07-01 12:00:00', 0, 'Europe/Berlin')).toBe(1782900000);
  expect(parsed('unix-s', '2026-07-01 12:00:00Z', 0, 'Europe/Berlin')).toBe(1782907200);
  expect(parsed('unix-s', '2026-07-01 12:00:00 +05:30', 0)).toBe(1782887400);
});

test.each<[string, string, Value, RegExp]>([
  ['unix-s', '2026-02-30', 0, /There is no day 30/],
  ['unix-s', '2016-12-31 23:59:60', 0, /Leap seconds/],
  ['unix-s', '2026-01-01 00:00:00.5', 0, /Enter fewer digits/],
  ['unix-s', '1700000000', 0, /Enter a date such as/],
  ['unix-s', '2026-01-01 00:00:00.123456789', 0.5, /A REAL cannot keep/],
  ['unix-ns', '2300-01-01', 0, /64 bits/],
  ['filetime', '1600-12-31', 0, /cannot keep earlier/],
  ['excel', '2026-01-01 00:00:00 +01:00', 1, /no time zone/],
  ['excel', '1899-12-30', 1, /earlier/],
  ['julian', '2026-01-01 00:00:00.0001', 1, /only milliseconds/],
  ['ipv4', '1.2.3.256', 0, /Enter an address/],
  ['ipv4', '1.2.3.04', 0, /Enter an address/],
  ['money', '1,23.40', 1, /Enter an amount/],
  ['cents', '1.234', 1, /Enter an amount/],
  ['seconds', '1:60:00', 1, /Enter a duration/],
  ['seconds', '0:01.5', 1, /Enter fewer/],
  ['hex', 'abc', null, /two hexadecimal digits/],
  ['base64', 'AB==', null, /not base64/],
  ['uuid', '{123e4567-e89b-12d3-a456-426614174000', new Uint8Array(16), /Enter a UUID/],
  ['boolean', 'maybe', 1, /true or false/],
])('%s does not take “%s”', (id, typed, stored, sentence) => {
  expect(parsed(id, typed, stored)).toMatch(sentence);
});

test.each<[string, Value, string | null]>([
  ['unix-s', 1700000000.123, '2023-11-14 22:13:20.123 UTC'],
  ['unix-s', 2n ** 63n - 1n, null],
  ['unix-s', { real: Infinity }, null],
  ['filetime', 2n ** 63n - 1n, null],
  ['filetime', -1, null],
  ['excel', 60.5, null],
  ['excel', 0, null],
  ['uuid', new Uint8Array(15), null],
  ['uuid', '123e4567e89b12d3a456426614174000}', null],
  ['ipv4', -1, null],
  ['ipv4', 2 ** 32, null],
  ['boolean', 2, null],
  ['boolean', 'T', 'true'],
  ['bytes', 0, '0 bytes'],
  ['bytes', 1, '1 byte'],
  ['bytes', 999, '999 bytes'],
  ['bytes', 1000, '1.0 KB'],
  ['bytes', 999_949, '999.9 KB'],
  ['bytes', 999_960, '1.0 MB'],
  ['bytes', -1500, '-1.5 KB'],
  ['bytes', 2n ** 63n - 1n, '9.2 EB'],
  ['bytes-binary', 1536, '1.5 KiB'],
  ['bytes-binary', 1024 * 1024 - 1, '1.0 MiB'],
  ['money', 1234.5, '1,234.50'],
  ['money', 0.1 + 0.2, '0.30'],
  ['money', -1.005, '-1.01'],
  ['money', { real: 1e21 }, '1,000,000,000,000,000,000,000.00'],
  ['milliseconds', 3_725_250, '1:02:05.25'],
  ['json', '{ "a" : [1.50, 12345678901234567890, " x "] }', '{"a":[1.50,12345678901234567890," x "]}'],
  ['json', '{a: 1}', null],
  ['json', new Uint8Array([0xff]), null],
])('%s of %s', (id, value, is) => {
  expect(shown(id, value)).toBe(is);
});

test('texts keep their style', () => {
  expect(parsed('boolean', 'false', 'TRUE')).toBe('FALSE');
  expect(parsed('boolean', 'true', 'f')).toBe('t');
  expect(parsed('boolean', 'true', 'No')).toBe('Yes');
  expect(parsed('boolean', 'true', 0)).toBe(1);
  const uuid = '123e4567-e89b-12d3-a456-426614174000';
  expect(parsed('uuid', uuid, '{00000000-0000-0000-0000-00000000000A}')).toBe(`{${uuid.toUpperCase()}}`);
  expect(parsed('uuid', uuid, '0000000000000000000000000000000a')).toBe(uuid.replaceAll('-', ''));
  expect(parsed('money', '12', 12.5)).toEqual({ real: 12 });
  expect(parsed('money', '12.5', 12)).toBe(12.5);
});

test('JSONB is read as SQLite reads it', () => {
  const db = new DatabaseSync(':memory:');
  const texts = [
    'null',
    '[]',
    '{"a":[true,false,null,1,-2.5e3],"b\\n\\u0001":"ü\\"\\\\"}',
    '"' + 'x'.repeat(70_000) + '"',
    '[0x1F, .5, 5., +3]',
  ];
  for (const json of texts) {
    const { blob, back } = db.prepare('SELECT jsonb(?) AS blob, json(jsonb(?)) AS back').get(json, json) as {
      blob: Uint8Array;
      back: string;
    };
    const is = shown('json', new Uint8Array(blob));
    expect(JSON.parse(is!)).toEqual(JSON.parse(back));
  }
  fc.assert(
    fc.property(fc.json(), (json) => {
      const { blob } = db.prepare('SELECT jsonb(?) AS blob').get(json) as { blob: Uint8Array };
      expect(JSON.parse(shown('json', new Uint8Array(blob))!)).toEqual(JSON.parse(json));
    }),
    { numRuns: seedCount(1000), seed: 1 },
  );
  db.close();
});

test('a zone or a format that is not known here leaves values as they are stored', () => {
  expect(formatOf({ format: 'unix-s', zone: 'Mars/Olympus' })).toBeNull();
  expect(formatOf({ format: 'unix-fortnights', zone: 'utc' })).toBeNull();
  expect(formatOf({ format: 'hex', zone: 'Mars/Olympus' })?.id).toBe('hex');
});

test.each<[string, string, readonly Value[], string | undefined]>([
  ['created_at', 'INTEGER', [1700000000, null, 1600000000], 'unix-s'],
  ['expires_at', 'INTEGER', [1700000000, 0, -1, 2n ** 63n - 1n], 'unix-s'],
  ['expires_at', 'INTEGER', [0, 0], undefined],
  ['created', 'INTEGER', [1700000000000], 'unix-ms'],
  ['lastVisitDate', 'INTEGER', [1700000000000000], 'unix-us'],
  ['last_visit_time', 'INTEGER', [13_340_000_000_000_000n, 0], 'webkit'],
  ['ZCREATIONDATE', 'TIMESTAMP', [690000000.5], 'mac-s'],
  ['date', 'INTEGER', [700_000_000_000_000_000n], 'mac-ns'],
  ['lastLogon', 'INTEGER', [133_400_000_000_000_000n], 'filetime'],
  ['Ticks', 'INTEGER', [638_000_000_000_000_000n], 'ticks'],
  ['day', 'REAL', [2460000.5], 'julian'],
  ['due_date', 'REAL', [45000], 'excel'],
  ['id', 'BLOB', [Uint8Array.from([1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16])], 'uuid'],
  ['is_open', 'INTEGER', [0, 1, 1], 'boolean'],
  ['size', 'INTEGER', [123456], 'bytes'],
  ['price', 'REAL', [12.5, 3], 'money'],
  ['ip', 'INTEGER', [3232235521], 'ipv4'],
  ['doc', 'BLOB', [Uint8Array.from([0x1b, 0x13, 0x31])], undefined],
  ['doc', 'BLOB', [Uint8Array.from([0x2b, 0x13, 0x31])], 'json'],
  ['id', 'INTEGER', [1, 2, 3], undefined],
  ['name', 'TEXT', ['a', 't'], undefined],
  ['quantity', 'INTEGER', [0, 1], undefined],
  ['empty', 'INTEGER', [null], undefined],
  ['created_at', 'INTEGER', [1700000000, 5], undefined],
])('%s %s %s', (name, declaredType, values, likeliest) => {
  expect(likelyFormats({ name, declaredType, values })[0]).toBe(likeliest);
});

test.each([
  ['unix-s', '0000-12-31 23:59:59', 'utc'],
  ['unix-s', '0001-01-01 00:00:00', 'Europe/Berlin'],
  ['unix-s', '9999-12-31 23:59:59', 'America/New_York'],
  ['julian', '0000-01-01', 'utc'],
])('%s: a time that could not be shown is not accepted: %s %s', (id, typed, inZone) =>
  expect(parsed(id, typed, 1, inZone)).toMatch(/years 1 to 9999/),
);

test.each(['+00:75', '+24:00', '-99:99', '+01:00:60'])('there is no offset %s', (offset) =>
  expect(parsed('unix-s', `2024-01-01 00:00:00 ${offset}`, 1)).toMatch(/no offset/),
);

test('the local zone is not asked for again with each value', () => {
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  for (let at = 0; at < 1000; at++) shown('unix-s', at, 'local');
  // Once a second, of which a slow computer may need a few.
  expect(asked.mock.calls.length).toBeLessThan(100);
  asked.mockRestore();
});

test('JSON of any length is shown', () => {
  const long = JSON.stringify({ ' a\\" ': 'b '.repeat(10_000_000) }, null, 2);
  expect(shown('json', long)).toBe(JSON.stringify(JSON.parse(long)));
});

test('a text that means the same truth value stays as it is written', () => {
  expect(parsed('boolean', '1', 'tRUE')).toBe('tRUE');
  expect(parsed('boolean', '0', 'tRUE')).toBe('False');
});
