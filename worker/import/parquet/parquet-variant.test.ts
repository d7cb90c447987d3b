// Bytes as the format defines them, made here: every type, objects and lists, shredded columns, and bytes that are damaged.
import fc from 'fast-check';
import type { SchemaElement, SchemaTree } from 'hyparquet/src/types.js';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { OddParts } from './parquet-values.ts';
import { variantWriter } from './parquet-variant.ts';

const node = (element: Partial<SchemaElement>, children: readonly SchemaTree[] = []): SchemaTree =>
  ({
    element,
    children,
    count: 0,
    rowIndex: 0,
    maxDefinitionLevel: 0,
    maxRepetitionLevel: 0,
    path: [],
  }) as unknown as SchemaTree;
const BYTES = [node({ name: 'metadata', type: 'BYTE_ARRAY' }), node({ name: 'value', type: 'BYTE_ARRAY' })];
const odd: OddParts = {};
const plain = variantWriter(node({ name: 'v' }, BYTES), odd);

const le = (value: bigint | number, width: number): number[] =>
  Array.from({ length: width }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 255n));
const primitive = (type: number, ...bytes: readonly number[]): number[] => [type << 2, ...bytes];
const text = (value: string): number[] => {
  const bytes = [...new TextEncoder().encode(value)];
  return bytes.length < 64 ? [(bytes.length << 2) | 1, ...bytes] : primitive(16, ...le(bytes.length, 4), ...bytes);
};

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

function encode(value: Json, names: readonly string[], width: number): number[] {
  if (value === null) return primitive(0);
  if (typeof value === 'boolean') return primitive(value ? 1 : 2);
  if (typeof value === 'number') return primitive(6, ...le(BigInt.asUintN(64, BigInt(value)), 8));
  if (typeof value === 'string') return text(value);
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const parts = (
    keys === null ? (value as readonly Json[]) : keys.map((key) => (value as Record<string, Json>)[key]!)
  ).map((part) => encode(part, names, width));
  const offsets = [0, ...parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, part) => sum + part.length, 0))];
  const ids = keys?.flatMap((key) => le(names.indexOf(key), width)) ?? [];
  const header = keys === null ? (((width - 1) | 4) << 2) | 3 : (((width - 1) | ((width - 1) << 2) | 16) << 2) | 2;
  return [header, ...le(parts.length, 4), ...ids, ...offsets.flatMap((at) => le(at, width)), ...parts.flat()];
}

function metadataOf(names: readonly string[], width = 4): Uint8Array {
  const bytes = names.map((name) => [...new TextEncoder().encode(name)]);
  const offsets = [0, ...bytes.map((_, at) => bytes.slice(0, at + 1).reduce((sum, part) => sum + part.length, 0))];
  return Uint8Array.from([
    1 | ((width - 1) << 6),
    ...le(names.length, width),
    ...offsets.flatMap((at) => le(at, width)),
    ...bytes.flat(),
  ]);
}

const read = (...bytes: readonly number[]): string =>
  plain({ metadata: metadataOf([]), value: Uint8Array.from(bytes) });

describe('a Variant', () => {
  it.each([
    ['null', primitive(0)],
    ['true', primitive(1)],
    ['false', primitive(2)],
    ['-7', primitive(3, 249)],
    ['-300', primitive(4, ...le(65_236, 2))],
    ['-70000', primitive(5, ...le(4_294_897_296, 4))],
    ['9223372036854775807', primitive(6, ...le(9223372036854775807n, 8))],
    ['0.1', primitive(7, ...new Uint8Array(Float64Array.of(0.1).buffer))],
    ['3.0', primitive(7, ...new Uint8Array(Float64Array.of(3).buffer))],
    ['"NaN"', primitive(7, ...new Uint8Array(Float64Array.of(NaN).buffer))],
    ['-12.50', primitive(8, 2, ...le(BigInt.asUintN(32, -1250n), 4))],
    ['0.0000000001', primitive(9, 10, ...le(1, 8))],
    ['-123456789012345678901234567890.12345678', primitive(10, 8, ...le(BigInt.asUintN(128, -12345678901234567890123456789012345678n), 16))],
    ['"1969-12-31"', primitive(11, ...le(BigInt.asUintN(32, -1n), 4))],
    ['"2025-04-16 12:34:56.780000Z"', primitive(12, ...le(1_744_806_896_780_000, 8))],
    ['1.5', primitive(14, ...new Uint8Array(Float32Array.of(1.5).buffer))],
    ['"00ff"', primitive(15, ...le(2, 4), 0, 255)],
    ['"ü\\"\\n"', text('ü"\n')],
    [JSON.stringify('long '.repeat(30)), text('long '.repeat(30))],
    ['"f24f9b64-81fa-49d1-b74e-8c09a6e31c56"', primitive(20, 0xf2, 0x4f, 0x9b, 0x64, 0x81, 0xfa, 0x49, 0xd1, 0xb7, 0x4e, 0x8c, 0x09, 0xa6, 0xe3, 0x1c, 0x56)],
  ])('is %s', (json, bytes) => {
    expect(read(...bytes)).toBe(json);
  }); // prettier-ignore

  it('of any shape is its JSON', () => {
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false, 0, -1, 2 ** 40, '', 'é'),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'key', 'ü', '__proto__'), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const names = ['a', 'b', 'key', 'ü', '__proto__'];
    fc.assert(
      fc.property(tree, fc.constantFrom(1, 2, 4), (value, width) => {
        const bytes = encode(value, names, 4);
        expect(plain({ metadata: metadataOf(names, width), value: Uint8Array.from(bytes) })).toBe(
          JSON.stringify(value),
        );
      }),
      { seed: 31, numRuns: seedCount(1000) },
    );
  });

  it('that is damaged is shown as its bytes, soon, and never fails', () => {
    const names = ['a', 'b'];
    const whole = Uint8Array.from(encode({ a: [1, 'x', { b: null }], b: 'y' }, names, 2));
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const value = whole.slice(0, length);
        if (at < length) value[at] = byte;
        expect(typeof JSON.parse(plain({ metadata: metadataOf(names), value }))).not.toBe('undefined');
      }),
      { seed: 32, numRuns: seedCount(1000) },
    );
    // Lists of lists that share their bytes: each level is 200 times as long as the one in it.
    let level = text('x'.repeat(60));
    for (let depth = 0; depth < 8; depth++)
      level = [(4 << 2) | 3, ...le(200, 4), ...Array.from({ length: 201 }, () => 0), ...level];
    expect(read(...level)).toMatch(/^\{"metadata":"c1\d+","value":"13c8/);
    expect(plain({ metadata: Uint8Array.of(2), value: whole })).toMatch(/^\{"metadata":"02"/);
    // Texts and names are UTF-8, and keep a mark at their start.
    odd.last = undefined;
    expect(read(...text('\u{FEFF}x'))).toBe('"\u{FEFF}x"');
    expect(odd.last).toBeUndefined();
    expect(read(0x09, 0xc3, 0x28)).toMatch(/^\{"metadata":"c1\d+","value":"09c328"/);
    expect(odd.last).toBe('no-variant');
    expect(plain({ metadata: Uint8Array.of(1, 1, 0, 1, 0xff), value: whole })).toMatch(/^\{"metadata":"01010001ff"/);
  });

  it('in columns of its own is put together', () => {
    const holder = (name: string, typed: SchemaTree | null): SchemaTree =>
      node({ name }, [node({ name: 'value', type: 'BYTE_ARRAY' }), ...(typed ? [typed] : [])]);
    const day = node({ name: 'typed_value', type: 'INT32', converted_type: 'DATE' });
    const fields = node({ name: 'typed_value' }, [holder('at', day), holder('n', null)]);
    const write = variantWriter(node({ name: 'v' }, [...BYTES, fields]), odd);
    const metadata = metadataOf(['at', 'n', 'more']);
    const rest = Uint8Array.from(encode({ more: [true] }, ['at', 'n', 'more'], 4));
    expect(
      write({
        metadata,
        value: rest,
        typed_value: { at: { typed_value: 0 }, n: { value: Uint8Array.from(primitive(2)) } },
      }),
    ).toBe('{"at":"1970-01-01","n":false,"more":[true]}');
    // A field that is missing has neither; one of another type is in bytes.
    expect(write({ metadata, value: null, typed_value: { at: { value: Uint8Array.from(text('soon')) }, n: {} } })).toBe(
      '{"at":"soon"}',
    );
    expect(write({ metadata, value: Uint8Array.from(primitive(0)), typed_value: null })).toBe('null');
    const list = node({ name: 'typed_value', converted_type: 'LIST' }, [
      node({ name: 'list', repetition_type: 'REPEATED' }, [
        holder('element', node({ name: 'typed_value', type: 'INT64' })),
      ]),
    ]);
    const items = [{ typed_value: 5n }, { value: Uint8Array.from(text('x')) }, null];
    expect(variantWriter(node({ name: 'v' }, [...BYTES, list]), odd)({ metadata, typed_value: items })).toBe(
      '[5,"x",null]',
    );
  });
});
